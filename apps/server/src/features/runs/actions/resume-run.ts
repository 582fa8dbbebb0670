import { AppError } from '../../../kernel/app-error.ts'
import { leaseColumns } from '../../../kernel/leases/leased-rows.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { CallContext } from '../../../kernel/mount.ts'
import type { InTransaction, Stores } from '../../../stores.ts'
import { auditAction } from './audit-action.ts'
import { isDuplicateSafe } from '../steps/answers/classify-answer.ts'
import type { ArchivedRuns } from '../ledger/reading/archived-runs.ts'
import { lockNumber } from '../ledger/idempotency.ts'
import { toKnownRuns } from '../ledger/reading/known-run.ts'
import type { Leases } from '../../../kernel/leases/leases.ts'
import { beginningWith, type LiveRun } from '../ledger/reading/live-run.ts'
import { permitSoon, type PermitsOf } from './permit-soon.ts'
import { mayResume, type Refusal, type Surroundings } from './allowed-actions.ts'
import {
  answerOf,
  loadRun,
  reopenSteps,
  rightOf,
  type StoredRun,
  type Tokens,
  workflowOfLive,
} from '../ledger/open-run.ts'
import { refuseWhileHeld } from '../ledger/refuse-while-held.ts'
import { isDone } from '../ledger/run-state.ts'
import { traceOf } from '../ledger/reading/run-trace.ts'
import { refuseOtherSteps } from './refuse-other-steps.ts'
import type { RunEngine } from '../engine/run-engine.ts'
import { answerOfRun, getSummary } from '../ledger/reading/run-summary.ts'
import { refuseUnlessSender } from './sender.ts'
import type { Target, TargetLookup, Targets } from '../steps/target.ts'

interface RunActionsOptions {
  targets: Targets
  archived: ArchivedRuns
  inTransaction: InTransaction
  leases: Leases
  engine: RunEngine
  clock: Clock
  permitsOf: PermitsOf
}

interface Resuming {
  tokens: Tokens
  /** See `refuseWhileHeld`. */
  confirmsHeld: boolean
}

/** Continues runs that ended before their last step. */
export class RunResumer {
  readonly #options: RunActionsOptions

  constructor(options: RunActionsOptions) {
    this.#options = options
  }

  /**
   * Of several requests at once, one continues the run and the others get 409. Throws 403 where the
   * caller may not send, and 502 and 504 like a new run.
   */
  async resume(runId: number, { tokens, confirmsHeld }: Resuming, context: CallContext) {
    const { inTransaction, engine, permitsOf, archived } = this.#options
    await archived.bringBack(runId)
    const stored = await inTransaction(({ runs }) => loadRun(runs, runId))
    const permits = await permitsOf(stored.run.workflow_id)
    const permit = await permitSoon(permits)
    try {
      const live = await this.#take(stored, { tokens, confirmsHeld }, context)
      if (permits && permit) live.permits = beginningWith(permit, permits)
      await engine.carryOut(live)
    } finally {
      // Unless a call has used it.
      permit?.giveBack()
    }
    return answerOfRun(await inTransaction(({ runs }) => getSummary(runs, runId)), context)
  }

