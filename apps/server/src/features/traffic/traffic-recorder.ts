import type { Logger } from 'pino'
import type { Clock } from '../../kernel/clock.ts'
import type { InTransaction } from '../../stores.ts'
import {
  toTrafficRow,
  addCounts,
  noCounts,
  toCounts,
  type TrafficCounts,
} from './traffic-counts.ts'
import type { RecordedReport, RemoteCounts } from './recorded-report.ts'
import { dayOf, hourOf, minuteOf, tenSecondsOf } from './traffic-spans.ts'
import { ToolUsageRecorder } from './tool-usage-recorder.ts'
import { allEndpoints, allOfApi } from './traffic-store.ts'

export interface TrafficRecorderOptions {
  inTransaction: InTransaction
  clock: Clock
  log: Logger
  flushMs?: number
}

const hourMs = 3_600_000
const keepMinutesMs = 48 * hourMs
const keepHoursMs = 35 * 24 * hourMs
/** Rows of one transaction; other calls run in between. */
const transactionRows = 500
const tokensPerUpdate = 500
/** How many rows of minutes and endpoints are kept for a database that is away; further ones are dropped. */
const pendingMax = 50_000

/**
 * Folds the workers' reports into rows per minute, hour and day, every few seconds. A crash loses what
 * came in since; a database that is away gets it later.
 */
export class TrafficRecorder {
  readonly #options: TrafficRecorderOptions
  readonly #tools: ToolUsageRecorder
  /** By minute, then by endpoint. */
  #pending = new Map<string, Map<number, TrafficCounts>>()
  #pendingRows = 0
  #usedTokens = new Map<number, string>()
  #timer: NodeJS.Timeout | undefined
  #flushing: Promise<void> = Promise.resolve()
  #prunedMinute = ''

  constructor(options: TrafficRecorderOptions) {
    this.#options = options
    this.#tools = new ToolUsageRecorder(options)
  }

  start(): void {
    this.#timer = setInterval(() => void this.flush(), this.#options.flushMs ?? 5_000)
    this.#timer.unref()
  }

  /** Writes what has come in, and stops. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.flush()
  }

  /** Counts in the minute of the report, or in this one. */
  record({ at, traffic, token_uses, tool_calls }: RecordedReport): void {
    this.#tools.record(tool_calls)
    const now = this.#options.clock.now().toISOString()
    const moment = at !== undefined && at < now ? at : now
    for (const [token] of token_uses) this.#usedTokens.set(token, moment)
    for (const count of traffic) this.#add(minuteOf(moment), count.endpoint_id, toCounts(count))
  }

  /** What gateways that run alone counted, in the minutes in which they did. */
  recordMinutes({ traffic, token_uses, tool_calls }: RemoteCounts): void {
    this.#tools.record(tool_calls)
    const now = this.#options.clock.now().toISOString()
    const latest = (at: string) => (at < now ? at : now)
    for (const [token, at] of token_uses) this.#usedTokens.set(token, latest(at))
    for (const { minute, ...count } of traffic)
      this.#add(minuteOf(latest(minute)), count.endpoint_id, toCounts({ ...count, duration_ms: 0 }))
  }

  /** Settles when everything that was recorded before has been written, or could not be. Never rejects. */
  flush(): Promise<void> {
    this.#flushing = this.#flushing.then(() => this.#write())
    return this.#flushing
  }

