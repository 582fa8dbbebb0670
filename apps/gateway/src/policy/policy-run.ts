import type { Exchange } from '../exchange/exchange.ts'
import type { PolicyNotes } from '../exchange/exchange-facts.ts'
import type { CacheRequest } from './cache/cache-request.ts'
import type { CachedAnswer } from './cache/cached-answer.ts'
import type { RateLimitDecision } from './limits/rate-limit.ts'
import type { CanaryChoice } from './targets/canary.ts'
import type { AnswerRecording } from './cache/answer-recording.ts'

/** What the traffic policy knows of one request. */
export class PolicyRun implements PolicyNotes {
  isPreflight = false
  rate: RateLimitDecision | null = null
  /** It holds one of the API's places. */
  hasPlace = false
  /** Null: the circuit breaker was not asked. */
  breakerTicket: { isTrial: boolean } | null = null
  /** The upstream failed, although the client may get an answer that was kept. */
  hasUpstreamFailed = false
  /** What the cache is asked for; null: the request does not concern the cache. */
  cacheRequest: CacheRequest | null = null
  /** For `Cache-Status` (RFC 9211). */
  cacheStatus: string | null = null
  /** Kept, past its time: the upstream is asked whether it still holds. */
  stale: CachedAnswer | null = null
  recording: AnswerRecording | null = null
  cached: 'hit' | 'miss' | null = null
  savedMs = 0
  retries = 0
  /** Why it goes to the canary; null: it does not. */
  canary: CanaryChoice | null = null
  /** Where the last call went. */
  baseUrl: string | undefined = undefined
  /** Undoes what must not outlive the request. */
  readonly cleanUps: (() => void)[] = []

  get isCanary(): boolean {
    return this.canary !== null
  }

  details(): Record<string, unknown> {
    return {
      ...(this.rate ? { rate_limit_remaining: this.rate.remaining } : {}),
      ...(this.cacheStatus === null ? {} : { cache: this.cacheStatus }),
      ...(this.canary === null ? {} : { target: 'canary', chosen_by: this.canary }),
    }
  }
}

/** What is known of a request so far; null where no hook has run for it. */
export function knownRunOf({ policyRun }: Exchange): PolicyRun | null {
  return policyRun instanceof PolicyRun ? policyRun : null
}

/** The same, made where there is none yet. */
export function runOf(exchange: Exchange): PolicyRun {
  const known = knownRunOf(exchange)
  if (known !== null) return known
  const run = new PolicyRun()
  exchange.policyRun = run
  return run
}
