import { latencyBucketsMs } from '@gatehouse/contract'
import type { Row } from '../../db/tables.ts'
import { bucketsToColumns } from './bucket-rows.ts'
import type { TrafficCount } from '../../publishing/gateway-link.ts'

/** What was counted of an endpoint, or of all together. */
export interface TrafficCounts {
  requests: number
  refused: number
  errors: number
  bytes_in: number
  bytes_out: number
  cache_hits: number
  cache_misses: number
  cache_saved_ms: number
  buckets: number[]
}

export const noCounts = (): TrafficCounts => ({
  requests: 0,
  refused: 0,
  errors: 0,
  bytes_in: 0,
  bytes_out: 0,
  cache_hits: 0,
  cache_misses: 0,
  cache_saved_ms: 0,
  buckets: Array.from({ length: latencyBucketsMs.length + 1 }, () => 0),
})

/** What a worker reports of one status; 0 means an answer that was cut off after its head. */
export function toCounts({ status, ...count }: TrafficCount): TrafficCounts {
  return {
    requests: count.requests,
    refused: status >= 400 && status < 500 ? count.requests : 0,
    errors: status >= 500 || status === 0 ? count.requests : 0,
    bytes_in: count.bytes_in,
    bytes_out: count.bytes_out,
    cache_hits: count.cache?.hits ?? 0,
    cache_misses: count.cache?.misses ?? 0,
    cache_saved_ms: count.cache?.saved_ms ?? 0,
    buckets: [...count.buckets],
  }
}

/** Adds to the first. */
export function addCounts(sum: TrafficCounts, more: TrafficCounts): void {
  sum.requests += more.requests
  sum.refused += more.refused
  sum.errors += more.errors
  sum.bytes_in += more.bytes_in
  sum.bytes_out += more.bytes_out
  sum.cache_hits += more.cache_hits
  sum.cache_misses += more.cache_misses
  sum.cache_saved_ms += more.cache_saved_ms
  more.buckets.forEach(
    (count, bucket) => (sum.buckets[bucket] = (sum.buckets[bucket] ?? 0) + count),
  )
}

/**
 * How long the given share of the requests took at most, in ms: an estimate, evenly spread within the
 * bucket that it falls into. Null without requests; requests beyond the last bound count as that bound.
 */
export function percentile(buckets: readonly number[], share: number): number | null {
  const total = buckets.reduce((sum, count) => sum + count, 0)
  if (total === 0) return null
  const rank = share * total
  let below = 0
  for (const [bucket, count] of buckets.entries()) {
    if (count > 0 && below + count >= rank) {
      const from = latencyBucketsMs[bucket - 1] ?? 0
      const to = latencyBucketsMs[bucket] ?? from
      return Math.round((from + ((rank - below) / count) * (to - from)) * 100) / 100
    }
    below += count
  }
  return latencyBucketsMs.at(-1) ?? null
}

export function toTrafficRow(
  at: string,
  endpoint_id: number,
  { buckets, ...counts }: TrafficCounts,
): Row<'traffic_minute'> {
  return { at, endpoint_id, ...counts, ...bucketsToColumns(buckets) }
}