  #add(minute: string, endpointId: number, counts: TrafficCounts): void {
    const endpoints = getOrCreate(this.#pending, minute, () => new Map<number, TrafficCounts>())
    const known = endpoints.get(endpointId)
    if (known) return addCounts(known, counts)
    if (this.#pendingRows >= pendingMax) return
    this.#pendingRows++
    endpoints.set(endpointId, counts)
  }

  async #write(): Promise<void> {
    const pending = this.#pending
    const tokens = this.#usedTokens
    this.#pending = new Map()
    this.#pendingRows = 0
    this.#usedTokens = new Map()
    try {
      await this.#touch(tokens)
      await this.#tools.write()
      for (const [minute, endpoints] of pending) {
        await this.#writeMinute(minute, endpoints)
        pending.delete(minute)
      }
      await this.#prune()
    } catch (error) {
      this.#options.log.error({ err: error }, 'traffic figures could not be written')
      for (const [minute, endpoints] of pending)
        for (const [endpointId, counts] of endpoints) this.#add(minute, endpointId, counts)
      for (const [token, at] of tokens)
        if (!this.#usedTokens.has(token)) this.#usedTokens.set(token, at)
    }
  }

  /** Writes in parts, each with its share of the totals, and removes what is written. */
  async #writeMinute(minute: string, endpoints: Map<number, TrafficCounts>): Promise<void> {
    // In order of their ids: servers that write at once must not deadlock.
    const entries = [...endpoints].toSorted(([a], [b]) => a - b)
    for (let at = 0; at < entries.length; at += transactionRows) {
      const part = entries.slice(at, at + transactionRows)
      await this.#options.inTransaction(async ({ traffic }) => {
        const apis = await traffic.apisOf(part.map(([id]) => id))
        const all = [...totalsOf(part, apis), ...part].toSorted(([a], [b]) => a - b)
        const rowsOf = (start: string) => all.map(([id, counts]) => toTrafficRow(start, id, counts))
        await traffic.add('traffic_minute', rowsOf(minute))
        await traffic.add('traffic_hour', rowsOf(hourOf(minute)))
        const ofEndpoints = part.filter(([id]) => id > 0)
        await traffic.add(
          'traffic_day',
          ofEndpoints.map(([id, counts]) => toTrafficRow(dayOf(minute), id, counts)),
        )
      })
      for (const [id] of part) endpoints.delete(id)
    }
  }

  /** Writes those of about the same time together, with the latest time, and removes what is written. */
  async #touch(tokens: Map<number, string>): Promise<void> {
    for (const group of Map.groupBy(tokens, ([, at]) => tenSecondsOf(at)).values()) {
      const used = group.toSorted(([a], [b]) => a - b)
      const last = used.map(([, at]) => at).reduce((one, other) => (one > other ? one : other))
      for (let at = 0; at < used.length; at += tokensPerUpdate) {
        const ids = used.slice(at, at + tokensPerUpdate).map(([id]) => id)
        await this.#options.inTransaction((stores) => stores.tokens.touch(ids, last))
        for (const id of ids) tokens.delete(id)
      }
    }
  }

  /** Once a minute. */
  async #prune(): Promise<void> {
    const now = this.#options.clock.now()
    const minute = minuteOf(now.toISOString())
    if (minute === this.#prunedMinute) return
    const before = (ageMs: number) => new Date(now.getTime() - ageMs).toISOString()
    await this.#options.inTransaction(async ({ traffic }) => {
      await traffic.removeBefore('traffic_minute', before(keepMinutesMs))
      await traffic.removeBefore('traffic_hour', before(keepHoursMs))
      await traffic.removeBefore('traffic_day', before(keepHoursMs))
    })
    await this.#tools.removeBefore(before(keepHoursMs))
    this.#prunedMinute = minute
  }
}

/** What all of these endpoints counted, and those of each API. */
function totalsOf(
  part: readonly (readonly [number, TrafficCounts])[],
  apis: readonly { id: number; api_id: number }[],
): Map<number, TrafficCounts> {
  const apiOf = new Map(apis.map(({ id, api_id }) => [id, api_id]))
  const totals = new Map<number, TrafficCounts>()
  for (const [id, counts] of part) {
    addCounts(getOrCreate(totals, allEndpoints, noCounts), counts)
    const api = apiOf.get(id)
    if (api !== undefined) addCounts(getOrCreate(totals, allOfApi(api), noCounts), counts)
  }
  return totals
}

function getOrCreate<K, V>(map: Map<K, V>, key: K, create: () => V): V {
  const known = map.get(key)
  if (known !== undefined) return known
  const created = create()
  map.set(key, created)
  return created
}
