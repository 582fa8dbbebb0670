import type { Logger } from 'pino'
import { leaseColumns, noLease } from '../../../kernel/leases/leased-rows.ts'
import { AppError } from '../../../kernel/app-error.ts'
import type { Caller } from '../../../kernel/caller.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { InTransaction } from '../../../stores.ts'
import { mayResume } from '../actions/allowed-actions.ts'
import { permitSoon, type PermitsOf } from '../actions/permit-soon.ts'
import { callable, currentLookups, surroundingsOf } from '../actions/resume-run.ts'
import type { RunEngine } from '../engine/run-engine.ts'
import type { Leases } from '../../../kernel/leases/leases.ts'
import { beginningWith, type LiveRun } from '../ledger/reading/live-run.ts'
import {
  answerOf,
  loadRun,
  reopenSteps,
  workflowOfLive,
  type StoredRun,
} from '../ledger/open-run.ts'
import { decidingStep } from '../ledger/run-state.ts'
import { traceOf } from '../ledger/reading/run-trace.ts'
import type { Target, Targets } from '../steps/target.ts'
import { asker } from './asker.ts'

interface RunContinuerOptions {
  targets: Targets
  inTransaction: InTransaction
  leases: Leases
  engine: RunEngine
  clock: Clock
  log: Logger
  /** The user of a run with the roles of today; undefined where the user is gone. */
  callerOf: (userId: number) => Promise<Caller | undefined>
  permitsOf: PermitsOf
}

/** States that a run is taken from. */
type From = 'stopped' | 'unknown' | 'blocked'

/** Carries runs on without a person: behind a step that was accepted later, or with an unknown or blocked step again. */
export class RunContinuer {
  readonly #options: RunContinuerOptions
  readonly #underWay = new Map<number, Promise<void>>()

  constructor(options: RunContinuerOptions) {
    this.#options = options
  }

