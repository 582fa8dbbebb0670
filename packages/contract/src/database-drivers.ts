export const drivers = ['sqlsrv', 'mysql'] as const

/** `encrypted` keeps listeners out; `verified` impostors too, by the server's certificate. */
export const tlsModes = ['off', 'encrypted', 'verified'] as const
export type TlsMode = (typeof tlsModes)[number]
