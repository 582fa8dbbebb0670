import { LRUCache } from 'lru-cache'

/** Clients that one limit remembers; beyond it the longest unseen are forgotten, and start afresh. */
const maxClients = 50_000
/** What rounding may add up to over a million requests, in parts of one. */
const tolerance = 0.001

export interface RateLimitOptions {
  requests: number
  windowSeconds: number
}

export interface RateLimitDecision {
  isAllowed: boolean
  /** Requests that could follow at once. */
  remaining: number
  /** Until the whole quota is there again. */
  resetSeconds: number
  /** 0 where allowed. */
  retryAfterSeconds: number
}

/**
 * Lets `requests` through in each window, per client: all at once or spread out (GCRA: a bucket that
 * refills evenly, kept as one number). Workers tell each other what they let through, a moment later:
 * at one moment each of them may let the whole quota through, but what was too much is owed.
 */
export class RateLimiter {
  readonly limit: number
  readonly windowSeconds: number
  readonly #intervalMs: number
  /** When each client's bucket would be full again. */
  readonly #fullAt: LRUCache<string, number>
  /** Let through since the others were told. */
  #untold = new Map<string, number>()

  constructor({ requests, windowSeconds }: RateLimitOptions) {
    this.limit = requests
    this.windowSeconds = windowSeconds
    this.#intervalMs = (windowSeconds * 1_000) / this.limit
    // Bounded by size, not by `max`, which would set the memory aside at once for each API.
    this.#fullAt = new LRUCache({ maxSize: maxClients, sizeCalculation: () => 1 })
  }

  take(client: string, nowMs: number): RateLimitDecision {
    const windowMs = this.windowSeconds * 1_000
    const fullAt = Math.max(this.#fullAt.get(client) ?? 0, nowMs)
    const nextFullAt = fullAt + this.#intervalMs
    const overMs = nextFullAt - nowMs - windowMs
    const isAllowed = overMs <= this.#intervalMs * tolerance
    if (isAllowed) {
      this.#fullAt.set(client, nextFullAt)
      // Where nobody asks for it, it does not grow for ever.
      if (this.#untold.size >= maxClients) this.#untold.clear()
      this.#untold.set(client, (this.#untold.get(client) ?? 0) + 1)
    }
    const busyMs = (isAllowed ? nextFullAt : fullAt) - nowMs
    return {
      isAllowed,
      remaining: Math.max(0, Math.floor((windowMs - busyMs) / this.#intervalMs + tolerance)),
      resetSeconds: Math.ceil(busyMs / 1_000),
      retryAfterSeconds: isAllowed ? 0 : Math.max(1, Math.ceil(overMs / 1_000)),
    }
  }

  /** What was let through since the last call, for the other workers: client and times. */
  drain(): [client: string, times: number][] {
    if (this.#untold.size === 0) return []
    const taken = [...this.#untold]
    this.#untold = new Map()
    return taken
  }

  /** Counts what another worker let through. */
  absorb(client: string, times: number, nowMs: number): void {
    const fullAt = Math.max(this.#fullAt.get(client) ?? 0, nowMs)
    this.#fullAt.set(client, fullAt + times * this.#intervalMs)
  }
}

/**
 * The fields that tell a client where it stands, as name, value, name, value
 * (draft-ietf-httpapi-ratelimit-headers-06, the last to have a field for each figure).
 */
export function rateLimitFields(limiter: RateLimiter, decision: RateLimitDecision): string[] {
  return [
    'RateLimit-Limit',
    String(limiter.limit),
    'RateLimit-Remaining',
    String(decision.remaining),
    'RateLimit-Reset',
    String(decision.resetSeconds),
    'RateLimit-Policy',
    `${limiter.limit};w=${limiter.windowSeconds}`,
  ]
}
