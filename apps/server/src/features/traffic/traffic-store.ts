import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { withoutIndex } from '../../db/dialect.ts'
import { bucketColumns, type Row } from '../../db/tables.ts'
import type { TrafficCounts } from './traffic-counts.ts'

export type TrafficStore = ReturnType<typeof trafficStore>
export type TrafficTableName = 'traffic_minute' | 'traffic_hour'

/** All requests together; `endpoint_id` 0 is for requests without an endpoint. */
export const allEndpoints = -1

const sumColumns = [
  'requests',
  'refused',
  'errors',
  'bytes_in',
  'bytes_out',
  ...bucketColumns,
] as const

/** All requests at the endpoints that an API had then. */
export const allOfApi = (apiId: number) => allEndpoints - apiId

/** Rows of one statement; a fixed number keeps the prepared statements few. */
const batchRows = [100, 10, 1] as const

export function trafficStore(db: Db) {
  /** PostgreSQL sums bigint to numeric, which arrives as text. */
  const sums = sumColumns.map((column) =>
    sql<number>`cast(sum(${sql.ref(column)}) as bigint)`.as(column),
  )
  const since = (table: TrafficTableName, from: string) =>
    db.selectFrom(table as 'traffic_minute').where('at', '>=', from)

  const isOf = (apiId: number) =>
    sql<boolean>`endpoint_id in (select id from endpoint where api_id = ${apiId})`

  const upsert = (table: TrafficTableName, rows: readonly Row<'traffic_minute'>[]) =>
    db
      .insertInto(table as 'traffic_minute')
      .values(rows)
      .onConflict((conflict) =>
        conflict
          .columns(['at', 'endpoint_id'])
          .doUpdateSet(
            Object.fromEntries(
              sumColumns.map((column) => [
                column,
                sql<number>`${sql.ref(`${table}.${column}`)} + ${sql.ref(`excluded.${column}`)}`,
              ]),
            ),
          ),
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
    /** The endpoints with the most of something, most first; of one API where it is given. */
    listTop: async (
      table: TrafficTableName,
      from: string,
      column: 'requests' | 'errors',
      { apiId, limit }: { apiId: number | undefined; limit: number },
    ) => {
      const rows = await since(table, from)
        .where(
          apiId === undefined ? sql<boolean>`${withoutIndex(db, 'endpoint_id')} > 0` : isOf(apiId),
        )
        .where(column, '>', 0)
        .select(['endpoint_id', sql<number>`cast(sum(${sql.ref(column)}) as bigint)`.as('most')])
        .groupBy('endpoint_id')
        .orderBy('most', 'desc')
        .orderBy('endpoint_id')
        .limit(limit)
        .execute()
      return rows.map((row) => row.endpoint_id)
    },
    sumsOf: async (table: TrafficTableName, from: string, endpointIds: readonly number[]) =>
      endpointIds.length === 0
        ? []
        : await since(table, from)
            .where('endpoint_id', 'in', endpointIds)
            .select('endpoint_id')
            .select(sums)
            .groupBy('endpoint_id')
            .execute(),
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

export function toTrafficRow(
  at: string,
  endpoint_id: number,
  { buckets, ...counts }: TrafficCounts,
): Row<'traffic_minute'> {
  const columns = bucketColumns.map((column, bucket) => [column, buckets[bucket] ?? 0])
  return {
    at,
    endpoint_id,
    ...counts,
    ...(Object.fromEntries(columns) as Record<(typeof bucketColumns)[number], number>),
  }
}

export const bucketsOf = (row: Record<(typeof bucketColumns)[number], number>) =>
  bucketColumns.map((column) => row[column])
