import type { RunState, StepState } from '@gatehouse/contract'
import { sql } from 'kysely'
import type { Db } from '../../../db/connect.ts'
import { lockUntilCommit, reserveIds } from '../../../db/dialect.ts'
import { hasChanged, statement } from '../../../db/statement.ts'
import type { NewRow, Row, RowChange } from '../../../db/tables.ts'
import { attemptStore } from './attempt-store.ts'
import { leaseStore } from './lease-store.ts'
import { findOrigin } from './reading/find-origin.ts'

export type RunStore = ReturnType<typeof runStore>
export type RunRow = Row<'run'>
export type StepRow = Row<'run_step'>

/** The version of a workflow that a run carries out; null: it is of none; `unknown`: the row says. */
export type VersionOfRun = { id: number; version: number } | null | 'unknown'
export type OnRunEnd = (runId: number, of: VersionOfRun) => void

/** A run in one of these goes on by itself, and soon. */
const isGoingOn = (state: RunState) => state === 'running' || state === 'queued'

/** States of runs that ended and can be continued. */
const openStates = ['not_started', 'stopped', 'rejected', 'blocked'] as const

const insertRun = statement((db, { run }: { run: NewRow<'run'> }) =>
  db.insertInto('run').values(run),
)

const insertSteps = statement((db, { steps }: { steps: readonly NewRow<'run_step'>[] }) =>
  db.insertInto('run_step').values(steps),
)

const findRun = statement((db, { id }: { id: number }) =>
  db.selectFrom('run').selectAll().where('id', '=', id),
)

const updateRun = statement((db, { id, change }: { id: number; change: RowChange<'run'> }) =>
  db.updateTable('run').set(change).where('id', '=', id),
)

const moveRun = statement(
  (
    db,
    {
      id,
      epoch,
      state,
      change,
    }: { id: number; epoch: number; state: RunState; change: RowChange<'run'> },
  ) =>
    db
      .updateTable('run')
      .set(change)
      .where('id', '=', id)
      .where('epoch', '=', epoch)
      .where('state', '=', state),
)

const moveStep = statement(
  (db, { id, from, change }: { id: number; from: StepState; change: RowChange<'run_step'> }) =>
    db.updateTable('run_step').set(change).where('id', '=', id).where('state', '=', from),
)

const listStepFacts = statement((db, { runId }: { runId: number }) =>
  db
    .selectFrom('run_step')
    .select(['id', 'position', 'endpoint_id', 'endpoint_name', 'method', 'state', 'message'])
    .where('run_id', '=', runId)
    .orderBy('position'),
)

const listByContent = statement((db, { hash }: { hash: string }) =>
  db
    .selectFrom('run')
    .selectAll()
    .where('content_sha256', '=', hash)
    .orderBy('id', 'desc')
    .limit(100),
)

const overtakeContent = statement((db, { by, hash }: { by: number; hash: string }) =>
  db
    .updateTable('run')
    .set({ overtaken_by: by })
    .where('content_sha256', '=', hash)
    .where('id', '<>', by)
    .where('state', 'in', openStates)
    .where('overtaken_by', 'is', null),
)

interface FirstReference {
  id: number
  reference: string
  originalRunId: number | null
  searched: string
}

const setReference = statement((db, { id, reference, originalRunId, searched }: FirstReference) =>
  db
    .updateTable('run')
    .set({
      reference,
      original_run_id: originalRunId,
      search_text: sql<string>`search_text || ' ' || ${searched}`,
    })
    .where('id', '=', id)
    .where('reference', 'is', null),
)

