import type { DocumentState } from '@gatehouse/contract'
import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { isPostgres, withoutIndex } from '../../db/dialect.ts'
import { quarterEnd, quarterMs, quarterOf } from '../../db/quarters.ts'
import type { Row } from '../../db/tables.ts'

interface DayCount {
  /** The number of the day, from 0. */
  day: number
  /** 0: the API is not known. */
  api_id: number
  register: string
  state: DocumentState
  documents: number
}

interface UndecidedCount {
  api_id: number
  register: string
  state: 'unknown' | 'pending'
  documents: number
  oldest_at: string
}

/** The end of what was counted; before every document where nothing was. */
const line = sql<string>`coalesce((select ${quarterEnd('at')} from document_quarter
  order by at desc limit 1), '')`

/**
 * Real documents by authority, register, state and the day on which they were created. What was created in quarters of
 * an hour that are over is counted once (`document_quarter`) and kept. A later change to one of these documents is
 * noted by triggers as what it adds and takes (`document_change`), and added to the counts afterwards.
 */
export function documentCountStore(db: Db) {
  const isReal = sql`${withoutIndex(db, 'document.is_test')} = 0`

  return {
    /** Exact. The days begin and end with a quarter of an hour: n + 1 moments for n days, without gaps. */
    countByDay: async (bounds: readonly string[]): Promise<DayCount[]> => {
      const days = bounds
        .slice(0, -1)
        .map((from, day) => sql`(${sql.lit(day)}, ${momentBefore(from)}, ${bounds[day + 1]})`)
      const { rows } = await sql<DayCount>`
        with span (day, after, until) as (values ${sql.join(days)}),
          part as (
            select day, api_id, register, state, documents from span
              join document_quarter as quarter on quarter.at > after and quarter.at < until
            union all
            select day, api_id, register, state, documents from document_change
              join span on at > after and at < until
              where at <= ${line}
            union all
            select day, api_id, register, state, 1 from span
              join document on created_at < until
                and created_at > case when after > ${line} then after else ${line} end
              where ${isReal})
        select day, coalesce(api_id, 0) as api_id, register, state, cast(sum(documents) as integer) as documents
          from part group by 1, 2, 3, 4 having sum(documents) > 0`.execute(db)
      return rows
    },
    /** What is unknown or pending, of whatever day. */
    countUndecided: async (): Promise<UndecidedCount[]> => {
      const { rows } =
        await sql<UndecidedCount>`select coalesce(api_id, 0) as api_id, register, state, documents, oldest_at from (
          select api_id, register, state, count(*) as documents, min(created_at) as oldest_at from document
          where state in ('unknown', 'pending') and is_test = 0 group by state, api_id, register) as undecided`.execute(
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
    /**
     * Counts the quarters from one moment to before another, after all that were counted. From then on they are
     * counted, also where no real document is in them.
     */
    count: async (from: string, to: string): Promise<void> => {
      const counting = sql`insert into document_quarter (at, api_id, register, state, documents)
        select ${quarterOf('created_at')}, coalesce(api_id, 0), register, state, count(*) from document
        where ${isReal} and created_at >= ${from} and created_at < ${to} group by 1, 2, 3, 4`
      // They are counted with their documents: both are read as they are at one moment.
      const noted = sql`delete from document_change where at > ${line} and at < ${to}`
      if (isPostgres(db)) await sql`with gone as (${noted}) ${counting}`.execute(db)
      else {
        await noted.execute(db)
        await counting.execute(db)
      }
      const last = new Date(Date.parse(to) - quarterMs).toISOString()
      await sql`insert into document_quarter (at, api_id, state, documents) select ${last}, 0, 'open', 0
        where not exists (select 1 from document_quarter where at >= ${last})`.execute(db)
    },
    /**
     * Adds changes to the counts, a number of them at most, and returns how many there were. What another server
     * adds at the same time is not added twice.
     */
    addChanges: async (limit: number): Promise<number> => {
      const some = sql`select id from document_change where at <= ${line} order by id limit ${limit}`
      const { rows } = await sql<QuarterCount>`delete from document_change where id in (${some})
        returning at, api_id, register, state, documents`.execute(db)
      const sums = sumsOf(rows)
      if (sums.length > 0) await addTo(db, sums)
      return rows.length
    },
    removeBefore: async (at: string): Promise<void> => {
      await db.deleteFrom('document_quarter').where('at', '<', at).execute()
      await db.deleteFrom('document_change').where('at', '<', at).execute()
    },
  }
}

type QuarterCount = Row<'document_quarter'>

/** Many changes are of the same quarter, API, register and state. */
function sumsOf(changes: readonly QuarterCount[]): QuarterCount[] {
  const sums = new Map<string, QuarterCount>()
  for (const change of changes) {
    const key = JSON.stringify([change.at, change.api_id, change.register, change.state])
    const documents = (sums.get(key)?.documents ?? 0) + change.documents
    sums.set(key, { ...change, documents })
  }
  return [...sums.values()].filter(({ documents }) => documents !== 0)
}

async function addTo(db: Db, sums: readonly QuarterCount[]): Promise<void> {
  await db
    .insertInto('document_quarter')
    .values([...sums])
    .onConflict((conflict) =>
      conflict.columns(['at', 'api_id', 'register', 'state']).doUpdateSet({
        documents: sql`document_quarter.documents + excluded.documents`,
      }),
    )
    .execute()
  await db
    .deleteFrom('document_quarter')
    .where('documents', '=', 0)
    .where('at', 'in', [...new Set(sums.map(({ at }) => at))])
    .execute()
}

/** SQLite asks an index for one bound on each side, so that all lower bounds are exclusive. */
const momentBefore = (at: string) => new Date(Date.parse(at) - 1).toISOString()
