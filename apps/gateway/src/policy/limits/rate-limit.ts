import { LRUCache } from 'lru-cache'
import type { SharedTaken } from './shared-limit-script.ts'

/** Clients that one limit remembers; beyond that, the clients not seen for longest are forgotten and start with a full quota. */
const maxClients = 50_000
/** What rounding may add up to over a million requests, in parts of one. */
const tolerance = 0.001

interface RateLimitOptions {
  requests: number
  windowSeconds: number
  share?: LimitShare
}

/** Who else lets requests through that count against the same limits. The same object for all limits. */
export interface LimitShare {
  /** Servers, this one among them. */
  servers: number
  /** They count together. Otherwise each lets an equal part of the quota through. */
  readonly isShared: boolean
}

const alone: LimitShare = { servers: 1, isShared: false }

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
 *
 * Of several servers that do not count together, each lets its part of the quota through: the bucket refills more
 * slowly, and what is in it is the same fraction of the whole.
 */
export class RateLimiter {
  readonly limit: number
  readonly windowSeconds: number
  readonly #windowMs: number
  readonly #share: LimitShare
  /** When each client's bucket would be full again. */
  readonly #fullAt: LRUCache<string, number>
  /** Let through since the last report to the other workers. */
  #unreported = new Map<string, number>()

  constructor({ requests, windowSeconds, share = alone }: RateLimitOptions) {
    this.limit = requests
    this.windowSeconds = windowSeconds
    this.#windowMs = windowSeconds * 1_000
    this.#share = share
    // Bounded by size, not by `max`, which would set the memory aside at once for each API.
    this.#fullAt = new LRUCache({ maxSize: maxClients, sizeCalculation: () => 1 })
  }

  /** Decides by what this server knows. */
  take(client: string, nowMs: number): RateLimitDecision {
    const intervalMs = this.#intervalMs
    const fullAt = Math.max(this.#fullAt.get(client) ?? 0, nowMs)
    const nextFullAt = fullAt + intervalMs
    // A part may be less than one request.
    const overMs = nextFullAt - nowMs - Math.max(this.#windowMs, intervalMs)
    const isAllowed = overMs <= intervalMs * tolerance
    if (isAllowed) {
      this.#fullAt.set(client, nextFullAt)
      // Where no worker drains it, it must not grow for ever.
      if (this.#unreported.size >= maxClients) this.#unreported.clear()
      this.#unreported.set(client, (this.#unreported.get(client) ?? 0) + 1)
    }
    return this.#decision(isAllowed, (isAllowed ? nextFullAt : fullAt) - nowMs)
  }

  /** The refusal of a client that has used up the quota of all servers for sure; null where they have to be asked. */
  refusal(client: string, nowMs: number): RateLimitDecision | null {
    const busyMs = (this.#fullAt.get(client) ?? 0) - nowMs
    const isOver = busyMs + this.#intervalMs * (1 - tolerance) > this.#windowMs
    return isOver ? this.#decision(false, busyMs) : null
  }

  /** What all servers together have decided, as of `nowMs`. */
  adopt(client: string, { isAllowed, busyMs }: SharedTaken, nowMs: number): RateLimitDecision {
    this.#fullAt.set(client, nowMs + busyMs)
    return this.#decision(isAllowed, busyMs)
  }

  /** What was let through since the last call, for the other workers: client and times. */
  drain(): [client: string, times: number][] {
    if (this.#unreported.size === 0) return []
    const taken = [...this.#unreported]
    this.#unreported = new Map()
    return taken
  }

  /** Counts what another worker let through. What all servers have decided holds that already. */
  absorb(client: string, times: number, nowMs: number): void {
    if (this.#share.isShared) return
    const fullAt = Math.max(this.#fullAt.get(client) ?? 0, nowMs)
    this.#fullAt.set(client, fullAt + times * this.#intervalMs)
  }

  /** What one request takes. */
  get #intervalMs(): number {
    const { servers, isShared } = this.#share
    return (this.#windowMs / this.limit) * (isShared ? 1 : servers)
  }

  #decision(isAllowed: boolean, busyMs: number): RateLimitDecision {
    const intervalMs = this.#intervalMs
    const windowMs = Math.max(this.#windowMs, intervalMs)
    const overMs = busyMs + intervalMs - windowMs
    return {
      isAllowed,
      remaining: Math.max(0, Math.floor((windowMs - busyMs) / intervalMs + tolerance)),
      resetSeconds: Math.ceil(busyMs / 1_000),
      retryAfterSeconds: isAllowed ? 0 : Math.max(1, Math.ceil(overMs / 1_000)),
    }
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
