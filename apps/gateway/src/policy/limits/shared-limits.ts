import { setTimeout as sleep } from 'node:timers/promises'
import type { SharedLimitsState } from '../../messages/worker-messages.ts'
import type { RedisSettings } from '../../messages/worker-settings.ts'
import { openRedisLink, reasonOf, type RedisLink } from './redis-link.ts'
import type { SharedTake, SharedTaken } from './shared-limit-script.ts'

/** No request waits longer for Redis. */
const clientPatience = { connectMs: 2_000, answerMs: 75 }
const answerParts = 3

/** Between two attempts to connect: at first, and at most. */
const retryMs = { first: 250, connecting: 5_000, unstable: 30_000 }
/** A connection that has lived as long was a good one. */
const stableMs = 30_000

const probe: SharedTake = { key: 'probe', requests: 1_000, windowSeconds: 1, knownMs: 0, alone: 0 }

interface SharedLimitsOptions {
  redis: RedisSettings
  /** Called at each change; the reason is for an administrator and holds no secret. */
  onState: (state: SharedLimitsState, reason: string | null) => void
}

/**
 * Counts the requests of rate limits in Redis, together with all other servers. While Redis is away, or
 * takes longer than 75 ms, `take` says so at once, and a new connection is tried until one answers in time.
 */
export class SharedLimits {
  readonly #options: SharedLimitsOptions
  readonly #closing = new AbortController()
  #link: RedisLink | null = null
  /** Ends the wait for the loss of `#link`. */
  #lose: (reason: string) => void = () => undefined
  #state: SharedLimitsState = 'joining'

  constructor(options: SharedLimitsOptions) {
    this.#options = options
    void this.#stayConnected()
  }

  /** Whether `take` would ask Redis. */
  get isShared(): boolean {
    return this.#link !== null
  }

  /** Never rejects. Null: Redis did not answer in time, and is away from now on. */
  async take(take: SharedTake): Promise<SharedTaken | null> {
    const link = this.#link
    if (link === null) return null
    const lose = this.#lose
    return this.#inTime(link.take(take)).catch((error: Error) => {
      lose(reasonOf(error))
      return null
    })
  }

  close(): void {
    this.#closing.abort()
    this.#lose('')
  }

  async #stayConnected(): Promise<void> {
    const { signal } = this.#closing
    let failures = 0
    let shortLives = 0
    while (!signal.aborted) {
      const { livedMs, reason } = await this.#serve()
      if (signal.aborted) return
      this.#change('away', reason)
      failures = livedMs === 0 ? failures + 1 : 0
      if (livedMs > 0) shortLives = livedMs < stableMs ? shortLives + 1 : 1
      const waitMs =
        failures > 0
          ? Math.min(retryMs.first * 2 ** (failures - 1), retryMs.connecting)
          : Math.min(retryMs.first * 2 ** (shortLives - 1), retryMs.unstable)
      await sleep(waitMs * (0.5 + Math.random() / 2), undefined, { signal }).catch(() => undefined)
    }
  }

  /** From an attempt to connect to the loss of the connection. */
  async #serve(): Promise<{ livedMs: number; reason: string }> {
    const lost = Promise.withResolvers<string>()
    const { redis } = this.#options
    let link: RedisLink | undefined
    let sinceMs: number | undefined
    try {
      link = await openRedisLink(redis, this.#patience.connectMs, lost.resolve)
      // It must be able to count, and in time: a replica that only reads is of no use.
      await this.#inTime(link.take(probe))
      if (this.#closing.signal.aborted) return { livedMs: 0, reason: '' }
      sinceMs = performance.now()
      this.#link = link
      this.#lose = lost.resolve
      this.#change('shared', null)
      const reason = await lost.promise
      return { livedMs: performance.now() - sinceMs, reason }
    } catch (error) {
      return { livedMs: 0, reason: reasonOf(error as Error) }
    } finally {
      this.#link = null
      link?.close()
    }
  }

  get #patience() {
    return this.#options.redis.patience ?? clientPatience
  }

  #inTime<T>(answer: Promise<T>): Promise<T> {
    return inTime(answer, this.#patience.answerMs)
  }

  #change(state: SharedLimitsState, reason: string | null): void {
    if (state === this.#state) return
    this.#state = state
    this.#options.onState(state, reason)
  }
}

/**
 * Rejects when the time is over. It passes in parts, between which this process reads what has arrived:
 * a time in which it was busy itself counts as one part, however long.
 */
function inTime<T>(answer: Promise<T>, answerMaxMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    let left = answerParts
    const pass = () => {
      if (--left > 0) timer = setTimeout(pass, answerMaxMs / answerParts)
      else setImmediate(reject, new Error(`It did not answer within ${answerMaxMs} ms.`))
    }
    let timer = setTimeout(pass, answerMaxMs / answerParts)
    answer.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
