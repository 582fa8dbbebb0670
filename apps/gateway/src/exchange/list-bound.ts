import { LRUCache } from 'lru-cache'

const burst = 100
const perSecond = 20
/** Callers that are remembered; those that were longest away may begin again. */
const callersMax = 10_000

interface Bucket {
  left: number
  atMs: number
}

/**
 * Bounds how often a caller lists tools, in each worker: 100 at once, and 20 a second from then on. A list costs more
 * than a request, and no policy of an API counts it.
 */
export class ListBound {
  readonly #buckets = new LRUCache<string, Bucket>({ max: callersMax })

  /** Counts one list; false where it is one too many. `nowMs` is of a clock that only goes on. */
  take(caller: string, nowMs: number): boolean {
    const known = this.#buckets.get(caller)
    const earned = known === undefined ? burst : ((nowMs - known.atMs) / 1_000) * perSecond
    const left = Math.min(burst, (known?.left ?? 0) + earned)
    this.#buckets.set(caller, { left: Math.max(left - 1, 0), atMs: nowMs })
    return left >= 1
  }
}
