import { createHash, randomBytes } from 'node:crypto'

/** A link that can't be guessed: 256 random bits. */
export const makeLink = () => randomBytes(32).toString('base64url')

/** What is stored of a link. */
export const digestOf = (link: string) => createHash('sha256').update(link).digest('hex')
