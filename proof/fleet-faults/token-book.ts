import type { Answered, VersionBook } from './version-book.ts'

interface KnownToken {
  id: number
  token: string
  madeMs: number
  /** The first change that was begun after it was made. */
  madeBefore: number
  /** When somebody began to revoke it. */
  endingMs: number | undefined
  /** When that was answered; undefined: it was not, or nobody knows. */
  revokedMs: number | undefined
  /** The first change that was begun after it was revoked. */
  revokedBefore: number
}

/** The tokens of the operator, and what gateways may do with them therefore. */
export class TokenBook {
  readonly #tokens: KnownToken[] = []
  readonly #versions: VersionBook
  /** The latest moment at which a revoked one was accepted, after it was revoked and there was contact. */
  worstMs = 0

  constructor(versions: VersionBook) {
    this.#versions = versions
  }

  made(id: number, token: string): void {
    const times = { madeMs: performance.now(), endingMs: undefined, revokedMs: undefined }
    this.#tokens.push({ id, token, ...times, madeBefore: this.#versions.size, revokedBefore: 0 })
  }

  revoked(known: KnownToken): void {
    known.revokedMs = performance.now()
    known.revokedBefore = this.#versions.size
  }

  /** A standby has taken over without what was done since then: nobody knows what became of it. */
  forgetSince(moment: number): void {
    for (const known of this.#tokens) {
      if (known.madeMs >= moment) known.endingMs ??= moment
      if (known.revokedMs !== undefined && known.revokedMs >= moment) known.revokedMs = undefined
    }
  }

  /** One that the operator may revoke, the oldest first. */
  oldest(): KnownToken | undefined {
    return this.#tokens.find(({ endingMs }) => endingMs === undefined)
  }

  get living(): number {
    return this.#tokens.filter(({ endingMs }) => endingMs === undefined).length
  }

  get revocations(): number {
    return this.#tokens.filter(({ revokedMs }) => revokedMs !== undefined).length
  }

  /** One that gateways are asked with: the latest ones most often. */
  pick(): KnownToken | undefined {
    const back = Math.floor(Math.random() ** 2 * Math.min(this.#tokens.length, 40))
    return this.#tokens.at(-1 - back)
  }

  /** What is wrong with this answer; undefined: nothing. */
  faultOf(known: KnownToken, status: number, answered: Answered): string | undefined {
    const { contactSinceMs } = answered.by
    const { madeMs, endingMs, revokedMs } = known
    if (status === 200 && revokedMs !== undefined && answered.sentMs > revokedMs)
      return this.#faultOfRevoked(known, answered)
    if (status !== 401 || endingMs !== undefined) return undefined
    const isLate =
      contactSinceMs !== undefined &&
      answered.sentMs - Math.max(madeMs, contactSinceMs) > this.#versions.promisedMs
    const isKnown = answered.shownBefore >= known.madeBefore
    return isLate || isKnown ? 'a token that is good was refused' : undefined
  }

  #faultOfRevoked({ revokedMs = 0, revokedBefore }: KnownToken, answered: Answered) {
    const { by, sentMs, shownBefore } = answered
    if (shownBefore >= revokedBefore)
      return `a token was accepted that was revoked before ${shownBefore}`
    const { contactSinceMs } = by
    if (contactSinceMs === undefined) return undefined
    const acceptedMs = sentMs - Math.max(revokedMs, contactSinceMs)
    this.worstMs = Math.max(this.worstMs, acceptedMs)
    return acceptedMs > this.#versions.promisedMs
      ? `a revoked token was accepted ${Math.round(acceptedMs)} ms later`
      : undefined
  }
}
