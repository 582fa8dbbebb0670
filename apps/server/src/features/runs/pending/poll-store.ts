import type { Db } from '../../../db/connect.ts'
import { lockedOrSkipped } from '../../../db/dialect.ts'
import type { Row } from '../../../db/tables.ts'
import { isUnheld, leaseColumns, leasedRows } from '../../../kernel/leases/leased-rows.ts'
import type { LeaseWish } from '../../../kernel/leases/lease-time.ts'

export type PollStore = ReturnType<typeof pollStore>
export type PollRow = Row<'pending_poll'>
export type PendingStepRow = Row<'pending_step'>
export type VerdictWatchRow = Row<'verdict_watch'>

/** The polls for steps that an authority decides later or was said not to have, and the steps that they ask about. */
export function pollStore(db: Db) {
  return {
    ...leasedRows(db, 'pending_poll'),
    /** The poll of a submission; a new one where there is none. */
    ensure: async ({ submission, ask_by, next_at }: PollStart): Promise<number> => {
      await db
        .insertInto('pending_poll')
        .values({ submission, ask_by, next_at })
        .onConflict((conflict) => conflict.column('submission').doNothing())
        .execute()
      const { id } = await db
        .selectFrom('pending_poll')
        .select('id')
        .where('submission', '=', submission)
        .executeTakeFirstOrThrow()
      return id
    },
    /** A step may have been pending before. */
    putStep: (step: PendingStepRow) =>
      db
        .insertInto('pending_step')
        .values(step)
        .onConflict((conflict) =>
          conflict.column('step_id').doUpdateSet({ poll_id: step.poll_id, since: step.since }),
        )
        .execute(),
    hasDue: async (now: string): Promise<boolean> => {
      const due = await db
        .selectFrom('pending_poll')
        .select('id')
        .where('next_at', '<=', now)
        .limit(1)
        .executeTakeFirst()
      return due !== undefined
    },
    /** Takes polls that are due and that no live server has. Of several servers, each takes others. */
    claimDue: (wish: LeaseWish, limit: number): Promise<PollRow[]> => {
      const due = db
        .selectFrom('pending_poll')
        .select('id')
        .where('next_at', '<=', wish.now)
        .where(isUnheld(wish))
        .orderBy('next_at')
        .orderBy('id')
        .limit(limit)
      return db
        .updateTable('pending_poll')
        .set(leaseColumns(wish))
        .where('id', 'in', lockedOrSkipped(db, due))
        .returningAll()
        .execute()
    },
    /** Removes a poll that asks about nothing any more. */
    removeIfDone: (id: number) =>
      db
        .deleteFrom('pending_poll')
        .where('id', '=', id)
        .where((each) =>
          each.not(
            each.or([
              each.exists(
                each.selectFrom('pending_step').select('step_id').where('poll_id', '=', id),
              ),
              each.exists(
                each.selectFrom('verdict_watch').select('step_id').where('poll_id', '=', id),
              ),
            ]),
          ),
        )
        .execute(),
    find: (id: number) =>
      db.selectFrom('pending_poll').selectAll().where('id', '=', id).executeTakeFirst(),
    findStep: (stepId: number) =>
      db.selectFrom('pending_step').selectAll().where('step_id', '=', stepId).executeTakeFirst(),
    listStepsOf: (pollId: number) =>
      db
        .selectFrom('pending_step')
        .selectAll()
        .where('poll_id', '=', pollId)
        .orderBy('step_id')
        .execute(),
    /** A person may say the same of a step twice. */
    putWatch: (watch: VerdictWatchRow) =>
      db
        .insertInto('verdict_watch')
        .values(watch)
        .onConflict((conflict) =>
          conflict.columns(['poll_id', 'step_id']).doUpdateSet({ since: watch.since }),
        )
        .execute(),
    listWatchesOf: (pollId: number) =>
      db
        .selectFrom('verdict_watch')
        .selectAll()
        .where('poll_id', '=', pollId)
        .orderBy('step_id')
        .execute(),
    removeWatch: ({ step_id, poll_id }: VerdictWatchRow) =>
      db
        .deleteFrom('verdict_watch')
        .where('step_id', '=', step_id)
        .where('poll_id', '=', poll_id)
        .execute(),
    /** The polls of a run's steps, with the steps. */
    listOfRun: (runId: number) =>
      db
        .selectFrom('pending_step')
        .innerJoin('pending_poll', 'pending_poll.id', 'pending_step.poll_id')
        .select(['step_id', 'since', 'ask_by', 'tries', 'next_at', 'asked_at', 'problem'])
        .where('run_id', '=', runId)
        .execute(),
    removeStep: (stepId: number) =>
      db.deleteFrom('pending_step').where('step_id', '=', stepId).execute(),
    /** The step was accepted: its run is to go on. */
    setGoingOn: (stepId: number) =>
      db.updateTable('pending_step').set({ poll_id: null }).where('step_id', '=', stepId).execute(),
    /** Runs that are to go on and that no server carries out. */
    listGoingOn: (limit: number) =>
      db
        .selectFrom('pending_step')
        .innerJoin('run', 'run.id', 'pending_step.run_id')
        .select(['pending_step.step_id', 'pending_step.run_id'])
        .where('pending_step.poll_id', 'is', null)
        .where('run.state', '<>', 'running')
        .orderBy('pending_step.run_id')
        .limit(limit)
        .execute(),
  }
}

type PollStart = Pick<PollRow, 'submission' | 'ask_by' | 'next_at'>
