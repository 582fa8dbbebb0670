import type { RunKind, RunState, RunWork } from '@gatehouse/contract'
import { sql } from 'kysely'
import type { Db } from '../../../db/connect.ts'
import {
  directionOf,
  inOrderOf,
  isSearchAlone,
  walkTo,
  type ListQuery,
} from '../../../db/listing.ts'
import { areManyHits, beside, countHolders, holdsText, holdsTextOften } from '../../../db/search.ts'
import { openStates } from '../ledger/run-store.ts'

export type RunHistoryStore = ReturnType<typeof runHistoryStore>

export interface RunFilter extends ListQuery {
  kind?: RunKind | '' | undefined
  state?: RunState | '' | undefined
  test?: '0' | '1' | '' | undefined
  from?: string | undefined
  to?: string | undefined
  endpoint?: number | undefined
  work?: RunWork | '' | undefined
  reference: string
  user: string
  key: string
}

type Column = 'id' | 'created_at' | 'finished_at' | 'state' | 'kind' | 'user_name'

/** Reads the history; every filter except the search has an index. */
export function runHistoryStore(db: Db) {
  const filtered = (filter: RunFilter, holds = holdsText) => {
    let query = db.selectFrom('run')
    const { kind, state, test, from, to, reference, user, key, search } = filter
    if (kind) query = query.where('kind', '=', kind)
    if (state) query = query.where('state', '=', state)
    if (test) query = query.where('is_test', '=', test === '1' ? 1 : 0)
    if (from) query = query.where('created_at', '>=', startOf(from))
    if (to) query = query.where('created_at', '<=', endOf(to))
    if (key) query = query.where('client_key', '=', key)
    if (reference) query = query.where(beginsWith('reference', reference))
    if (user) {
      query = /^\d{1,15}$/.test(user)
        ? query.where('user_id', '=', Number(user))
        : query.where(beginsWith('user_name', user))
    }
    if (filter.work === 'closed') query = query.where('closed_at', 'is not', null)
    if (filter.work === 'overtaken') query = query.where('overtaken_by', 'is not', null)
    if (filter.work === 'open') {
      query = query
        .where('state', 'in', [...openStates, 'unknown'])
        .where('overtaken_by', 'is', null)
        .where('closed_at', 'is', null)
    }
    if (filter.endpoint) {
      query = query.where('id', 'in', (select) =>
        select
          .selectFrom('run_step')
          .select('run_id')
          .where('endpoint_id', '=', filter.endpoint ?? 0),
      )
    }
    if (search) query = query.where(found(db, search, holds))
    return query
  }

  const looking = async (filter: RunFilter) =>
    filter.search && !isSearchAlone(filter) ? beside(db, 'run', filter.search) : holdsText

  const count = async (filter: RunFilter, holds = looking(filter)): Promise<number> => {
    const hits =
      runNumber(filter.search) === undefined && isSearchAlone(filter)
        ? await countHolders(db, 'run', filter.search)
        : undefined
    if (hits !== undefined) return hits
    const { total } = await filtered(filter, await holds)
      .select(sql<number>`count(*)`.as('total'))
      .executeTakeFirstOrThrow()
    return total
  }

  return {
    /**
     * Newest first unless another order is asked for; ties by time and id. The page is found by the
     * indexes alone; only its own rows are read.
     */
    list: async (filter: RunFilter) => {
      const order = filter.sort || '-created_at'
      const column = order.replace(/^-/, '') as Column
      const looks = looking(filter)
      const total = await count(filter, looks)
      const walk = walkTo(filter, total)
      if (!walk) return { rows: [], total }
      const direction = directionOf(order.startsWith('-') ? 'desc' : 'asc', walk)
      const holds = areManyHits(total) ? holdsTextOften : await looks
      const page = filtered(filter, holds)
        .select('id')
        .orderBy(column, direction)
        // The order of the indexes: many runs share a kind, a state or a user.
        .$if(isShared(column), (query) => query.orderBy('created_at', direction))
        .orderBy('id', direction)
        .limit(walk.limit)
        .offset(walk.offset)
      const ids = (await page.execute()).map(({ id }) => id)
      const rows = await db.selectFrom('run').selectAll().where('id', 'in', ids).execute()
      return { rows: inOrderOf(walk.isBackward ? ids.toReversed() : ids, rows), total }
    },
    listStepsOf: (ids: readonly number[]) =>
      ids.length === 0
        ? Promise.resolve([])
        : db
            .selectFrom('run_step')
            .select(['run_id', 'position', 'endpoint_name', 'method', 'state'])
            .where('run_id', 'in', ids)
            .orderBy('position')
            .execute(),
    countUnknown: async () => {
      const { count, since } = await db
        .selectFrom('run')
        .select([
          sql<number>`count(*)`.as('count'),
          sql<string | null>`min(unknown_since)`.as('since'),
        ])
        .where('state', '=', 'unknown')
        .executeTakeFirstOrThrow()
      const oldest =
        since === null
          ? undefined
          : await db
              .selectFrom('run')
              .select('id')
              .where('state', '=', 'unknown')
              .where('unknown_since', '=', since)
              .orderBy('id')
              .limit(1)
              .executeTakeFirst()
      return { count, oldest: oldest && since !== null ? { run_id: oldest.id, since } : null }
    },
    listCredits: (runId: number) =>
      db
        .selectFrom('run')
        .select('id')
        .where('original_run_id', '=', runId)
        .orderBy('id')
        .limit(100)
        .execute(),
    /** The last real request of an endpoint that succeeded, with what was sent. */
    findLastAccepted: (endpointId: number, isTest: boolean, ofUser?: number) =>
      db
        .selectFrom('run_step')
        .innerJoin('run', 'run.id', 'run_step.run_id')
        .select(['run_step.run_id', 'run_step.body', 'run_step.source_body', 'run_step.frozen_at'])
        .where('run_step.endpoint_id', '=', endpointId)
        .where('run_step.state', '=', 'succeeded')
        .where('run.is_test', '=', isTest ? 1 : 0)
        .$if(ofUser !== undefined, (query) => query.where('run.user_id', '=', ofUser ?? 0))
        .orderBy('run_step.run_id', 'desc')
        .limit(1)
        .executeTakeFirst(),
  }
}

/** A range, so that an index can be used. Case-sensitive. */
function beginsWith(column: 'reference' | 'user_name', text: string) {
  return sql<boolean>`${sql.ref(column)} >= ${text} and ${sql.ref(column)} < ${`${text}\u{10FFFF}`}`
}

/** Reference, user, request id and endpoints hold the text, or it is the number of a run. */
function found(db: Db, search: string, holds: typeof holdsText) {
  const text = holds(db, 'run', search)
  const id = runNumber(search)
  return id === undefined ? text : sql<boolean>`(${text} or id = ${Number(id)})`
}

const runNumber = (search: string) => /^#?(\d{1,15})$/.exec(search)?.[1]

const isShared = (column: Column) =>
  column === 'kind' || column === 'state' || column === 'user_name'

const isDay = (moment: string) => moment.length === 10
const startOf = (moment: string) =>
  isDay(moment) ? `${moment}T00:00:00.000Z` : new Date(moment).toISOString()
const endOf = (moment: string) =>
  isDay(moment) ? `${moment}T23:59:59.999Z` : new Date(moment).toISOString()
