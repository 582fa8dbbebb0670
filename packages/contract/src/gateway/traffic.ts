import { z } from 'zod'
import type { CacheCounts } from './cache-counts.ts'
import { idMax } from '../kernel/fields.ts'
import { defineRoute } from '../kernel/route.ts'

/** Points of a minute over an hour, of ten minutes over a day, of an hour over a week. */
const trafficRanges = ['hour', 'day', 'week'] as const
export type TrafficRange = (typeof trafficRanges)[number]

/** Percentiles are read from histogram buckets, and so are estimates within a bucket's width. */
const figures = {
  requests: z.number().int(),
  /** Answered 5xx, or cut off. */
  errors: z.number().int(),
  /** Answered 4xx. */
  refused: z.number().int(),
  /** In ms; null where there was no request. */
  p50: z.number().nullable(),
  p95: z.number().nullable(),
  p99: z.number().nullable(),
}

const trafficPoint = z.object({
  /** Begin of the span that it stands for, ISO 8601 UTC. */
  at: z.string(),
  ...figures,
})
export type TrafficPoint = z.output<typeof trafficPoint>

const trafficEndpoint = z.object({
  endpoint_id: z.number().int(),
  /** Null: deleted since. */
  summery: z.string().nullable(),
  api: z.string().nullable(),
  method_type: z.string().nullable(),
  /** As clients call it: `/context/path`. */
  path: z.string().nullable(),
  ...figures,
})
export type TrafficEndpoint = z.output<typeof trafficEndpoint>

/** A circuit breaker that is open in workers of these servers: they refuse requests for the API, or try one now and then. */
const openBreaker = z.object({
  api_id: z.number().int(),
  api: z.string(),
  /** When the first of them opened. No call has succeeded there since. */
  since: z.string(),
  servers: z.array(z.object({ name: z.string(), workers: z.number().int() })),
})
export type OpenBreaker = z.output<typeof openBreaker>

/** An API to which requests fail now: at least one in twenty, since no two minutes in a row went without an error. */
const failingApi = z.object({
  api_id: z.number().int(),
  api: z.string(),
  /** The minute of the first error, within the last hour. */
  since: z.string(),
  /** Since then. */
  requests: z.number().int(),
  errors: z.number().int(),
})
export type FailingApi = z.output<typeof failingApi>

const trafficAnswer = z.object({
  range: z.enum(trafficRanges),
  step_seconds: z.number().int(),
  /** Oldest first, without gaps; the last point is still filling. */
  series: z.array(trafficPoint),
  totals: z.object({
    ...figures,
    bytes_in: z.number().int(),
    bytes_out: z.number().int(),
    /** Requests that met no endpoint; 0 for one API. */
    unmatched: z.number().int(),
    cache: z.object({
      hits: z.number().int(),
      misses: z.number().int(),
      saved_ms: z.number().int(),
    }) satisfies z.ZodType<CacheCounts>,
  }),
  /** Most requests first, ten at most. */
  busiest: z.array(trafficEndpoint),
  /** Most errors first, ten at most; without errors, none. */
  failing: z.array(trafficEndpoint),
  /** Whatever the range, most errors first, ten at most. */
  failing_now: z.array(failingApi),
  /** Circuit breakers that are open now, the oldest first; 100 at most. */
  open_breakers: z.array(openBreaker),
})
export type TrafficAnswer = z.output<typeof trafficAnswer>

export const showTraffic = defineRoute({
  method: 'GET',
  path: '/api/traffic',
  access: 'dashboard.view',
  tag: 'Gateway',
  summary: 'Requests, errors and latencies of the gateway over the last hour, day or week',
  query: z.object({
    range: z.enum(trafficRanges).default('hour'),
    /** The requests that met an endpoint of this API; all of them unless given. */
    api_id: z.coerce.number().int().positive().max(idMax).optional(),
  }),
  response: trafficAnswer,
})
