import { LRUCache } from 'lru-cache'
import type { Ahead, SharedTaken } from './shared-limit-script.ts'

/** Clients that one limit remembers; beyond that, the clients not seen for longest are forgotten and start with a full quota. */
const maxClients = 50_000
/** A client over its quota is looked at again that often, so that a Redis that lost its data learns of it. */
const askAgainMs = 1_000
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
  /** They are to count together. */
  readonly isConnected: boolean
  /** They do so now. Otherwise each lets an equal part of the quota through. */
  readonly isShared: boolean
}

const alone: LimitShare = { servers: 1, isConnected: false, isShared: false }

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
  /** What was let through without the other servers, and when the bucket would have been full again before. */
  readonly #alone = new Map<string, { fullAt: number; times: number }>()
  /** When the other servers were last asked for a client that is over the quota. */
  readonly #askedAt = new Map<string, number>()

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
      this.#noteAlone(client, 1)
      this.#fullAt.set(client, nextFullAt)
      // Where no worker drains it, it must not grow for ever.
      bounded(this.#unreported).set(client, (this.#unreported.get(client) ?? 0) + 1)
    }
    return this.#decision(isAllowed, (isAllowed ? nextFullAt : fullAt) - nowMs)
  }

  /**
   * The refusal of a client that has used up the quota of all servers for sure; null where they have to be
   * asked, which they are once a second all the same.
   */
  refusal(client: string, nowMs: number): RateLimitDecision | null {
    if (this.#alone.has(client)) return null
    const busyMs = (this.#fullAt.get(client) ?? 0) - nowMs
    if (busyMs + this.#intervalMs * (1 - tolerance) <= this.#windowMs) return null
    const askedAt = this.#askedAt.get(client)
    const isLongAgo = askedAt !== undefined && nowMs - askedAt >= askAgainMs
    if (askedAt === undefined || isLongAgo) bounded(this.#askedAt).set(client, nowMs)
    return isLongAgo ? null : this.#decision(false, busyMs)
  }

  /** What all servers together are told. `keep` it where they could not be reached. */
  ahead(client: string, nowMs: number): Ahead {
    const alone = this.#alone.get(client)
    this.#alone.delete(client)
    const fullAt = alone?.fullAt ?? this.#fullAt.get(client) ?? 0
    return { knownMs: Math.max(0, fullAt - nowMs), alone: alone?.times ?? 0 }
  }

  keep(client: string, { knownMs, alone }: Ahead, sentMs: number): void {
    if (alone === 0) return
    const since = this.#alone.get(client)?.times ?? 0
    this.#alone.set(client, { fullAt: sentMs + knownMs, times: alone + since })
  }

  /**
   * What all servers together have decided, asked at `sentMs`. The time of the round trip is taken off what is
   * remembered: it must never be more than they know, or it would grow with each question.
   */
  adopt(client: string, taken: SharedTaken, sentMs: number, nowMs: number): RateLimitDecision {
    this.#fullAt.set(client, sentMs + taken.busyMs - (nowMs - sentMs))
    if (taken.isAllowed) this.#askedAt.delete(client)
    return this.#decision(taken.isAllowed, taken.busyMs)
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
    this.#noteAlone(client, 0)
    const fullAt = Math.max(this.#fullAt.get(client) ?? 0, nowMs)
    this.#fullAt.set(client, fullAt + times * this.#intervalMs)
  }

  /** Call it before the bucket changes. */
  #noteAlone(client: string, times: number): void {
    if (!this.#share.isConnected) return
    const noted = this.#alone.get(client)
    if (noted) noted.times += times
    else bounded(this.#alone).set(client, { fullAt: this.#fullAt.get(client) ?? 0, times })
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

/** Empties it where it has as many clients as are remembered. */
function bounded<T>(clients: Map<string, T>): Map<string, T> {
  if (clients.size >= maxClients) clients.clear()
  return clients
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
