import { LRUCache } from 'lru-cache'

/** Clients that one limit remembers; beyond that, the clients not seen for longest are forgotten and start with a full quota. */
const maxClients = 50_000
/** What rounding may add up to over a million requests, in parts of one. */
const tolerance = 0.001

interface RateLimitOptions {
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
 * refills evenly, kept as one number). Workers report to each other what they let through, a moment later:
 * until then each of them may let the whole quota through, but what was too much is counted against later requests.
 */
export class RateLimiter {
  readonly limit: number
  readonly windowSeconds: number
  readonly #intervalMs: number
  /** When each client's bucket would be full again. */
  readonly #fullAt: LRUCache<string, number>
  /** Let through since the last report to the other workers. */
  #unreported = new Map<string, number>()

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
      // Where no worker drains it, it must not grow for ever.
      if (this.#unreported.size >= maxClients) this.#unreported.clear()
      this.#unreported.set(client, (this.#unreported.get(client) ?? 0) + 1)
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
    if (this.#unreported.size === 0) return []
    const taken = [...this.#unreported]
    this.#unreported = new Map()
    return taken
  }

  /** Counts what another worker let through. */
  absorb(client: string, times: number, nowMs: number): void {
    const fullAt = Math.max(this.#fullAt.get(client) ?? 0, nowMs)
    this.#fullAt.set(client, fullAt + times * this.#intervalMs)
  }
}

/**
 * The fields that show a client what is left of its quota, as name, value, name, value
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