export function runStore(db: Db, onEnd: OnRunEnd) {
  const noteEnd = (id: number, { state }: RowChange<'run'>, of: VersionOfRun) => {
    if (state !== undefined && !isGoingOn(state) && of !== null) onEnd(id, of)
  }
  return {
    ...attemptStore(db),
    ...leaseStore(db),
    /** Transactions with the same number run one after the other. */
    lock: (number: number) => lockUntilCommit(db, number),
    /** Ids for a run and its steps, which no other transaction gets. */
    reserveIds: (steps: number) => reserveIds(db, { run: 1, run_step: steps }),
    /** Ids for the steps of a run. */
    reserveStepIds: async (steps: number) => (await reserveIds(db, { run_step: steps })).run_step,
    insertRun: (run: NewRow<'run'>) => insertRun(db, { run }),
    insertSteps: (steps: NewRow<'run_step'>[]) => insertSteps(db, { steps }),
    insertInput: (runId: number, body: string) =>
      db.insertInto('run_input').values({ run_id: runId, body }).execute(),
    /** What a workflow's run carries out: the definition of its version as JSON, and its input. */
    findWorkflow: (runId: number) =>
      db
        .selectFrom('run')
        .innerJoin('workflow_version', (join) =>
          join
            .onRef('workflow_version.workflow_id', '=', 'run.workflow_id')
            .onRef('workflow_version.version', '=', 'run.workflow_version'),
        )
        .innerJoin('run_input', 'run_input.run_id', 'run.id')
        .select(['workflow_version.definition', 'run_input.body as input'])
        .where('run.id', '=', runId)
        .executeTakeFirst(),
    /** Locks the run until the commit. Waits while another transaction has it. */
    hold: (id: number) =>
      db
        .updateTable('run')
        .set((each) => ({ epoch: each.ref('epoch') }))
        .where('id', '=', id)
        .execute(),
    find: async (id: number) => (await findRun(db, { id })).rows[0],
    findState: (id: number) =>
      db.selectFrom('run').select('state').where('id', '=', id).executeTakeFirst(),
    listSteps: (runId: number) =>
      db
        .selectFrom('run_step')
        .selectAll()
        .where('run_id', '=', runId)
        .orderBy('position')
        .execute(),
    /** The steps of a run without what they send, which may be long. */
    listStepFacts: async (runId: number) => (await listStepFacts(db, { runId })).rows,
    findStepByUuid: (uuid: string) =>
      db.selectFrom('run_step').selectAll().where('uuid', '=', uuid).executeTakeFirst(),
    updateStep: (id: number, change: RowChange<'run_step'>) =>
      db.updateTable('run_step').set(change).where('id', '=', id).execute(),
    /** Changes a step that still is in that state. False: another transaction has changed it. */
    moveStep: async (id: number, from: StepState, change: RowChange<'run_step'>) =>
      hasChanged(await moveStep(db, { id, from, change })),
    /** Takes a run out of the open work: another was sent in its place. */
    overtake: (by: number, id: number) =>
      db.updateTable('run').set({ overtaken_by: by }).where('id', '=', id).execute(),
    /** Does so with the other runs of this content. */
    overtakeContent: (by: number, hash: string) => overtakeContent(db, { by, hash }),
    /** Queued runs with a reference after one of them. */
    listQueuedWithReference: async (after: number, limit: number): Promise<number[]> => {
      const rows = await db
        .selectFrom('run')
        .select('id')
        .where('state', '=', 'queued')
        .where('reference', 'is not', null)
        .where('id', '>', after)
        .orderBy('id')
        .limit(limit)
        .execute()
      return rows.map(({ id }) => id)
    },
    hasAny: async () =>
      (await db.selectFrom('run').select('id').limit(1).executeTakeFirst()) !== undefined,
    countUnknown: async () => {
      const { count } = await db
        .selectFrom('run')
        .select(sql<number>`count(*)`.as('count'))
        .where('state', '=', 'unknown')
        .executeTakeFirstOrThrow()
      return count
    },
    /**
     * The runs that are sending to an endpoint, have an unknown outcome there, or none yet: the newest,
     * and a count.
     */
    listUnsettledOf: async (endpointId: number, limit: number) => {
      const unsettled = db
        .selectFrom('run_step')
        .where('endpoint_id', '=', endpointId)
        .where('state', 'in', ['unknown', 'sending', 'pending'])
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
    /** `of` saves a look at its row where the run ends. */
    updateRun: (id: number, change: RowChange<'run'>, of: VersionOfRun = 'unknown') => {
      noteEnd(id, change, of)
      return updateRun(db, { id, change })
    },
    /**
     * Changes a run that still is in that state and that epoch, and locks it until the commit.
     * False: another server or request has changed it. Every transition begins with this.
     */
    moveRun: async (
      { id, epoch, state }: { id: number; epoch: number; state: RunState },
      change: RowChange<'run'>,
    ) => {
      const isMoved = hasChanged(await moveRun(db, { id, epoch, state, change }))
      if (isMoved) noteEnd(id, change, 'unknown')
      return isMoved
    },
    findOrigin: async (run: RunRow) =>
      run.retry_of === null ? run : ((await findOrigin(db, run)) ?? run),
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
    listByContent: async (hash: string) => (await listByContent(db, { hash })).rows,
    findRetryOf: (id: number) =>
      db.selectFrom('run').select(['id', 'state']).where('retry_of', '=', id).executeTakeFirst(),
    listRetriesOf: (ids: readonly number[]) =>
      db.selectFrom('run').select(['id', 'retry_of']).where('retry_of', 'in', ids).execute(),
    listStates: (ids: readonly number[]) =>
      db
        .selectFrom('run_step')
        .select(['run_id', 'position', 'effect', 'state'])
        .where('run_id', 'in', ids)
        .orderBy('position')
        .execute(),
    /** Makes the run found by these words too. */
    appendSearchText: (id: number, text: string) =>
      db
        .updateTable('run')
        .set({ search_text: sql<string>`search_text || ' ' || ${text.toLowerCase()}` })
        .where('id', '=', id)
        .execute(),
    /** Stores the reference of the first document that the run carries; a later one changes nothing. */
    setReference: (id: number, reference: string, originalRunId: number | null) =>
      setReference(db, { id, reference, originalRunId, searched: reference.toLowerCase() }),
  }
}
