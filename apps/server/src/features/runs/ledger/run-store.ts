import type { Outcome, RunState, StepState } from '@gatehouse/contract'
import { sql } from 'kysely'
import type { Db } from '../../../db/connect.ts'
import { lockUntilCommit } from '../../../db/dialect.ts'
import type { NewRow, Row, RowChange } from '../../../db/tables.ts'

export type RunStore = ReturnType<typeof runStore>
export type RunRow = Row<'run'>
export type StepRow = Row<'run_step'>
export type AttemptRow = Row<'run_attempt'>

/** States of runs that ended and can be continued. */
export const openStates = ['not_started', 'stopped', 'rejected', 'blocked'] as const

/** A server's right to carry out a run, until a moment. */
export interface Lease {
  owner: string
  until: string
}

export function runStore(db: Db) {
  return {
    /** Transactions with the same number run one after the other. */
    lock: (number: number) => lockUntilCommit(db, number),
    insertRun: (run: NewRow<'run'>) =>
      db.insertInto('run').values(run).returning('id').executeTakeFirstOrThrow(),
    insertSteps: (steps: NewRow<'run_step'>[]) =>
      db.insertInto('run_step').values(steps).returning(['id', 'position']).execute(),
    /** Locks the run until the commit. Waits while another transaction has it. */
    hold: (id: number) =>
      db
        .updateTable('run')
        .set((each) => ({ epoch: each.ref('epoch') }))
        .where('id', '=', id)
        .execute(),
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
    find: (id: number) => db.selectFrom('run').selectAll().where('id', '=', id).executeTakeFirst(),
    listSteps: (runId: number) =>
      db
        .selectFrom('run_step')
        .selectAll()
        .where('run_id', '=', runId)
        .orderBy('position')
        .execute(),
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
    listOutcomes: (runId: number) =>
      db
        .selectFrom('run_attempt')
        .innerJoin('run_step', 'run_step.id', 'run_attempt.step_id')
        .select(['step_id', 'number', 'kind', 'outcome', 'status', 'duration_ms', 'started_at'])
        .where('run_step.run_id', '=', runId)
        .orderBy('run_attempt.number')
        .execute(),
    /** The answer of a step that succeeded; undefined where the server received none. */
    findAnswer: (stepId: number) =>
      db
        .selectFrom('run_attempt')
        .select('answer_body')
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
    finishAttempt: async (id: number, outcome: Outcome, result: RowChange<'run_attempt'>) => {
      const { numUpdatedRows } = await db
        .updateTable('run_attempt')
        .set({ ...result, outcome })
        .where('id', '=', id)
        .where('finished_at', 'is', null)
        .executeTakeFirstOrThrow()
      return numUpdatedRows > 0n
    },
    listOpenAttempts: (runId: number) =>
      db
        .selectFrom('run_attempt')
        .innerJoin('run_step', 'run_step.id', 'run_attempt.step_id')
        .select(['run_attempt.id', 'run_attempt.step_id', 'run_step.position', 'run_step.effect'])
        .where('run_step.run_id', '=', runId)
        .where('run_attempt.finished_at', 'is', null)
        .execute(),
    updateStep: (id: number, change: RowChange<'run_step'>) =>
      db.updateTable('run_step').set(change).where('id', '=', id).execute(),
    /** Changes a step that still is in that state. False: another transaction has changed it. */
    moveStep: async (id: number, from: StepState, change: RowChange<'run_step'>) => {
      const { numUpdatedRows } = await db
        .updateTable('run_step')
        .set(change)
        .where('id', '=', id)
        .where('state', '=', from)
        .executeTakeFirstOrThrow()
      return numUpdatedRows > 0n
    },
    /** Takes the runs of this content, and the retried run, out of the open work. */
    markOvertaken: async (by: number, hash: string | null, retryOf: number | null) => {
      const mark = () => db.updateTable('run').set({ overtaken_by: by })
      if (retryOf !== null) await mark().where('id', '=', retryOf).execute()
      if (hash === null) return
      await mark()
        .where('content_sha256', '=', hash)
        .where('id', '<>', by)
        .where('state', 'in', openStates)
        .where('overtaken_by', 'is', null)
        .execute()
    },
    countUnknown: async () => {
      const { count } = await db
        .selectFrom('run')
        .select(sql<number>`count(*)`.as('count'))
        .where('state', '=', 'unknown')
        .executeTakeFirstOrThrow()
      return count
    },
    /**
     * The runs that are sending to an endpoint or have an unknown outcome there: the newest, and a
     * count.
     */
    listUnsettledOf: async (endpointId: number, limit: number) => {
      const unsettled = db
        .selectFrom('run_step')
        .where('endpoint_id', '=', endpointId)
        .where('state', 'in', ['unknown', 'sending'])
        .where('effect', '<>', 'read')
      const { count } = await unsettled
        .select(sql<number>`count(distinct run_id)`.as('count'))
        .executeTakeFirstOrThrow()
      if (count === 0) return { count, ids: [] }
      const rows = await unsettled
        .select('run_id')
        .distinct()
        .orderBy('run_id', 'desc')
        .limit(limit)
        .execute()
      return { count, ids: rows.map(({ run_id }) => run_id) }
    },
    updateRun: (id: number, change: RowChange<'run'>) =>
      db.updateTable('run').set(change).where('id', '=', id).execute(),
    /**
     * Changes a run that still is in that state and that epoch, and locks it until the commit.
     * False: another server or request has changed it. Every transition begins with this.
     */
    moveRun: async (
      { id, epoch, state }: { id: number; epoch: number; state: RunState },
      change: RowChange<'run'>,
    ) => {
      const { numUpdatedRows } = await db
        .updateTable('run')
        .set(change)
        .where('id', '=', id)
        .where('epoch', '=', epoch)
        .where('state', '=', state)
        .executeTakeFirstOrThrow()
      return numUpdatedRows > 0n
    },
    /**
     * Takes a running run from its server, unless the server has renewed the lease since the read.
     */
    takeFrom: async ({ id, epoch, lease_until }: RunRow, change: RowChange<'run'>) => {
      const query = db
        .updateTable('run')
        .set(change)
        .where('id', '=', id)
        .where('epoch', '=', epoch)
        .where('state', '=', 'running')
      const { numUpdatedRows } = await (
        lease_until === null
          ? query.where('lease_until', 'is', null)
          : query.where('lease_until', '=', lease_until)
      ).executeTakeFirstOrThrow()
      return numUpdatedRows > 0n
    },
    renewLeases: async (lease: Lease, ids: readonly number[]) => {
      await db
        .updateTable('run')
        .set({ lease_until: lease.until })
        .where('id', 'in', ids)
        .where('lease_owner', '=', lease.owner)
        .where('state', '=', 'running')
        .execute()
    },
    /** Running runs whose lease has ended. */
    listAbandoned: (now: string) =>
      db
        .selectFrom('run')
        .selectAll()
        .where('state', '=', 'running')
        .where((each) => each.or([each('lease_until', 'is', null), each('lease_until', '<', now)]))
        .execute(),
    listOwned: (owner: string) =>
      db
        .selectFrom('run')
        .selectAll()
        .where('state', '=', 'running')
        .where('lease_owner', '=', owner)
        .execute(),
    findByKey: (key: string) =>
      db.selectFrom('run').selectAll().where('idempotency_key', '=', key).executeTakeFirst(),
    findLatestByClientKey: (userId: number, key: string, kind: string | undefined) => {
      const query = db
        .selectFrom('run')
        .select('id')
        .where('client_key', '=', key)
        .where('user_id', '=', userId)
      return (kind ? query.where('kind', '=', kind as RunRow['kind']) : query)
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst()
    },
    /** Runs of the same content, newest first. */
    listByContent: (hash: string) =>
      db
        .selectFrom('run')
        .selectAll()
        .where('content_sha256', '=', hash)
        .orderBy('id', 'desc')
        .limit(100)
        .execute(),
    findRetryOf: (id: number) =>
      db.selectFrom('run').select(['id', 'state']).where('retry_of', '=', id).executeTakeFirst(),
    listRetriesOf: (ids: readonly number[]) =>
      db.selectFrom('run').select(['id', 'retry_of']).where('retry_of', 'in', ids).execute(),
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
    listStates: (ids: readonly number[]) =>
      db
        .selectFrom('run_step')
        .select(['run_id', 'position', 'effect', 'state'])
        .where('run_id', 'in', ids)
        .orderBy('position')
        .execute(),
    /** Unknown since before a moment, and without an alarm since before another. */
    listAlarming: (before: string, alarmedBefore: string) =>
      db
        .selectFrom('run')
        .select(['id', 'kind', 'reference', 'unknown_since', 'alarmed_at'])
        .where('state', '=', 'unknown')
        .where('unknown_since', '<=', before)
        .where((each) =>
          each.or([each('alarmed_at', 'is', null), each('alarmed_at', '<=', alarmedBefore)]),
        )
        .orderBy('id')
        .limit(100)
        .execute(),
    /** True for one server only, of all that would log the same alarm. */
    takeAlarm: async (id: number, now: string, before: string) => {
      const { numUpdatedRows } = await db
        .updateTable('run')
        .set({ alarmed_at: now })
        .where('id', '=', id)
        .where('state', '=', 'unknown')
        .where((each) =>
          each.or([each('alarmed_at', 'is', null), each('alarmed_at', '<=', before)]),
        )
        .executeTakeFirstOrThrow()
      return numUpdatedRows > 0n
    },
    appendSearchText: (id: number, text: string) =>
      db
        .updateTable('run')
        .set({ search_text: sql<string>`search_text || ' ' || ${text.toLowerCase()}` })
        .where('id', '=', id)
        .execute(),
  }
}
