import type { SecretBox } from '../../kernel/secret-box.ts'

// What has to be the same when the browser comes back. It is sealed in a cookie of that browser: no server
// keeps it, so any of them takes the answer, and nobody fills a table by beginning again and again.

const name = 'gatehouse_sign_on'
/** For how long a person may stay at the provider. */
const attemptMs = 10 * 60_000
const place = { table: 'sign_on_attempt', row: 0, field: 'cookie' }

export interface SignOnAttempt {
  issuer: string
  state: string
  nonce: string
  /** Of the proof key (RFC 7636). */
  verifier: string
  /** Where the provider sends the browser back to. */
  redirectUri: string
  /** Milliseconds since 1970. */
  begunAt: number
}

export function attemptCookie(
  attempt: SignOnAttempt,
  secrets: SecretBox,
  isSecure: boolean,
): string {
  return cookie(secrets.seal(JSON.stringify(attempt), place), attemptMs / 1000, isSecure)
}

/** Takes the cookie from the browser again. */
export const noAttemptCookie = (isSecure: boolean) => cookie('', 0, isSecure)

function cookie(value: string, maxAgeSeconds: number, isSecure: boolean): string {
  const text = `${name}=${value}; Path=/api/sign-on; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict`
  return isSecure ? `${text}; Secure` : text
}

/** Undefined where the header has no such cookie of ours, or one that is too old. */
export function readAttempt(
  header: string | undefined,
  secrets: SecretBox,
  now: Date,
): SignOnAttempt | undefined {
  const prefix = `${name}=`
  const parts = header?.split(';').map((part) => part.trim())
  const value = parts?.find((part) => part.startsWith(prefix))?.slice(prefix.length)
  if (!value) return undefined
  try {
    const attempt = JSON.parse(secrets.open(value, place)) as SignOnAttempt
    const ageMs = now.getTime() - attempt.begunAt
    return ageMs >= 0 && ageMs <= attemptMs ? attempt : undefined
  } catch {
    return undefined
  }
}
