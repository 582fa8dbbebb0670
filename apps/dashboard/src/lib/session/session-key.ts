/** Query key of the session check; the token follows it. */
export const sessionKey = ['session'] as const
