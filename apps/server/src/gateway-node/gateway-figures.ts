import { addCacheCounts, ToolCounts, type ToolCount } from '@gatehouse/contract'
import type { GatewayReport } from '../publishing/gateway-link.ts'
import type { MinuteCount } from '../publishing/gateways/gateway-messages.ts'

/** Rows of minutes, endpoints and statuses that wait for the control plane; further ones are dropped. */
const rowsMax = 50_000
const tokensMax = 50_000
const toolRowsMax = 10_000

type QuotaUse = [token: number, day: string, times: number]

interface TakenFigures {
  traffic: MinuteCount[]
  token_uses: [number, string][]
  quota_uses: QuotaUse[]
  tool_calls: ToolCount[]
}

const keyOf = ([token, day]: QuotaUse) => `${day} ${token}`

/** What the workers counted and the control plane has not heard yet. */
export class GatewayFigures {
  #rows = new Map<string, MinuteCount>()
  #uses = new Map<number, string>()
  /** By day and token. */
  #quotaUses = new Map<string, QuotaUse>()
  readonly #toolCalls = new ToolCounts(toolRowsMax)
  #unknownKeys = new Set<number>()
  #lostRequests = 0

  /** Requests that are missing in the figures, because too much was waiting. */
  get lostRequests(): number {
    return this.#lostRequests
  }

  get isEmpty(): boolean {
    const size = this.#quotaUses.size + this.#toolCalls.size
    return this.#rows.size + this.#uses.size + this.#unknownKeys.size + size === 0
  }

  record(report: GatewayReport, at: Date): void {
    const { traffic, token_uses, unknown_keys, quota_uses } = report
    for (const calls of report.tool_calls) this.#toolCalls.add(calls)
    for (const issuer of unknown_keys) this.#unknownKeys.add(issuer)
    const now = at.toISOString()
    for (const [token, times] of quota_uses) this.#addQuotaUse([token, now.slice(0, 10), times])
    const minute = `${now.slice(0, 16)}:00.000Z`
    for (const [token] of token_uses)
      if (this.#uses.has(token) || this.#uses.size < tokensMax) this.#uses.set(token, now)
    for (const { endpoint_id, status, requests, bytes_in, bytes_out, buckets, cache } of traffic)
      this.#add({
        minute,
        endpoint_id,
        status,
        requests,
        bytes_in,
        bytes_out,
        buckets: [...buckets],
        cache,
      })
  }

  /** The oldest ones. They wait no more: who takes them sees to it that they arrive. */
  take(rows: number, tokens: number): TakenFigures {
    const traffic = [...this.#rows.entries().take(rows)]
    const token_uses = [...this.#uses.entries().take(tokens)]
    for (const [key] of traffic) this.#rows.delete(key)
    for (const [token] of token_uses) this.#uses.delete(token)
    const quota_uses = [...this.#quotaUses.values().take(tokens)]
    for (const use of quota_uses) this.#quotaUses.delete(keyOf(use))
    const tool_calls = this.#toolCalls.take(rows)
    return { traffic: traffic.map(([, row]) => row), token_uses, quota_uses, tool_calls }
  }

  /** Issuers whose tokens named a key that is not known; a report that is lost is no loss: tokens name it again. */
  takeUnknownKeys(): number[] {
    const taken = [...this.#unknownKeys]
    this.#unknownKeys.clear()
    return taken
  }

  /** What was taken and did not fit. */
  putBack({ traffic, token_uses, quota_uses, tool_calls }: TakenFigures): void {
    for (const calls of tool_calls) this.#toolCalls.add(calls)
    for (const use of quota_uses) this.#addQuotaUse(use)
    for (const row of traffic) this.#add(row)
    for (const [token, at] of token_uses) if (!this.#uses.has(token)) this.#uses.set(token, at)
  }

  #addQuotaUse(use: QuotaUse): void {
    const [token, day, times] = use
    const key = keyOf(use)
    const before = this.#quotaUses.get(key)?.[2] ?? 0
    if (before > 0 || this.#quotaUses.size < tokensMax)
      this.#quotaUses.set(key, [token, day, before + times])
  }

  #add(row: MinuteCount): void {
    const key = `${row.minute} ${row.endpoint_id} ${row.status}`
    const known = this.#rows.get(key)
    if (!known) {
      if (this.#rows.size < rowsMax) this.#rows.set(key, row)
      else this.#lostRequests += row.requests
      return
    }
    known.requests += row.requests
    known.bytes_in += row.bytes_in
    known.bytes_out += row.bytes_out
    known.cache = addCacheCounts(known.cache, row.cache)
    row.buckets.forEach((count, bucket) => {
      known.buckets[bucket] = (known.buckets[bucket] ?? 0) + count
    })
  }
}
