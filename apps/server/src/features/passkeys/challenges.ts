import { createHash, randomBytes } from 'node:crypto'
import type { SecretBox } from '../../kernel/secret-box.ts'
import type { Clock } from '../../kernel/clock.ts'

/** For how long a challenge may be answered. */
export const challengeMs = 5 * 60_000

/** What a challenge is for: nobody else's answer, and none to another question, opens it. */
export type Purpose =
  | { to: 'sign in' }
  /** By this session alone. */
  | { to: 'register'; userId: number; sessionId: number }

/** What makes sure that a challenge is taken once. */
export interface TakenChallenge {
  challenge_hash: string
  expires_at: string
}

/** What belongs to the answer, and only comes back with it. */
type Kept = Record<string, string>

interface Sealed {
  /** Milliseconds since 1970. */
  endsAt: number
  /** Makes each challenge another, whatever the seal does. */
  nonce: string
  /** See `make`. */
  kept: Kept
}

/**
 * Challenges are sealed instead of stored: any server takes the answer, and nobody fills a table by asking
 * for one again and again. Those that were answered are kept for longer than they count.
 */
export class Challenges {
  readonly #secrets: SecretBox
  readonly #clock: Clock

  constructor(secrets: SecretBox, clock: Clock) {
    this.#secrets = secrets
    this.#clock = clock
  }

  /** Base64url. `kept` comes back with the answer. */
  make(purpose: Purpose, kept: Kept = {}): string {
    const endsAt = this.#clock.now().getTime() + challengeMs
    const nonce = randomBytes(16).toString('base64url')
    const sealed = JSON.stringify({ endsAt, nonce, kept } satisfies Sealed)
    return Buffer.from(this.#secrets.seal(sealed, placeOf(purpose))).toString('base64url')
  }

  /** Undefined where it was not made here for this purpose, or has ended. */
  open(challenge: string, purpose: Purpose): { kept: Kept; taken: TakenChallenge } | undefined {
    try {
      const text = Buffer.from(challenge, 'base64url').toString()
      const sealed = JSON.parse(this.#secrets.open(text, placeOf(purpose))) as Sealed
      if (sealed.endsAt < this.#clock.now().getTime()) return undefined
      const { endsAt, nonce, kept } = sealed
      const challenge_hash = createHash('sha256').update(nonce).digest('hex')
      return { kept, taken: { challenge_hash, expires_at: new Date(endsAt).toISOString() } }
    } catch {
      return undefined
    }
  }
}

const placeOf = (purpose: Purpose) =>
  purpose.to === 'sign in'
    ? { table: 'passkey', row: 0, field: 'sign in' }
    : { table: 'passkey', row: purpose.userId, field: `register in ${purpose.sessionId}` }
