import type {
  FailingApi,
  TrafficAnswer,
  TrafficEndpoint,
  TrafficPoint,
  TrafficRange,
} from '@gatehouse/contract'
import type { Clock } from '../../kernel/clock.ts'
import { bucketsOf } from './bucket-rows.ts'
import { addCounts, noCounts, percentile, type TrafficCounts } from './traffic-counts.ts'
import { failingStreak } from './failing-streak.ts'
import {
  allEndpoints,
  allOfApi,
  type TrafficPart,
  type TrafficStore,
  type TrafficSums,
  type TrafficTableName,
} from './traffic-store.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
const shown = 10

interface Range {
  /** Points of the series: how long each is, how many there are, how many characters of a time name one. */
  stepMs: number
  points: number
  spanLength: number
  series: TrafficTableName
  /** Where the endpoints' figures come from: rows of hours and of days, where those of minutes would be too many. */
  endpoints: (first: number) => TrafficPart[]
}

const ranges: Record<TrafficRange, Range> = {
  hour: {
    stepMs: minuteMs,
    points: 60,
    spanLength: 'yyyy-mm-ddThh:mm'.length,
    series: 'traffic_minute',
    endpoints: (first) => [since('traffic_minute', first)],
  },
  day: {
    stepMs: 10 * minuteMs,
    points: 144,
    spanLength: 'yyyy-mm-ddThh:m'.length,
    series: 'traffic_minute',
    // The whole hour of the first point counts.
    endpoints: (first) => [since('traffic_hour', floor(first, hourMs))],
  },
  week: {
    stepMs: hourMs,
    points: 168,
    spanLength: 'yyyy-mm-ddThh'.length,
    series: 'traffic_hour',
    endpoints: (first) => {
      const days = since('traffic_day', Math.ceil(first / dayMs) * dayMs)
      return [{ ...since('traffic_hour', first), before: days.from }, days]
    },
  },
}

type EndpointName = Awaited<ReturnType<TrafficStore['namesOf']>>[number]

/** The figures of the gateway as they were written, a few seconds ago at most. */
export class TrafficService {
  readonly #traffic: TrafficStore
  readonly #clock: Clock

  constructor(traffic: TrafficStore, clock: Clock) {
    this.#traffic = traffic
    this.#clock = clock
  }

  /** Of all requests, or of those at the endpoints of one API. */
  async show(name: TrafficRange, apiId?: number): Promise<Omit<TrafficAnswer, 'open_breakers'>> {
    const range = ranges[name]
    const last = floor(this.#clock.now().getTime(), range.stepMs)
    const first = last - (range.points - 1) * range.stepMs
    const from = new Date(first).toISOString()
    const spans = await this.#spans(range, from, apiId)
    const totals = noCounts()
    for (const counts of spans.values()) addCounts(totals, counts)
    return {
      range: name,
      step_seconds: range.stepMs / 1000,
      series: Array.from({ length: range.points }, (_, point) =>
        toPoint(new Date(first + point * range.stepMs).toISOString(), range, spans),
      ),
      totals: {
        ...figuresOf(totals),
        bytes_in: totals.bytes_in,
        bytes_out: totals.bytes_out,
        cache: {
          hits: totals.cache_hits,
          misses: totals.cache_misses,
          saved_ms: totals.cache_saved_ms,
        },
        unmatched: apiId ? 0 : await this.#traffic.countUnmatched(range.series, from),
      },
      ...(await this.#tops(range.endpoints(first), apiId)),
      failing_now: await this.#failingNow(apiId),
    }
  }

  async #failingNow(apiId?: number): Promise<FailingApi[]> {
    const ago = (ms: number) => new Date(this.#clock.now().getTime() - ms).toISOString()
    const minutes = await this.#traffic.minutesOfFailing(ago(hourMs), ago(15 * minuteMs), apiId)
    const ofApis = [...Map.groupBy(minutes, ({ api_id }) => api_id)]
    const streaks = ofApis
      .flatMap(([id, own]) => {
        const streak = failingStreak(own)
        return streak ? [{ api_id: id, ...streak }] : []
      })
      .toSorted((one, other) => other.errors - one.errors || one.api_id - other.api_id)
      .slice(0, shown)
    const names = await this.#traffic.namesOfApis(streaks.map(({ api_id }) => api_id))
    // An API that was deleted meanwhile fails no more.
    return streaks.flatMap((streak) => {
      const api = names.find(({ id }) => id === streak.api_id)
      return api ? [{ ...streak, api: api.name }] : []
    })
  }

  async #spans(range: Range, from: string, apiId?: number): Promise<Map<string, TrafficCounts>> {
    const id = apiId === undefined ? allEndpoints : allOfApi(apiId)
    const rows = await this.#traffic.series(range.series, from, id, range.spanLength)
    return new Map(rows.map((row) => [row.span, { ...row, buckets: bucketsOf(row) }]))
  }

  async #tops(parts: TrafficPart[], apiId?: number) {
    const { busiest, failing } = await this.#traffic.listTops(parts, { apiId, limit: shown })
    const ids = [...new Set([...busiest, ...failing])]
    const names = new Map((await this.#traffic.namesOf(ids)).map((row) => [row.id, row]))
    const sums = await this.#traffic.sumsOf(parts, ids)
    const shownAs = new Map(
      sums.map((row) => [row.endpoint_id, toEndpoint(row, names.get(row.endpoint_id))]),
    )
    const inOrder = (top: readonly number[]) => top.flatMap((id) => shownAs.get(id) ?? [])
    return { busiest: inOrder(busiest), failing: inOrder(failing) }
  }
}

const since = (table: TrafficTableName, from: number): TrafficPart => ({
  table,
  from: new Date(from).toISOString(),
})

const floor = (moment: number, step: number) => Math.floor(moment / step) * step

function toPoint(
  at: string,
  { spanLength }: Range,
  spans: ReadonlyMap<string, TrafficCounts>,
): TrafficPoint {
  return { at, ...figuresOf(spans.get(at.slice(0, spanLength)) ?? noCounts()) }
}

const figuresOf = ({ requests, errors, refused, buckets }: TrafficCounts) => ({
  requests,
  errors,
  refused,
  p50: percentile(buckets, 0.5),
  p95: percentile(buckets, 0.95),
  p99: percentile(buckets, 0.99),
})

const toEndpoint = (row: TrafficSums, name: EndpointName | undefined): TrafficEndpoint => ({
  endpoint_id: row.endpoint_id,
  summery: name?.summary ?? null,
  api: name?.api ?? null,
  method_type: name?.method_type ?? null,
  path: name ? `/${name.context}${name.path}` : null,
  ...figuresOf({ ...row, buckets: bucketsOf(row) }),
})
