import { addCacheCounts, ToolCounts } from '@gatehouse/contract/gateway'
import type { GatewayReport } from '@gatehouse/server'

type Traffic = GatewayReport['traffic'][number]
type Count = { -readonly [Name in keyof Traffic]: Traffic[Name] }

interface Minute {
  /** Of its last report. */
  at: string
  traffic: Map<string, Count>
  tokenUses: Map<number, number>
  quotaUses: Map<number, number>
  toolCalls: ToolCounts
  unknownKeys: Set<number>
  webSockets: { opened: number; refused: number; bytes_in: number; bytes_out: number }
}

/** Rows of minutes, endpoints and statuses; further ones are dropped. */
const rowsMax = 50_000
/** Of a minute. */
const toolRowsMax = 1_000

/** What the workers counted and the control plane has not counted yet, added up by minute. */
export class ReportBacklog {
  readonly #minutes = new Map<string, Minute>()
  #rows = 0

  get isEmpty(): boolean {
    return this.#minutes.size === 0
  }

  add(report: GatewayReport & { at: string }): void {
    const name = report.at.slice(0, 16)
    const minute = this.#minutes.get(name) ?? noCounts()
    this.#minutes.set(name, minute)
    if (report.at > minute.at) minute.at = report.at
    for (const count of report.traffic) this.#addTraffic(minute.traffic, count)
    for (const [token, times] of report.token_uses) addTo(minute.tokenUses, token, times)
    for (const [token, times] of report.quota_uses) addTo(minute.quotaUses, token, times)
    for (const calls of report.tool_calls) minute.toolCalls.add(calls)
    for (const issuer of report.unknown_keys) minute.unknownKeys.add(issuer)
    for (const what of ['opened', 'refused', 'bytes_in', 'bytes_out'] as const)
      minute.webSockets[what] += report.web_sockets[what]
  }

  /** The oldest minute, as one report. It waits no more: if it does not arrive, it is to be added again. */
  take(): (GatewayReport & { at: string }) | undefined {
    const [oldest] = this.#minutes
    if (!oldest) return undefined
    const [name, { at, traffic, tokenUses, quotaUses, toolCalls, unknownKeys, webSockets }] = oldest
    this.#minutes.delete(name)
    this.#rows -= traffic.size
    return {
      at,
      traffic: [...traffic.values()],
      token_uses: [...tokenUses],
      quota_uses: [...quotaUses],
      tool_calls: toolCalls.take(),
      unknown_keys: [...unknownKeys],
      web_sockets: webSockets,
    }
  }

  #addTraffic(traffic: Minute['traffic'], count: Traffic): void {
    const key = `${count.endpoint_id} ${count.status}`
    const known = traffic.get(key)
    if (known) return addCount(known, count)
    if (this.#rows >= rowsMax) return
    this.#rows++
    traffic.set(key, { ...count })
  }
}

const noCounts = (): Minute => ({
  at: '',
  traffic: new Map(),
  tokenUses: new Map(),
  quotaUses: new Map(),
  toolCalls: new ToolCounts(toolRowsMax),
  unknownKeys: new Set(),
  webSockets: { opened: 0, refused: 0, bytes_in: 0, bytes_out: 0 },
})

const addTo = (uses: Map<number, number>, token: number, times: number) =>
  uses.set(token, (uses.get(token) ?? 0) + times)

function addCount(known: Count, count: Traffic): void {
  known.requests += count.requests
  known.duration_ms += count.duration_ms
  known.bytes_in += count.bytes_in
  known.bytes_out += count.bytes_out
  known.cache = addCacheCounts(known.cache, count.cache)
  known.buckets = known.buckets.map((times, bucket) => times + (count.buckets[bucket] ?? 0))
}
