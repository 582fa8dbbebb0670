import type { RunState } from '@gatehouse/contract'
import { sql, type SqlBool } from 'kysely'
import type { Db } from '../../../db/connect.ts'
import { inOrderOf } from '../../../db/listing.ts'
import { registersOfRuns } from '../../../db/lists/registers.ts'
import { orderOf, readLongList, type LongListing } from '../../../db/long-list.ts'
import type { Row } from '../../../db/tables.ts'
import { countWaiting } from './count-waiting.ts'
import { findLastAnswer } from './last-answer.ts'
import { tracedRunStore } from '../spans/traced-run-store.ts'
import { runFilters, type RunFilter } from './run-filters.ts'

export type RunHistoryStore = ReturnType<typeof runHistoryStore>

export function runHistoryStore(db: Db) {
  return {
    ...tracedRunStore(db),
    /** Newest first unless another order is asked for; ties by time and id. */
    list: async (filter: RunFilter): Promise<LongListing<Row<'run'>>> => {
      const { search, page, limit } = filter
      const found = await readLongList(db, {
        table: 'run',
        search,
        filters: await runFilters(db, filter),
        age: 'created_at',
        page,
        limit,
        // The order of the indexes: many runs share a kind, a state or a user.
        order: orderOf(filter.sort || '-created_at', sharedColumns, 'created_at'),
        alsoId: runNumber(search),
      })
      if (found.rows.length === 0) return { ...found, rows: [] }
      const rows = await db.selectFrom('run').selectAll().where('id', 'in', found.rows).execute()
      return { ...found, rows: inOrderOf(found.rows, rows) }
    },
    /** The ids of a filter after one of them, in their order. */
    listIdsAfter: async (filter: RunFilter, after: number, limit: number): Promise<number[]> => {
      const rows = await db
        .selectFrom('run')
        .select('id')
        .where(sql<SqlBool>`${sql.join(await runFilters(db, filter), sql` and `)}`)
        .where('id', '>', after)
        .orderBy('id')
        .limit(limit)
        .execute()
      return rows.map(({ id }) => id)
    },
    /**
     * The names of workflows by their ids, also of those that were deleted since, and the registers of the documents
     * that the runs carry, by run.
     */
    namedOf: async (runs: readonly Pick<Row<'run'>, 'id' | 'workflow_id'>[]) => ({
      workflows: await namesOfWorkflows(
        db,
        new Set(runs.flatMap(({ workflow_id }) => workflow_id ?? [])),
      ),
      registers: await registersOfRuns(
        db,
        runs.map(({ id }) => id),
      ),
    }),
    listStepsOf: (ids: readonly number[]) =>
      ids.length === 0
        ? Promise.resolve([])
        : db
            .selectFrom('run_step')
            .select(['run_id', 'position', 'endpoint_name', 'method', 'state'])
            .where('run_id', 'in', ids)
            .orderBy('position')
            .execute(),
    countWaiting: (states: readonly RunState[], register = '') =>
      countWaiting(db, states, register),
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
    findLastAnswer: (endpointId: number) => findLastAnswer(db, endpointId),
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
        .select(['run_step.id', 'run_step.run_id', 'run_step.body', 'run_step.source_body'])
        .select('run_step.frozen_at')
        .where('run_step.endpoint_id', '=', endpointId)
        .where('run_step.state', '=', 'succeeded')
        .where('run.is_test', '=', isTest ? 1 : 0)
        .$if(ofUser !== undefined, (query) => query.where('run.user_id', '=', ofUser ?? 0))
        .orderBy('run_step.run_id', 'desc')
        .limit(1)
        .executeTakeFirst(),
  }
}

async function namesOfWorkflows(db: Db, ids: ReadonlySet<number>): Promise<Map<number, string>> {
  if (ids.size === 0) return new Map()
  const rows = await db
    .selectFrom('workflow')
    .select(['id', 'name'])
    .where('id', 'in', [...ids])
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

const sharedColumns = ['kind', 'state', 'user_name']

/** A search for a number finds the run that has it, too. */
function runNumber(search: string): number | undefined {
  const digits = /^#?(\d{1,15})$/.exec(search)?.[1]
  return digits === undefined ? undefined : Number(digits)
}
