import type { DocumentState } from '@gatehouse/contract'
import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { withoutIndex } from '../../db/dialect.ts'
import { quarterEnd, quarterMs, quarterOf } from '../../db/quarters.ts'

export type DocumentCountStore = ReturnType<typeof documentCountStore>

export interface DayCount {
  /** The number of the day, from 0. */
  day: number
  /** 0: the API is not known. */
  api_id: number
  state: DocumentState
  documents: number
}

export interface UndecidedCount {
  api_id: number
  state: 'unknown' | 'pending'
  documents: number
  oldest_at: string
}

/** After everything that was counted; before every document where nothing was. */
const line = sql<string>`coalesce((select ${quarterEnd('at')} from document_quarter
  order by at desc limit 1), '')`

/**
 * Real documents by authority, state and the day on which they were created. What was created in quarters of
 * an hour that are over is counted once (`document_quarter`) and kept. A change to one of these documents marks its
 * quarter (`document_recount`, by triggers), which then is counted with each read until it is counted again.
 */
export function documentCountStore(db: Db) {
  const isReal = sql`${withoutIndex(db, 'document.is_test')} = 0`
  const counted = (where: ReturnType<typeof sql>) =>
    sql`select ${quarterOf('created_at')}, coalesce(api_id, 0), state, count(*) from document
      where ${isReal} and ${where} group by 1, 2, 3`

  return {
    /** Exact. The days begin and end with a quarter of an hour: n + 1 moments for n days, without gaps. */
    countByDay: async (bounds: readonly string[]): Promise<DayCount[]> => {
      const days = bounds
        .slice(0, -1)
        .map((from, day) => sql`(${sql.lit(day)}, ${momentBefore(from)}, ${bounds[day + 1]})`)
      const { rows } = await sql<DayCount>`
        with span (day, after, until) as (values ${sql.join(days)}),
          marked as (select distinct at from document_recount where at <= ${line}),
          part as (
            select day, api_id, state, documents from span
              join document_quarter as quarter on quarter.at > after and quarter.at < until
              where quarter.at not in (select at from marked)
            union all
            select day, api_id, state, 1 from marked
              join span on at > after and at < until
              join document on created_at >= at and created_at <= ${quarterEnd('at')}
              where ${isReal}
            union all
            select day, api_id, state, 1 from span
              join document on created_at < until
                and created_at > case when after > ${line} then after else ${line} end
              where ${isReal})
        select day, coalesce(api_id, 0) as api_id, state, cast(sum(documents) as integer) as documents
          from part group by 1, 2, 3`.execute(db)
      return rows
    },
    /** What is unknown or pending, of whatever day. */
    countUndecided: async (): Promise<UndecidedCount[]> => {
      const { rows } =
        await sql<UndecidedCount>`select coalesce(api_id, 0) as api_id, state, documents, oldest_at from (
          select api_id, state, count(*) as documents, min(created_at) as oldest_at from document
          where state in ('unknown', 'pending') and is_test = 0 group by state, api_id) as undecided`.execute(
          db,
        )
      return rows
    },
    /** The quarter of the first document after what was counted, but not before `from`; undefined: there is none. */
    findUncounted: async (from: string): Promise<string | undefined> => {
      const before = momentBefore(from)
      const { rows } = await sql<{
        at: string
      }>`select ${quarterOf('created_at')} as at from document
        where created_at > case when ${before} > ${line} then ${before} else ${line} end
        order by created_at limit 1`.execute(db)
      return rows[0]?.at
    },
    /** Counts the quarters from one moment to before another. */
    count: async (from: string, to: string): Promise<void> => {
      await sql`insert into document_quarter (at, api_id, state, documents)
        ${counted(sql`created_at >= ${from} and created_at < ${to}`)}`.execute(db)
    },
    /** Marks, with the quarters that have them; at most so many. */
    listMarks: (limit: number) =>
      db.selectFrom('document_recount').selectAll().orderBy('id').limit(limit).execute(),
    /**
     * Counts a quarter again. Call it in a transaction, and remove only marks that were seen before: a change
     * that is committed later has a mark of its own.
     */
    recount: async (at: string): Promise<void> => {
      const { numDeletedRows } = await db
        .deleteFrom('document_quarter')
        .where('at', '=', at)
        .executeTakeFirst()
      if (numDeletedRows === 0n) return
      await sql`insert into document_quarter (at, api_id, state, documents)
        ${counted(sql`created_at >= ${at} and created_at <= ${sql.lit(endOf(at))}`)}`.execute(db)
    },
    removeMarks: async (ids: readonly number[]): Promise<void> => {
      await db.deleteFrom('document_recount').where('id', 'in', ids).execute()
    },
    removeBefore: async (at: string): Promise<void> => {
      await db.deleteFrom('document_quarter').where('at', '<', at).execute()
    },
  }
}

/** SQLite asks an index for one bound on each side, so that all lower bounds are exclusive. */
const momentBefore = (at: string) => new Date(Date.parse(at) - 1).toISOString()
const endOf = (at: string) => new Date(Date.parse(at) + quarterMs - 1).toISOString()
