import type { RunState } from '@gatehouse/contract'
import { sql } from 'kysely'
import type { Db } from '../../../db/connect.ts'
import { contains } from '../../../db/listing.ts'

export interface LineFilter {
  page: number
  limit: number
  /** A part of the reference. */
  search: string
  /** Blank: all. */
  states: readonly RunState[]
  isDescending: boolean
}

/** What became of the inputs of batches; a part of the batch store. */
export function batchResultStore(db: Db) {
  const ofRuns = (ids: readonly number[]) =>
    db.selectFrom('run_step').where('run_step.run_id', 'in', ids)

  /** The latest run of each input. */
  const latest = (batchId: number) =>
    db.selectFrom('run').where('batch_id', '=', batchId).where('overtaken_by', 'is', null)
  const shown = ['id', 'batch_line', 'reference', 'state', 'finished_at'] as const

  return {
    /** How many inputs are in each state; what was retried counts once. */
    countStates: (batchId: number) =>
      latest(batchId)
        .select(['state', sql<number>`count(*)`.as('count')])
        .groupBy('state')
        .execute(),
    countEndedSince: async (batchId: number, since: string) => {
      const { count } = await db
        .selectFrom('run')
        .select(sql<number>`count(*)`.as('count'))
        .where('batch_id', '=', batchId)
        .where('finished_at', '>', since)
        .executeTakeFirstOrThrow()
      return count
    },
    /** The latest run of each input behind a line, in their order. */
    listResults: (batchId: number, afterLine: number, limit: number) =>
      latest(batchId)
        .select(shown)
        .where('batch_line', '>', afterLine)
        .orderBy('batch_line')
        .limit(limit)
        .execute(),
    /** A page of the inputs that pass a filter, and how many do. */
    listLines: async (batchId: number, filter: LineFilter) => {
      const { page, limit, search, states, isDescending } = filter
      const filtered = latest(batchId)
        .$if(states.length > 0, (query) => query.where('state', 'in', states))
        .$if(search !== '', (query) => query.where(contains(search, ['reference'])))
      const rows = await filtered
        .select(shown)
        .orderBy('batch_line', isDescending ? 'desc' : 'asc')
        .limit(limit)
        .offset((page - 1) * limit)
        .execute()
      const { total } = await filtered
        .select(sql<number>`count(*)`.as('total'))
        .executeTakeFirstOrThrow()
      return { rows, total }
    },
    /** The steps of these runs with their latest outcome. */
    listSteps: (ids: readonly number[]) =>
      ofRuns(ids)
        .leftJoin('run_attempt', (join) =>
          join
            .onRef('run_attempt.step_id', '=', 'run_step.id')
            .on('run_attempt.number', '=', (each) =>
              each
                .selectFrom('run_attempt as latest')
                .select((from) => from.fn.max('latest.number').as('number'))
                .whereRef('latest.step_id', '=', 'run_step.id'),
            ),
        )
        .select([
          'run_step.run_id',
          'run_step.position',
          'run_step.state',
          'run_step.message',
          'run_attempt.outcome',
          'run_attempt.status',
        ])
        .orderBy('run_step.position')
        .execute(),
    listDocuments: (ids: readonly number[]) =>
      db
        .selectFrom('document')
        .select(['run_id', 'authority_reference', 'qr'])
        .where('run_id', 'in', ids)
        .orderBy('id')
        .execute(),
  }
}
