import type { Logger } from 'pino'
import { allOf } from '../../db/all-of.ts'
import { isDatabaseAway } from '../../db/outages/database-away.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Caller } from '../../kernel/caller.ts'
import type { InTransaction } from '../../stores.ts'
import type { Ledger } from '../runs/ledger/ledger.ts'
import type { Leases } from '../../kernel/leases/leases.ts'
import { LeaseLost, type LiveRun, type LiveStep } from '../runs/ledger/reading/live-run.ts'
import {
  answerOf,
  loadNew,
  loadRun,
  pastPlan,
  reopenSteps,
  rightOf,
  type StoredRun,
} from '../runs/ledger/open-run.ts'
import { decidingStep } from '../runs/ledger/run-state.ts'
import { traceOf } from '../runs/ledger/reading/run-trace.ts'
import type { RunSpans } from '../runs/spans/run-spans.ts'
import type { RunRow, StepRow } from '../runs/ledger/run-store.ts'
import { refuseUnlessReleased } from '../runs/release/refuse-unless-released.ts'
import { planWorkflowSteps } from '../runs/steps/plan-workflow.ts'
import type { Targets } from '../runs/steps/target.ts'
import type { TakenRun } from './claim-runs.ts'
import { messagesOf, unsentSteps } from './unsent-steps.ts'

interface QueuedOpenerOptions {
  inTransaction: InTransaction
  targets: Targets
  ledger: Ledger
  leases: Leases
  /** Absent where spans are off. */
  spans?: RunSpans | undefined
  log: Logger
}

/** Makes runs that were taken from their lane ready to be carried out. */
export class QueuedOpener {
  readonly #options: QueuedOpenerOptions
  readonly #opening = new Set<Promise<unknown>>()
  #isStopping = false

  constructor(options: QueuedOpenerOptions) {
    this.#options = options
  }

  /** Opens no further run, and resolves when none is being opened. */
  async stop(): Promise<void> {
    this.#isStopping = true
    await Promise.allSettled(this.#opening)
  }

  /**
   * The run with its steps, the first one opened where it may be sent now. Undefined where the run has ended
   * or went back to its lane.
   */
  open(taken: TakenRun): Promise<LiveRun | undefined> {
    const opening = this.#open(liveRun(taken), taken.run).finally(() =>
      this.#opening.delete(opening),
    )
    this.#opening.add(opening)
    return opening
  }

  async #open(live: LiveRun, run: RunRow): Promise<LiveRun | undefined> {
    const { ledger, leases, spans, log } = this.#options
    try {
      const isReady = !this.#isStopping && (await this.#plan(live, run))
      if (isReady) return live
      if (this.#isStopping) await ledger.stop(live)
      spans?.ended(live)
    } catch (error) {
      log.error({ err: error, run_id: live.id }, 'a queued run can’t be opened now')
      // Without the database it is taken again once its lease has ended.
      if (!(error instanceof LeaseLost) && !isDatabaseAway(error))
        await ledger.stop(live, {
          message: 'It could not be prepared. The log of the runs says why.',
        })
    }
    leases.letGo(live)
    return undefined
  }

  async #plan(live: LiveRun, run: RunRow): Promise<boolean> {
    const { inTransaction } = this.#options
    // Taken for the first time, it has no steps yet.
    const isNew = live.epoch === 2
    const stored = await inTransaction(({ runs }) =>
      isNew ? loadNew(runs, run) : loadRun(runs, run.id),
    )
    return stored.steps.length > 0 ? this.#goOn(live, stored) : this.#begin(live, stored)
  }

  /** It was under way before. */
  async #goOn(live: LiveRun, stored: StoredRun): Promise<boolean> {
    const { inTransaction, ledger, targets } = this.#options
    const answers = await inTransaction(({ runs }) =>
      allOf(stored.steps.map((step) => answerOf(runs, step))),
    )
    const asked = { targets, caller: reachingAll(live.caller), tokens: {} }
    try {
      const steps = await reopenSteps(stored, asked)
      const open = steps.filter(({ state }) => state !== 'skipped')
      // What has left once stays as it is. Before, the steps are planned again.
      if (open.every(({ state, frozen }) => state === 'waiting' && !frozen))
        refuseUnlessReleased(
          live,
          open.map(({ plan }) => plan),
        )
      live.steps = steps.map((step, index) => ({
        ...step,
        answerText: undefined,
        ...answers[index],
      }))
      return true
    } catch (error) {
      if (!isRefusal(error)) throw error
      live.steps = stored.steps.map((step) => pastStep(step))
      const step = decidingStep(live.steps)
      if (!step) throw error
      const { position } = step.plan
      await ledger.block(live, step, messagesOf(error, position).get(position) ?? error.message)
      return false
    }
  }

  async #begin(live: LiveRun, stored: StoredRun): Promise<boolean> {
    const { ledger, targets } = this.#options
    const right = rightOf(stored)
    if (!stored.workflow || !right) throw new Error(`Run ${live.id} is of no workflow.`)
    const { definition, inputText, moment } = stored.workflow
    const { isTest } = live
    const planning = { targets, caller: reachingAll(live.caller), isTest, moment, right }
    try {
      const steps = await planWorkflowSteps(definition, inputText, planning)
      refuseUnlessReleased(live, steps)
      await ledger.open(live, steps)
      return true
    } catch (error) {
      if (!isRefusal(error)) throw error
      const messages = messagesOf(error, 1)
      await ledger.refuse(live, (stores) =>
        unsentSteps(stores, live.id, definition, messages, 'blocked'),
      )
      return false
    }
  }
}

/** Another try would be refused too, unless a thread was busy. */
const isRefusal = (error: unknown): error is AppError =>
  error instanceof AppError && error.status !== 429

/** The right to the workflow is the right to its steps. It is checked when each of them is claimed. */
const reachingAll = (caller: Caller): Caller => ({ ...caller, isSuperAdmin: true })

function liveRun({ run, entry, permits }: TakenRun): LiveRun {
  const { id, epoch, kind, is_test, user_id, user_name, request_id } = run
  const { workflow_id, workflow_version } = run
  const unused = { email: '', username: '', roles: [], role: '', permissions: [] }
  return {
    id,
    epoch,
    leaseUntil: run.lease_until ?? '',
    kind,
    isTest: is_test === 1,
    caller: {
      user: { ...unused, id: user_id, name: user_name },
      sessionId: 0,
      isSuperAdmin: false,
    },
    requestId: request_id,
    trace: traceOf(run),
    takenAt: run.taken_at ?? run.created_at,
    ...(workflow_id === null ? {} : { workflowId: workflow_id }),
    ...(workflow_version === null ? {} : { workflowVersion: workflow_version }),
    laneEntry: entry,
    permits,
    steps: [],
    opened: undefined,
  }
}

/** A step that is not called now. */
const pastStep = (step: StepRow): LiveStep => ({
  id: step.id,
  uuid: step.uuid,
  plan: pastPlan(step),
  state: step.state,
  frozen: undefined,
  isResend: false,
  mayHaveArrived: false,
  answerText: undefined,
})
