/** Bits of the server's status that come with every answer. */
export const serverStatus = { inTransaction: 0x0001, moreResults: 0x0008, changed: 0x4000 } as const
