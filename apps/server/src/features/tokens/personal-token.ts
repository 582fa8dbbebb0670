import { createHash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

const personalPrefix = 'ghp_'
const adminPrefix = 'gha_'
const signingPrefix = 'ghk_'
const checksumLength = 6

/**
 * A personal access token: `ghp_`, 256 random bits in base64url and a checksum of what precedes
 * it, so that leak scanners recognise one, and a mistyped one is recognised without a look-up.
 */
export const makePersonalToken = () => makeToken(personalPrefix)

/** A token for the admin API, made alike; it begins with `gha_`. */
export const makeAdminToken = () => makeToken(adminPrefix)

/** The secret with which requests of a token are signed: `ghk_` and 256 random bits. Its text is the key. */
export const makeSigningSecret = () => makeToken(signingPrefix)

function makeToken(prefix: string): string {
  const body = prefix + randomBytes(32).toString('base64url')
  return body + checksum(body)
}

/** True for text in the format of our tokens, valid or not. */
export const isPersonalToken = (text: string) => isToken(personalPrefix, text)

export const isAdminToken = (text: string) => isToken(adminPrefix, text)

function isToken(prefix: string, text: string): boolean {
  return (
    text.startsWith(prefix) &&
    /^gh[pa]_[\w-]{49}$/.test(text) &&
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
