import { z } from 'zod'
import { toolNameMaxLength } from '../callers/tool-names.ts'
import { latencyBucketsMs } from './latency-buckets.ts'

const count = z.number().int().nonnegative()

/** What a personal token did with a tool in a day. */
export const toolCount = z.object({
  token_id: z.number().int().positive(),
  /** In UTC, like 2026-11-27. */
  day: z.iso.date(),
  /** Of an endpoint or of a workflow, as agents call it. */
  tool: z.string().max(toolNameMaxLength),
  calls: count,
  /** The arguments did not fit, or the gateway or the API answered 4xx. */
  refused: count,
  /** Answered 5xx, or cut off; or its run has failed. */
  failed: count,
  /** Stored, to wait for its release. */
  waiting: count,
  /** One count per bucket of `latencyBucketsMs`, and one beyond; not cumulative. */
  buckets: z.array(count).max(64),
})
export type ToolCount = z.output<typeof toolCount>
type ToolOfToken = Pick<ToolCount, 'token_id' | 'day' | 'tool'>

const bucketCount = latencyBucketsMs.length + 1

/** What became of a call of a tool. */
export type ToolOutcomeCount = 'done' | 'refused' | 'failed' | 'waiting'

/** Adds up calls of tools by token, day and tool. Keeps `rowsMax` of these; further ones are dropped. */
export class ToolCounts {
  readonly #rows = new Map<string, ToolCount>()
  readonly #rowsMax: number

  constructor(rowsMax: number) {
    this.#rowsMax = rowsMax
  }

  get size(): number {
    return this.#rows.size
  }

  /** One call. `bucket`: that of its time. */
  count(of: ToolOfToken, outcome: ToolOutcomeCount, bucket: number): void {
    const sum = this.#rowOf(of, bucketCount)
    if (sum === undefined) return
    sum.calls++
    if (outcome !== 'done') sum[outcome]++
    sum.buckets[bucket] = (sum.buckets[bucket] ?? 0) + 1
  }

  add(more: ToolCount): void {
    const sum = this.#rowOf(more, more.buckets.length)
    if (sum === undefined) return
    for (const field of ['calls', 'refused', 'failed', 'waiting'] as const)
      sum[field] += more[field]
    more.buckets.forEach((times, at) => (sum.buckets[at] = (sum.buckets[at] ?? 0) + times))
  }

  /** The oldest ones, at most `rows`. They are no longer kept here. */
  take(rows = Infinity): ToolCount[] {
    const taken: ToolCount[] = []
    for (const [key, row] of this.#rows) {
      if (taken.length >= rows) break
      taken.push(row)
      this.#rows.delete(key)
    }
    return taken
  }

  /** Undefined: too many are kept. */
  #rowOf({ token_id, day, tool }: ToolOfToken, length: number): ToolCount | undefined {
    const key = `${token_id} ${day} ${tool}`
    let row = this.#rows.get(key)
    if (row === undefined && this.#rows.size < this.#rowsMax) {
      const buckets = Array.from({ length }, () => 0)
      row = { token_id, day, tool, calls: 0, refused: 0, failed: 0, waiting: 0, buckets }
      this.#rows.set(key, row)
    }
    return row
  }
}
