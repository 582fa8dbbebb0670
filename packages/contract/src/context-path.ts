/** A path prefix: segments of lower-case letters, digits, dots, dashes and underscores. */
export const contextPattern = /^[a-z0-9][a-z0-9._-]*(\/[a-z0-9][a-z0-9._-]*)*$/

/** First segments that the gateway answers itself. */
export const reservedContexts: readonly string[] = ['healthz', 'metrics']
