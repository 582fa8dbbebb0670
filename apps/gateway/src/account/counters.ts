import { ToolCounts, type ToolCount, type ToolOutcomeCount } from '@gatehouse/contract/gateway'
import { latencyBucketsMs } from '../messages/report-messages.ts'
import type { TrafficDelta } from '../messages/report-messages.ts'

const bucketCount = latencyBucketsMs.length + 1
/** requests, duration, upstream, bytes in, bytes out, hits and misses of the cache, time that it saved, then the buckets. */
const fieldCount = 8
const stride = fieldCount + bucketCount

/** By whole milliseconds below 64, the bucket that a duration falls into cannot be left of this one. */
const firstBucket = Uint8Array.from({ length: 64 }, (_, ms) => bucketFrom(ms, 0))

const bucketOf = (ms: number) => bucketFrom(ms, ms < 64 ? (firstBucket[Math.floor(ms)] ?? 0) : 0)

function bucketFrom(ms: number, first: number): number {
  let at = first
  while (at < latencyBucketsMs.length && ms > (latencyBucketsMs[at] ?? Infinity)) at++
  return at
}

/** Tokens with their tools of one report. */
const toolRowsMax = 5_000

export function outcomeOf(status: number): ToolOutcomeCount {
  if (status >= 500 || status === 0) return 'failed'
  return status >= 400 ? 'refused' : 'done'
}

/**
 * Requests, times and bytes by endpoint and status since the last report. One row of a typed array
 * for each pair that occurred; a count costs a look-up and a few additions.
 */
export class Counters {
  readonly #rows = new Map<number, number>()
  readonly #codes = new Map<string, number>()
  readonly #tokens = new Map<number, number>()
  readonly #tools = new ToolCounts(toolRowsMax)
  readonly #unknownKeys = new Set<number>()
  #cells = new Float64Array(64 * stride)
  #used = 0

  count(
    endpointId: number,
    status: number,
    durationMs: number,
    upstreamMs: number,
    bytesIn: number,
    bytesOut: number,
  ): void {
    const at = this.#rowOf(endpointId * 1_000 + status)
    const cells = this.#cells
    const bucket = bucketOf(durationMs)
    cells[at] = (cells[at] ?? 0) + 1
    cells[at + 1] = (cells[at + 1] ?? 0) + durationMs
    cells[at + 2] = (cells[at + 2] ?? 0) + upstreamMs
    cells[at + 3] = (cells[at + 3] ?? 0) + bytesIn
    cells[at + 4] = (cells[at + 4] ?? 0) + bytesOut
    cells[at + fieldCount + bucket] = (cells[at + fieldCount + bucket] ?? 0) + 1
  }

  /** Beside `count`, for a request that the cache was asked for. */
  countCache(endpointId: number, status: number, isHit: boolean, savedMs: number): void {
    const at = this.#rowOf(endpointId * 1_000 + status)
    const cells = this.#cells
    const field = at + (isHit ? 5 : 6)
    cells[field] = (cells[field] ?? 0) + 1
    cells[at + 7] = (cells[at + 7] ?? 0) + savedMs
  }

  countCode(code: string): void {
    this.#codes.set(code, (this.#codes.get(code) ?? 0) + 1)
  }

  countToken(id: number): void {
    this.#tokens.set(id, (this.#tokens.get(id) ?? 0) + 1)
  }

  countTool(
    { tokenId, tool }: { tokenId: number; tool: string },
    outcome: ToolOutcomeCount,
    durationMs: number,
  ): void {
    const day = new Date().toISOString().slice(0, 10)
    this.#tools.count({ token_id: tokenId, day, tool }, outcome, bucketOf(durationMs))
  }

  /** A token of this issuer names a key that is not known. */
  noteUnknownKey(issuerId: number): void {
    this.#unknownKeys.add(issuerId)
  }

  /** What was counted since the last time; counting starts again from 0. */
  take(): {
    traffic: TrafficDelta[]
    codes: Record<string, number>
    tokenUses: [number, number][]
    toolCalls: ToolCount[]
    unknownKeys: number[]
  } {
    const traffic = [...this.#rows].map(([key, at]) => this.#delta(key, at))
    const codes = Object.fromEntries(this.#codes)
    const tokenUses = [...this.#tokens]
    const toolCalls = this.#tools.take()
    const unknownKeys = [...this.#unknownKeys]
    this.#cells.fill(0, 0, this.#used)
    this.#used = 0
    this.#rows.clear()
    this.#codes.clear()
    this.#tokens.clear()
    this.#unknownKeys.clear()
    return { traffic, codes, tokenUses, toolCalls, unknownKeys }
  }

  #rowOf(key: number): number {
    const known = this.#rows.get(key)
    if (known !== undefined) return known
    const at = this.#used
    this.#used += stride
    if (this.#used > this.#cells.length) {
      const larger = new Float64Array(this.#cells.length * 2)
      larger.set(this.#cells)
      this.#cells = larger
    }
    this.#rows.set(key, at)
    return at
  }

  #delta(key: number, at: number): TrafficDelta {
    const cell = (field: number) => this.#cells[at + field] ?? 0
    return {
      endpoint_id: Math.floor(key / 1_000),
      status: key % 1_000,
      requests: cell(0),
      duration_ms: cell(1),
      upstream_ms: cell(2),
      bytes_in: cell(3),
      bytes_out: cell(4),
      buckets: Array.from(this.#cells.subarray(at + fieldCount, at + stride)),
      ...(cell(5) + cell(6) === 0
        ? {}
        : { cache: { hits: cell(5), misses: cell(6), saved_ms: Math.round(cell(7)) } }),
    }
  }
}
