import {
  addCacheCounts,
  latencyBucketsMs,
  type CacheCounts,
  type ConfigSnapshot,
} from '@gatehouse/contract'
import type { GatewayReport, TrafficCount } from '../../publishing/gateway-link.ts'
import { WebSocketMetrics } from './web-socket-metrics.ts'

/** Series of the counters: endpoints times statuses. Further ones are counted without an endpoint. */
const seriesMax = 20_000

interface Series {
  endpointId: number
  status: number
  requests: number
  durationMs: number
  buckets: number[]
  cache: CacheCounts | undefined
}

/** Counts what the gateway answered since this process began, for Prometheus. */
export class RequestMetrics {
  readonly webSockets = new WebSocketMetrics()
  readonly #series = new Map<string, Series>()
  readonly #snapshot: () => ConfigSnapshot | undefined

  /** `snapshot`: where the names of endpoints come from. */
  constructor(snapshot: () => ConfigSnapshot | undefined) {
    this.#snapshot = snapshot
  }

  record(report: GatewayReport): void {
    for (const count of report.traffic) this.#add(count)
    this.webSockets.record(report)
  }

  /** Metrics in the text format of Prometheus, with times in seconds, as is usual there. */
  render(): string {
    const names = this.#names()
    const requests = [
      '# HELP gateway_requests_total Requests that the gateway answered.',
      '# TYPE gateway_requests_total counter',
    ]
    const durations = [
      '# HELP gateway_request_duration_seconds From the head of a request to the end of its answer.',
      '# TYPE gateway_request_duration_seconds histogram',
    ]
    const cached = [...cacheHead]
    const saved = [...savedHead]
    for (const { endpointId, status, ...counts } of this.#series.values()) {
      const { endpoint, api } = names.get(endpointId) ?? { endpoint: '', api: '' }
      const label = `endpoint="${escape(endpoint)}",api="${escape(api)}",status="${status}"`
      requests.push(`gateway_requests_total{${label}} ${counts.requests}`)
      if (counts.cache) {
        const { hits, misses, saved_ms } = counts.cache
        cached.push(
          `gateway_cache_requests_total{${label},result="hit"} ${hits}`,
          `gateway_cache_requests_total{${label},result="miss"} ${misses}`,
        )
        saved.push(`gateway_cache_saved_seconds_total{${label}} ${saved_ms / 1000}`)
      }
      const name = 'gateway_request_duration_seconds'
      let below = 0
      for (const [bucket, bound] of latencyBucketsMs.entries()) {
        below += counts.buckets[bucket] ?? 0
        durations.push(`${name}_bucket{${label},le="${bound / 1000}"} ${below}`)
      }
      durations.push(
        `${name}_bucket{${label},le="+Inf"} ${counts.requests}`,
        `${name}_sum{${label}} ${counts.durationMs / 1000}`,
        `${name}_count{${label}} ${counts.requests}`,
      )
    }
    return [...requests, ...durations, ...cached, ...saved, ''].join('\n')
  }

  #add({ endpoint_id, status, requests, duration_ms, buckets, cache }: TrafficCount): void {
    const isKnown = this.#series.has(`${endpoint_id} ${status}`)
    const endpointId = isKnown || this.#series.size < seriesMax ? endpoint_id : 0
    const key = `${endpointId} ${status}`
    const series = this.#series.get(key)
    if (!series) {
      const counts = { requests, durationMs: duration_ms, buckets: [...buckets], cache }
      this.#series.set(key, { endpointId, status, ...counts })
      return
    }
    series.requests += requests
    series.durationMs += duration_ms
    series.cache = addCacheCounts(series.cache, cache)
    buckets.forEach((count, bucket) => {
      series.buckets[bucket] = (series.buckets[bucket] ?? 0) + count
    })
  }

  #names(): Map<number, { endpoint: string; api: string }> {
    const snapshot = this.#snapshot()
    const apis = new Map(snapshot?.apis.map((api) => [api.id, api]))
    return new Map(
      snapshot?.endpoints.map(({ id, api_id, method, path }) => {
        const api = apis.get(api_id)
        const endpoint = `${method} /${api?.context ?? ''}${path}`
        return [id, { endpoint, api: api?.name ?? '' }]
      }),
    )
  }
}

const cacheHead = [
  '# HELP gateway_cache_requests_total Requests that a response cache was asked for.',
  '# TYPE gateway_cache_requests_total counter',
]
const savedHead = [
  '# HELP gateway_cache_saved_seconds_total Time of upstreams that kept answers spared.',
  '# TYPE gateway_cache_saved_seconds_total counter',
]

/** Label values, as the text format wants them. */
const escape = (text: string) =>
  text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
