/** `2026-06-01 08:00 UTC`: readers of a message may be in any time zone. */
export const momentWords = (at: string) => `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`
