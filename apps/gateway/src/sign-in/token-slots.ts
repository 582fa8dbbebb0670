import { signedInWith } from '@gatehouse/upstream/http'
import type { TokenCredential } from '@gatehouse/contract/credential'
import type { UpstreamToken } from '../messages/worker-messages.ts'

/** Between two questions for the next token, while the one at hand lives. */
const askEveryMs = 1_000

/** Asks the parent for a token; `refused` is the version that an upstream has refused. */
type AskForToken = (apiId: number, refused: number | null) => void

/** Called once, with the header fields, or with why there are none. */
type TokenDone = (fields: readonly string[] | null, message: string) => void

interface Waiting {
  /** Only a later version is of use. */
  after: number
  done: TokenDone
  timer: NodeJS.Timeout
}

/**
 * The token of one API. A worker never signs in: the parent hands tokens out. A request that needs one
 * waits without holding up others.
 */
export class TokenSlot {
  readonly #apiId: number
  readonly #credential: TokenCredential
  readonly #ask: AskForToken
  readonly #waiting = new Set<Waiting>()
  #fields: readonly string[] | null = null
  #token: UpstreamToken | null = null
  #recent: readonly string[] = []
  #askedAtMs = -askEveryMs

  constructor(apiId: number, credential: TokenCredential, ask: AskForToken) {
    this.#apiId = apiId
    this.#credential = credential
    this.#ask = ask
  }

  /** Of the token at hand; 0: there was none yet. */
  get version(): number {
    return this.#token?.version ?? 0
  }

  /** For masking: the token at hand and the one before, which calls may still carry. */
  get tokens(): readonly string[] {
    return this.#recent
  }

  /** The header fields, name and value in turn; null where no token lives. Asks for the next in time. */
  current(): readonly string[] | null {
    const token = this.#token
    if (token === null) return null
    const nowMs = Date.now()
    if (nowMs < token.renew_at_ms) return this.#fields
    if (nowMs >= token.expires_at_ms) return null
    if (nowMs - this.#askedAtMs >= askEveryMs) {
      this.#askedAtMs = nowMs
      this.#ask(this.#apiId, null)
    }
    return this.#fields
  }

  /** Waits for a token later than `refused`, or for any that lives. Cancelled by what it returns. */
  wait(refused: number | null, timeoutMs: number, done: TokenDone): () => void {
    const waiting: Waiting = {
      after: refused ?? -1,
      done,
      timer: setTimeout(() => this.#settle(waiting, 'no token came in time'), timeoutMs),
    }
    this.#waiting.add(waiting)
    this.#ask(this.#apiId, refused)
    return () => this.#forget(waiting)
  }

  accept(token: UpstreamToken): void {
    if (this.#token !== null && token.version < this.#token.version) return
    if (token.token !== this.#recent[0]) this.#recent = [token.token, ...this.#recent.slice(0, 1)]
    this.#token = token
    this.#fields = signedInWith(this.#credential, token.token).headers.flat()
    for (const waiting of this.#waiting) {
      if (token.version > waiting.after) this.#settle(waiting, '')
    }
  }

  /** The parent has no token; those that wait for one later than `refused` are told so. */
  fail(refused: number | null, message: string): void {
    for (const waiting of this.#waiting) {
      if (waiting.after === (refused ?? -1)) this.#settle(waiting, message)
    }
  }

  #settle(waiting: Waiting, message: string): void {
    this.#forget(waiting)
    waiting.done(message === '' ? this.#fields : null, message)
  }

  #forget(waiting: Waiting): void {
    clearTimeout(waiting.timer)
    this.#waiting.delete(waiting)
  }
}

/** The tokens of a worker, by API. They outlive snapshots. */
export class TokenSlots {
  readonly #ask: AskForToken
  readonly #slots = new Map<number, { signature: string; slot: TokenSlot }>()

  constructor(ask: AskForToken) {
    this.#ask = ask
  }

  /** A change of the credential, or of its secrets (`seal`), begins without a token. */
  slotOf(apiId: number, credential: TokenCredential, seal: string): TokenSlot {
    const signature = JSON.stringify([seal, credential])
    const known = this.#slots.get(apiId)
    if (known?.signature === signature) return known.slot
    const slot = new TokenSlot(apiId, credential, this.#ask)
    this.#slots.set(apiId, { signature, slot })
    return slot
  }

  accept(apiId: number, token: UpstreamToken): void {
    this.#slots.get(apiId)?.slot.accept(token)
  }

  fail(apiId: number, refused: number | null, message: string): void {
    this.#slots.get(apiId)?.slot.fail(refused, message)
  }
}