  async #take(
    stored: StoredRun,
    { tokens, confirmsHeld }: Resuming,
    context: CallContext,
  ): Promise<LiveRun> {
    const { inTransaction, targets, leases, clock } = this.#options
    const { caller, requestId } = context
    refuseUnlessSender(stored, caller)
    const typed = Object.keys(tokens).map(Number)
    refuseOtherSteps(
      stored.steps,
      typed.filter((position) => tokens[position] !== ''),
    )
    const current = callable(await currentLookups(stored, targets, caller))
    const decide = async (stores: Stores, fresh: StoredRun) =>
      mayResume(fresh, await surroundingsOf(stores, fresh, current, clock.now()))
    const first = await inTransaction((stores) => decide(stores, stored))
    if (!first.ok) throw refusalOf(first)
    const steps = await reopenSteps(stored, { targets, caller, tokens })

    return inTransaction(async (stores) => {
      const { run } = stored
      const takenAt = clock.now().toISOString()
      const leaseUntil = leases.until()
      if (run.content_sha256) await stores.runs.lock(lockNumber(run.content_sha256))
      const left = steps.filter(({ state }) => !isDone(state)).map(({ plan }) => plan)
      await refuseWhileHeld(stores, { steps: left, confirmsHeld })
      // This update decides which request continues: it matches only the run as it was read.
      const isTaken = await stores.runs.moveRun(run, {
        state: 'running',
        epoch: run.epoch + 1,
        ...leaseColumns({ owner: leases.owner, until: leaseUntil }),
        taken_at: takenAt,
        finished_at: null,
        overtaken_by: null,
        closed_at: null,
        closed_by_id: null,
        closed_by_name: null,
        closed_reason: null,
      })
      if (!isTaken)
        throw new AppError('run.in_progress', { message: changed, retryAfterSeconds: 2 })
      const again = await decide(stores, stored)
      if (!again.ok) throw refusalOf(again)
      const hasSubmit = steps.some(({ plan }) => plan.effect === 'submit' && !plan.isDry)
      if (hasSubmit && run.content_sha256)
        await stores.runs.overtakeContent(run.id, run.content_sha256)
      const answers = await Promise.all(stored.steps.map((step) => answerOf(stores.runs, step)))
      await auditAction(stores, context, run, {
        action: 'run.resume',
        step: again.step?.position ?? null,
        before: { run_state: run.state, ...(again.step ? { step_state: again.step.state } : {}) },
        // Its bytes were sent before, and the same bytes are sent again.
        after: { sends_again: steps.some(({ id, frozen }) => id === again.step?.id && frozen) },
      })
      return {
        id: run.id,
        epoch: run.epoch + 1,
        leaseUntil,
        kind: run.kind,
        isTest: run.is_test === 1,
        caller,
        requestId,
        trace: traceOf(run),
        takenAt,
        ...workflowOfLive(stored),
        opened: undefined,
        steps: steps.map((step, index) => ({ ...step, answerText: undefined, ...answers[index] })),
      }
    }, caller)
  }
}

const changed = 'The run has changed meanwhile: another user or server was faster.'

export function refusalOf({ code, message, retryAfterSeconds }: Refusal): AppError {
  return new AppError(code, { message, ...(retryAfterSeconds ? { retryAfterSeconds } : {}) })
}

/** The current endpoints of a run by position, or why they can't be called. */
export async function currentLookups(
  stored: StoredRun,
  targets: Targets,
  caller: CallContext['caller'],
): Promise<Map<number, TargetLookup>> {
  const right = rightOf(stored)
  const lookups = stored.steps.map(
    async ({ position, endpoint_id }) =>
      [position, await targets.find(endpoint_id, caller, right)] as const,
  )
  return new Map(await Promise.all(lookups))
}

/** The targets that can be called. */
export const callable = (lookups: ReadonlyMap<number, TargetLookup>): Map<number, Target> =>
  new Map(
    [...lookups].flatMap(([position, lookup]) => (lookup.ok ? [[position, lookup.target]] : [])),
  )

/** The facts outside a run that decide which actions it allows. */
export async function surroundingsOf(
  { runs }: Stores,
  { run }: StoredRun,
  current: ReadonlyMap<number, Target>,
  now: Date,
): Promise<Surroundings> {
  const rows = run.content_sha256 ? await runs.listByContent(run.content_sha256) : []
  // A run that was accepted before this one was made did not prevent it: it does not count.
  const others = rows.filter(
    ({ id, finished_at }) =>
      id !== run.id &&
      id !== run.retry_of &&
      (id > run.id || finished_at === null || finished_at >= run.created_at),
  )
  const successor = await runs.findRetryOf(run.id)
  return {
    retriedBy: successor?.id ?? null,
    sameContent: await toKnownRuns(runs, others),
    now,
    isDuplicateSafe: ({ position }, firstSentAt) => {
      const settings = current.get(position)?.settings
      return settings !== undefined && isDuplicateSafe(settings, firstSentAt, now)
    },
  }
}
