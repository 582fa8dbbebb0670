import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { idList, isAmong, withoutIndex } from '../../db/dialect.ts'
import { bucketColumns, type Row } from '../../db/tables.ts'
import { addedUp, summed } from './bucket-rows.ts'

export type TrafficStore = ReturnType<typeof trafficStore>
export type TrafficTableName = 'traffic_minute' | 'traffic_hour' | 'traffic_day'

/** The rows of a table from a time on, up to another. */
export interface TrafficPart {
  table: TrafficTableName
  from: string
  before?: string
}

/** All requests together; `endpoint_id` 0 is for requests without an endpoint. */
export const allEndpoints = -1

const sumColumns = [
  'requests',
  'refused',
  'errors',
  'bytes_in',
  'bytes_out',
  'cache_hits',
  'cache_misses',
  'cache_saved_ms',
  ...bucketColumns,
] as const

/** All requests at the endpoints that an API had then. */
export const allOfApi = (apiId: number) => allEndpoints - apiId

/** What an endpoint did in parts of a time together. */
export type TrafficSums = Omit<Row<'traffic_minute'>, 'at'>

function rowsOf(
  { table, from, before }: TrafficPart,
  columns: RawBuilder<unknown>,
  which: RawBuilder<unknown>,
) {
  const end = before === undefined ? sql`` : sql`and at < ${before}`
  return sql`select ${columns} from ${sql.table(table)} where at >= ${from} ${end} and ${which}`
}

const fewEndpoints = 1_000

/** Rows of one statement; a fixed number keeps the prepared statements few. */
const batchRows = [100, 10, 1] as const

export function trafficStore(db: Db) {
  const sums = summed(sumColumns)
  const since = (table: TrafficTableName, from: string) =>
    db.selectFrom(table as 'traffic_minute').where('at', '>=', from)

  /** The rows of an API with few endpoints are found by these, those of one with many by their time. */
  const isOf = async (apiId: number) => {
    const ids = sql`select id from endpoint where api_id = ${apiId}`
    const { rows } = await sql`${ids} limit 1 offset ${fewEndpoints}`.execute(db)
    return rows.length === 0
      ? sql`endpoint_id in (${ids})`
      : sql`exists (${ids} and id = endpoint_id)`
  }

  const upsert = (table: TrafficTableName, rows: readonly Row<'traffic_minute'>[]) =>
    db
      .insertInto(table as 'traffic_minute')
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(['at', 'endpoint_id']).doUpdateSet(addedUp(table, sumColumns)),
      )
      .execute()

  return {
    /** Adds to what is there already. */
    add: async (table: TrafficTableName, rows: readonly Row<'traffic_minute'>[]) => {
      let at = 0
      for (const size of batchRows)
        for (; rows.length - at >= size; at += size) await upsert(table, rows.slice(at, at + size))
    },
    removeBefore: async (table: TrafficTableName, before: string) => {
      await db
        .deleteFrom(table as 'traffic_minute')
        .where('at', '<', before)
        .execute()
    },
    /** The rows of one id together, by the first `length` characters of the time. */
    series: (table: TrafficTableName, from: string, id: number, length: number) =>
      since(table, from)
        .where('endpoint_id', '=', id)
        .select(sql<string>`substr(at, 1, ${sql.lit(length)})`.as('span'))
        .select(sums)
        .groupBy('span')
        .orderBy('span')
        .execute(),
    countUnmatched: async (table: TrafficTableName, from: string) => {
      const { requests } = await since(table, from)
        .where('endpoint_id', '=', 0)
        .select(sql<number | null>`cast(sum(requests) as bigint)`.as('requests'))
        .executeTakeFirstOrThrow()
      return requests ?? 0
    },
    /**
     * The endpoints with the most requests, and those with the most errors, most first: `limit` of each at most;
     * of one API where it is given. Parts of a time add up.
     */
    listTops: async (
      parts: readonly TrafficPart[],
      { apiId, limit }: { apiId: number | undefined; limit: number },
    ) => {
      const which =
        apiId === undefined ? sql`${withoutIndex(db, 'endpoint_id')} > 0` : await isOf(apiId)
      // One look at the rows for both.
      const { rows } = await sql<{ endpoint_id: number; busy: number; failing: number }>`
        with summed as (select endpoint_id, sum(requests) as requests, sum(errors) as errors
          from (${sql.join(
            parts.map((part) => rowsOf(part, sql`endpoint_id, requests, errors`, which)),
            sql` union all `,
          )}) as parts group by endpoint_id),
        placed as (select endpoint_id, requests, errors,
          row_number() over (order by requests desc, endpoint_id) as busy,
          row_number() over (order by errors desc, endpoint_id) as failing from summed)
        select endpoint_id, case when requests > 0 then busy else 0 end as busy,
          case when errors > 0 then failing else 0 end as failing
        from placed where busy <= ${limit} or failing <= ${limit}`.execute(db)
      const top = (place: 'busy' | 'failing') =>
        rows
          .filter((row) => row[place] > 0 && row[place] <= limit)
          .toSorted((a, b) => a[place] - b[place])
          .map((row) => row.endpoint_id)
      return { busiest: top('busy'), failing: top('failing') }
    },
    sumsOf: async (parts: readonly TrafficPart[], endpointIds: readonly number[]) => {
      if (endpointIds.length === 0) return []
      const which = isAmong(db, 'endpoint_id', idList(db, endpointIds))
      const { rows } =
        await sql<TrafficSums>`select endpoint_id, ${sql.join(sums)} from (${sql.join(
          parts.map((part) => rowsOf(part, sql`*`, which)),
          sql` union all `,
        )}) as parts group by endpoint_id`.execute(db)
      return rows
    },
    /** The minutes from a time on of the APIs that have had an error since another; the newest first. */
    minutesOfFailing: (from: string, errorsSince: string, apiId?: number) => {
      const failing = since('traffic_minute', errorsSince)
        .where('errors', '>', 0)
        .where('endpoint_id', '<', allEndpoints)
        .$if(apiId !== undefined, (query) =>
          query.where('endpoint_id', '=', allOfApi(apiId as number)),
        )
        .select('endpoint_id')
      return since('traffic_minute', from)
        .where('endpoint_id', 'in', failing)
        .select(['at', 'requests', 'errors'])
        .select(sql<number>`${sql.lit(allEndpoints)} - endpoint_id`.as('api_id'))
        .orderBy('at', 'desc')
        .execute()
    },
    /** The APIs of these endpoints. */
    apisOf: (endpointIds: readonly number[]) =>
      db
        .selectFrom('endpoint')
        .select(['id', 'api_id'])
        .where('id', 'in', [...endpointIds, 0])
        .execute(),
    namesOf: (endpointIds: readonly number[]) =>
      db
        .selectFrom('endpoint')
        .innerJoin('api', 'api.id', 'endpoint.api_id')
        .select([
          'endpoint.id',
          'endpoint.summary',
          'endpoint.method_type',
          'endpoint.path',
          'api.name as api',
          'api.context',
        ])
        .where('endpoint.id', 'in', [...endpointIds, 0])
        .execute(),
    namesOfApis: (apiIds: readonly number[]) =>
      db
        .selectFrom('api')
        .select(['id', 'name'])
        .where('id', 'in', [...apiIds, 0])
        .execute(),
  }
}
