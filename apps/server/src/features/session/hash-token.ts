import { createHash } from 'node:crypto'

/** How a session's secrets are stored: SHA-256, since they are 256 random bits. */
export const hashToken = (token: string) => createHash('sha256').update(token).digest('hex')
