export const drivers = ['sqlsrv', 'mysql'] as const

/** `encrypted` stops eavesdroppers; `verified` also stops impostors, by the server's certificate. */
export const tlsModes = ['off', 'encrypted', 'verified'] as const
export type TlsMode = (typeof tlsModes)[number]
