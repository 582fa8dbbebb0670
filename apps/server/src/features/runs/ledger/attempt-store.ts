import type { Outcome } from '@gatehouse/contract'
import { sql } from 'kysely'
import type { Db } from '../../../db/connect.ts'
import { hasChanged, statement } from '../../../db/statement.ts'
import type { NewRow, Row, RowChange } from '../../../db/tables.ts'

export type AttemptRow = Row<'run_attempt'>

const appendAttempt = statement(
  (db, { stepId, attempt }: { stepId: number; attempt: Omit<NewRow<'run_attempt'>, 'number'> }) =>
    db
      .insertInto('run_attempt')
      .values({
        ...attempt,
        number: sql<number>`(select coalesce(max(number), 0) + 1 from run_attempt where step_id = ${stepId})`,
      })
      .returning('id'),
)

const finishAttempt = statement(
  (db, { id, result }: { id: number; result: RowChange<'run_attempt'> }) =>
    db.updateTable('run_attempt').set(result).where('id', '=', id).where('finished_at', 'is', null),
)

const listOutcomes = statement((db, { runId }: { runId: number }) =>
  db
    .selectFrom('run_attempt')
    .innerJoin('run_step', 'run_step.id', 'run_attempt.step_id')
    .select(['step_id', 'number', 'kind', 'outcome', 'status', 'duration_ms', 'started_at'])
    .where('run_step.run_id', '=', runId)
    .orderBy('run_attempt.number'),
)

/** The attempts of runs; a part of the run store. */
export function attemptStore(db: Db) {
  return {
    /** The number of a step's next attempt. Lock the run before. */
    nextAttempt: async (stepId: number): Promise<number> => {
      const { number } = await db
        .selectFrom('run_attempt')
        .select(sql<number>`coalesce(max(number), 0) + 1`.as('number'))
        .where('step_id', '=', stepId)
        .executeTakeFirstOrThrow()
      return number
    },
    insertAttempt: (attempt: NewRow<'run_attempt'>) =>
      db.insertInto('run_attempt').values(attempt).returning('id').executeTakeFirstOrThrow(),
    /** The UUIDs of the steps of these attempts, as far as there are such attempts. */
    listUuidsOf: async (ids: readonly number[]): Promise<Map<number, string>> => {
      const rows = await db
        .selectFrom('run_attempt')
        .innerJoin('run_step', 'run_step.id', 'run_attempt.step_id')
        .select(['run_attempt.id', 'run_step.uuid'])
        .where('run_attempt.id', 'in', [...ids, 0])
        .execute()
      return new Map(rows.map(({ id, uuid }) => [id, uuid]))
    },
    /** Adds an attempt with the step's next number. Lock the run before. */
    appendAttempt: async (attempt: Omit<NewRow<'run_attempt'>, 'number'>) => {
      const { rows } = await appendAttempt(db, { stepId: attempt.step_id, attempt })
      const [added] = rows
      if (!added) throw new Error(`No attempt of step ${attempt.step_id} was added.`)
      return added
    },
    listAttempts: (runId: number) =>
      db
        .selectFrom('run_attempt')
        .innerJoin('run_step', 'run_step.id', 'run_attempt.step_id')
        .selectAll('run_attempt')
        .where('run_step.run_id', '=', runId)
        .orderBy('run_attempt.step_id')
        .orderBy('run_attempt.number')
        .execute(),
    listAttemptsOf: (stepId: number) =>
      db
        .selectFrom('run_attempt')
        .selectAll()
        .where('step_id', '=', stepId)
        .orderBy('number')
        .execute(),
    /** The attempts of a run without what was answered, which may be long. */
    listOutcomes: async (runId: number) => (await listOutcomes(db, { runId })).rows,
    /** The answer of a step that succeeded; undefined where the server received none. */
    findAnswer: (stepId: number) =>
      db
        .selectFrom('run_attempt')
        .select(['answer_body', 'status'])
        .where('step_id', '=', stepId)
        .where('outcome', 'in', ['ok', 'ok_duplicate'])
        .orderBy('number', 'desc')
        .limit(1)
        .executeTakeFirst(),
    findAttempt: (id: number) =>
      db
        .selectFrom('run_attempt')
        .select(['id', 'outcome'])
        .where('id', '=', id)
        .executeTakeFirst(),
    /** Attempts are append-only: only an open one is completed, once. False when it was already. */
    finishAttempt: async (id: number, outcome: Outcome, result: RowChange<'run_attempt'>) =>
      hasChanged(await finishAttempt(db, { id, result: { ...result, outcome } })),
    listOpenAttempts: (runId: number) =>
      db
        .selectFrom('run_attempt')
        .innerJoin('run_step', 'run_step.id', 'run_attempt.step_id')
        .select([
          'run_attempt.id',
          'run_attempt.step_id',
          'run_attempt.started_at',
          'run_step.position',
          'run_step.effect',
        ])
        .where('run_step.run_id', '=', runId)
        .where('run_attempt.finished_at', 'is', null)
        .execute(),
    /** The outcomes of the attempts of these runs, in the order of the attempts. */
    listOutcomesOf: (runIds: readonly number[]) =>
      db
        .selectFrom('run_attempt')
        .innerJoin('run_step', 'run_step.id', 'run_attempt.step_id')
        .select(['run_step.run_id', 'run_attempt.outcome'])
        .where('run_step.run_id', 'in', runIds)
        .where('run_attempt.outcome', 'is not', null)
        .orderBy('run_attempt.id')
        .execute(),
  }
}
