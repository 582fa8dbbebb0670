import type { SnapshotApi } from '@gatehouse/contract/gateway'
import { ClientAddresses } from '@gatehouse/upstream/http'
import type { UpstreamOrigins, UpstreamTarget } from '../snapshot/upstream-origins.ts'
import { CircuitBreaker } from './resilience/circuit-breaker.ts'
import { ConcurrencyLimit } from './limits/concurrency.ts'
import { CorsRules } from './cors/cors.ts'
import { HealthChecks, type HealthCheckTools } from './targets/health-checks.ts'
import type { LimitSharing } from './limits/limit-sharing.ts'
import { RateLimiter } from './limits/rate-limit.ts'
import { ResponseCache } from './cache/response-cache.ts'
import { Canary } from './targets/canary.ts'
import { Targets } from './targets/targets.ts'

export interface PolicyTools {
  origins: UpstreamOrigins
  /** Asks a target how it is, over the same guarded connections as its calls. */
  probe: (target: UpstreamTarget, path: string, timeoutMs: number) => Promise<boolean>
  schedule: HealthCheckTools['schedule']
  random: () => number
  /** Monotonic. */
  nowMs: () => number
  /** Wall clock, milliseconds since 1970. */
  dateMs: () => number
  limits: LimitSharing
}

/** What the policy of one API remembers from request to request. Parts that are off are null. */
export class PolicyState {
  readonly clients: ClientAddresses | null
  readonly limiter: RateLimiter | null
  readonly breaker: CircuitBreaker | null
  readonly places: ConcurrencyLimit | null
  readonly cors: CorsRules | null
  readonly cache: ResponseCache | null
  readonly targets: Targets | null
  readonly canary: Canary | null
  /** By base URL, the API's own among them. */
  readonly addresses: ReadonlyMap<string, UpstreamTarget>
  readonly #checks: HealthChecks | null

  constructor(api: SnapshotApi, tools: PolicyTools) {
    const { id, policy, base_url, connect_timeout_ms, tls } = api
    const { rate_limit, circuit_breaker, max_concurrent, cors, cache, targets } = policy
    const { client_addresses } = policy
    this.clients = client_addresses && new ClientAddresses(client_addresses)
    this.limiter =
      rate_limit &&
      new RateLimiter({
        requests: rate_limit.requests,
        windowSeconds: rate_limit.window_seconds,
        share: tools.limits,
      })
    this.breaker = circuit_breaker && new CircuitBreaker(circuit_breaker)
    this.places = max_concurrent === null ? null : new ConcurrencyLimit(max_concurrent)
    this.cors = cors && new CorsRules(cors)
    this.cache = cache && new ResponseCache(cache.max_bytes, tools, api.cache_purges)
    const isShared = targets !== null && base_url !== null
    const weighted = isShared
      ? [
          { baseUrl: base_url, weight: targets.own_weight },
          ...targets.others.map(({ url, weight }) => ({ baseUrl: url, weight })),
        ]
      : []
    this.targets = isShared ? new Targets(weighted) : null
    this.canary = policy.canary && base_url !== null ? new Canary(id, policy.canary) : null
    const called = [
      ...weighted.map(({ baseUrl }) => baseUrl),
      ...(this.canary ? [this.canary.url] : []),
    ]
    this.addresses = new Map(
      called.map((url) => [url, tools.origins.target(url, connect_timeout_ms, tls)]),
    )
    this.#checks =
      this.targets && targets?.health_check
        ? new HealthChecks(targets.health_check, this.targets, {
            ...tools,
            probe: (baseUrl, path, timeoutMs) => this.#probe(tools, baseUrl, path, timeoutMs),
          })
        : null
  }

  /** Ends the health checks. */
  stop(): void {
    this.#checks?.stop()
  }

  async #probe(tools: PolicyTools, baseUrl: string, path: string, timeoutMs: number) {
    const target = this.addresses.get(baseUrl)
    return target !== undefined && tools.probe(target, path, timeoutMs)
  }
}
