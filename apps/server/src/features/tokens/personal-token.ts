import { createHash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

const prefix = 'ghp_'
const checksumLength = 6

/**
 * A personal access token: `ghp_`, 256 random bits in base64url and a checksum of what precedes
 * it, so that leak scanners recognise one, and a mistyped one is recognised without a look-up.
 */
export function makePersonalToken(): string {
  const body = prefix + randomBytes(32).toString('base64url')
  return body + checksum(body)
}

/** True for text in the format of our tokens, valid or not. */
export function isPersonalToken(text: string): boolean {
  return (
    /^ghp_[\w-]{49}$/.test(text) &&
    checksum(text.slice(0, -checksumLength)) === text.slice(-checksumLength)
  )
}

/** What is stored of a token. */
export const hashPersonalToken = (token: string) => createHash('sha256').update(token).digest('hex')

const checksum = (text: string) =>
  crc32(text)
    .toString(36)
    .padStart(checksumLength + 1, '0')
    .slice(-checksumLength)