  /**
   * Resolves when the run has ended on this server. The row of the step stays until then, so that
   * another server goes on where this one dies.
   */
  async goOn(runId: number, stepId: number): Promise<void> {
    const before = this.#underWay.get(runId)
    if (before) return before
    const work = this.#goOn(runId, stepId)
      .catch((error: unknown) =>
        this.#options.log.error({ err: error, run_id: runId }, 'a run could not go on'),
      )
      .finally(() => this.#underWay.delete(runId))
    this.#underWay.set(runId, work)
    return work
  }

  /**
   * Sends the same bytes of an unknown step again, within the limits of its lane. Does nothing where that is not
   * certain to be without a second effect now (see `mayResume`), and while the installation is held.
   */
  repeat(runId: number): Promise<void> {
    return this.#sendAgain(runId, 'unknown', 'Healing: the outcome was unknown.')
  }

  /** Sends a step that was blocked by another run, like `repeat`, once that one gave its documents back. */
  unblock(runId: number): Promise<void> {
    return this.#sendAgain(runId, 'blocked', 'Healing: the run that blocked it was not received.')
  }

  async #sendAgain(runId: number, from: From, reason: string): Promise<void> {
    const { inTransaction, engine, leases, permitsOf } = this.#options
    if (engine.isStopping || leases.holds(runId)) return
    const stored = await inTransaction(({ runs }) => loadRun(runs, runId))
    if (await this.#isHeld(stored)) return
    if (!(await this.#isOurs(stored, from))) return
    const permits = await permitsOf(stored.run.workflow_id)
    const permit = await permitSoon(permits)
    try {
      const steps = await this.#reopen(stored, from)
      const live = steps && (await this.#take(stored, steps))
      if (!live) return
      live.actor = { name: asker.user.name, reason }
      if (permits && permit) live.permits = beginningWith(permit, permits)
      await engine.carryOut(live)
    } finally {
      // Unless a call has used it.
      permit?.giveBack()
    }
  }

  async idle(): Promise<void> {
    await Promise.all(this.#underWay.values())
  }

  #isHeld({ run }: StoredRun): Promise<boolean> {
    return this.#options.inTransaction(({ installationHold }) =>
      installationHold.isHeldFor(run.workflow_id),
    )
  }

  async #goOn(runId: number, stepId: number): Promise<void> {
    const { inTransaction, engine, leases } = this.#options
    if (engine.isStopping || leases.holds(runId)) return
    const stored = await inTransaction(({ runs }) => loadRun(runs, runId))
    // The row of the step stays, so that it goes on once the hold is released.
    if (await this.#isHeld(stored)) return
    const steps = (await this.#isOurs(stored, 'stopped'))
      ? await this.#reopen(stored, 'stopped')
      : undefined
    const live = steps && (await this.#take(stored, steps))
    if (live) await engine.carryOut(live)
    if (!engine.isStopping) await inTransaction(({ polls }) => polls.removeStep(stepId))
  }

  /** Just taken by this server, or left behind by another one and not settled otherwise since. */
  async #isOurs(stored: StoredRun, from: From): Promise<boolean> {
    const { inTransaction, leases, clock, targets, callerOf } = this.#options
    const { run } = stored
    if (run.state === 'running') return from === 'stopped' && run.lease_owner === leases.owner
    if (run.state !== from || run.closed_at !== null) return false
    const caller = from === 'stopped' ? undefined : await callerOf(run.user_id)
    const current = caller
      ? callable(await currentLookups(stored, targets, caller))
      : new Map<number, Target>()
    const around = await inTransaction((stores) =>
      surroundingsOf(stores, stored, current, clock.now()),
    )
    return mayResume(stored, around).ok
  }

  /** Undefined where the next step may not be sent any more: it is blocked, and says why. */
  async #reopen(stored: StoredRun, from: From) {
    const { targets, callerOf } = this.#options
    try {
      const caller = await callerOf(stored.run.user_id)
      if (!caller) throw new AppError('permission.denied', { message: noUser })
      return { caller, steps: await reopenSteps(stored, { targets, caller, tokens: {} }) }
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      // An unknown step stays what it is: a person decides.
      if (from === 'stopped') await this.#block(stored, wordsOf(error))
      return undefined
    }
  }

  #take(
    stored: StoredRun,
    { caller, steps }: { caller: Caller; steps: Reopened },
  ): Promise<LiveRun | undefined> {
    const { inTransaction, leases, clock } = this.#options
    const { run } = stored
    const epoch = run.epoch + 1
    const takenAt = clock.now().toISOString()
    return inTransaction(async ({ runs }) => {
      const leaseUntil = leases.until()
      const isTaken = await runs.moveRun(run, {
        state: 'running',
        epoch,
        ...leaseColumns({ owner: leases.owner, until: leaseUntil }),
        taken_at: takenAt,
        finished_at: null,
        overtaken_by: null,
      })
      if (!isTaken) return undefined
      const answers = await Promise.all(stored.steps.map((step) => answerOf(runs, step)))
      return {
        id: run.id,
        epoch,
        leaseUntil,
        kind: run.kind,
        isTest: run.is_test === 1,
        caller,
        requestId: run.request_id,
        trace: traceOf(run),
        takenAt,
        ...workflowOfLive(stored),
        opened: undefined,
        steps: steps.map((step, index) => ({ ...step, answerText: undefined, ...answers[index] })),
      }
    })
  }

  #block({ run, steps }: StoredRun, message: string): Promise<void> {
    const { inTransaction, clock } = this.#options
    return inTransaction(async ({ runs }) => {
      const step = decidingStep(steps)
      const isOurs = await runs.moveRun(run, {
        state: 'blocked',
        epoch: run.epoch + 1,
        ...noLease,
        finished_at: clock.now().toISOString(),
      })
      if (isOurs && step) await runs.moveStep(step.id, step.state, { state: 'blocked', message })
    })
  }
}

type Reopened = Awaited<ReturnType<typeof reopenSteps>>

const noUser = 'The account that sends this no longer exists.'

/** The messages of the fields say more than that of the refusal. */
function wordsOf({ message, details }: AppError): string {
  const texts = Object.values(details.fields ?? {}).flat()
  return texts.length === 0 ? message : texts.join(' ')
}
