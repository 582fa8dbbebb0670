import { z } from 'zod'
import { toolNameMaxLength } from '../callers/tool-names.ts'

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

  add(more: ToolCount): void {
    const key = `${more.token_id} ${more.day} ${more.tool}`
    const sum = this.#rows.get(key)
    if (sum === undefined) {
      if (this.#rows.size < this.#rowsMax)
        this.#rows.set(key, { ...more, buckets: [...more.buckets] })
      return
    }
    for (const field of ['calls', 'refused', 'failed', 'waiting'] as const)
      sum[field] += more[field]
    more.buckets.forEach((times, at) => (sum.buckets[at] = (sum.buckets[at] ?? 0) + times))
  }

  /** The oldest ones, at most `rows`. They are no longer kept here. */
  take(rows = Infinity): ToolCount[] {
    const taken = [...this.#rows].slice(0, rows)
    for (const [key] of taken) this.#rows.delete(key)
    return taken.map(([, row]) => row)
  }
}
