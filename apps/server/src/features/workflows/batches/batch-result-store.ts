import type { RunState } from '@gatehouse/contract'
import { sql } from 'kysely'
import type { Db } from '../../../db/connect.ts'
import { containsWords, readPage } from '../../../db/listing.ts'
import { latestInputs, type BatchKind } from './inputs/latest-inputs.ts'

interface LineFilter {
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

  const latest = (batch: BatchKind) => latestInputs(db, batch)

  return {
    /** How many inputs are in each state; what was retried counts once. */
    countStates: (batch: BatchKind) =>
      latest(batch)
        .select(['state', sql<number>`count(*)`.as('count')])
        .groupBy('state')
        .execute(),
    /** Inputs whose run has ended since. */
    countEndedSince: async (batch: BatchKind, since: string) => {
      const runs = db.selectFrom('run').where('finished_at', '>', since)
      const ended =
        batch.inputs_per_run === 1
          ? runs.where('batch_id', '=', batch.id)
          : runs
              .innerJoin('batch_input', 'batch_input.run_id', 'run.id')
              .where('batch_input.batch_id', '=', batch.id)
      const { count } = await ended
        .select(sql<number>`count(*)`.as('count'))
        .executeTakeFirstOrThrow()
      return count
    },
    /** The inputs behind a line, in their order. */
    listResults: (batch: BatchKind, afterLine: number, limit: number) =>
      latest(batch)
        .selectAll()
        .where('batch_line', '>', afterLine)
        .orderBy('batch_line')
        .limit(limit)
        .execute(),
    /** The rejected inputs of some runs of a batch. */
    listRejected: async (batch: BatchKind, runsMax: number) => {
      const rejected = () => latest(batch).where('state', '=', 'rejected')
      const runs = await rejected().select('id').distinct().orderBy('id').limit(runsMax).execute()
      const ids = runs.map(({ id }) => id)
      if (ids.length === 0) return []
      return rejected().selectAll().where('id', 'in', ids).orderBy('batch_line').execute()
    },
    /** Runs whose rejected inputs are in the archive, in the order in which they are retried. */
    listArchivedRejected: async (batch: BatchKind, limit: number) => {
      const rows = await db
        .selectFrom('run')
        .innerJoin('archive_run', 'archive_run.run_id', 'run.id')
        .select('run.id')
        .where('run.batch_id', '=', batch.id)
        .where('run.state', 'in', ['rejected', 'partial'])
        .where('run.overtaken_by', 'is', null)
        .where('archive_run.file_id', 'is not', null)
        .orderBy(batch.inputs_per_run === 1 ? 'run.batch_line' : 'run.id')
        .limit(limit)
        .execute()
      return rows.map(({ id }) => id)
    },
    listWithInputs: async (ids: readonly number[]) => {
      if (ids.length === 0) return []
      return db
        .selectFrom('run')
        .innerJoin('run_input', 'run_input.run_id', 'run.id')
        .select(['run.id', 'run.state', 'run_input.body as input'])
        .where('run.id', 'in', ids)
        .execute()
    },
    /** A page of the inputs that pass a filter, and how many do. */
    listLines: async (batch: BatchKind, filter: LineFilter) => {
      const { search, states, isDescending } = filter
      const filtered = latest(batch)
        .$if(states.length > 0, (query) => query.where('state', 'in', states))
        .$if(search !== '', (query) => query.where(containsWords(search, ['reference'])))
        .selectAll()
        .orderBy('batch_line', isDescending ? 'desc' : 'asc')
      return readPage(filtered, filter)
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
        .select(['run_id', 'reference', 'authority_reference', 'qr'])
        .where('run_id', 'in', ids)
        .orderBy('id')
        .execute(),
  }
}
