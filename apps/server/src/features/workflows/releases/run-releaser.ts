import type { ReleasePreview, RunState } from '@gatehouse/contract'
import type { Logger } from 'pino'
import { AppError } from '../../../kernel/app-error.ts'
import { can, type Caller } from '../../../kernel/caller.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { Leases } from '../../../kernel/leases/leases.ts'
import type { CallContext } from '../../../kernel/mount.ts'
import type { InTransaction, ReadTogether, Stores } from '../../../stores.ts'
import { auditAction } from '../../runs/actions/audit-action.ts'
import type { RunEngine } from '../../runs/engine/run-engine.ts'
import { deadlineFrom } from '../../runs/ledger/lane-fate.ts'
import { loadNew, loadRun, rightOf, type StoredRun } from '../../runs/ledger/open-run.ts'
import type { RunFeed } from '../../runs/ledger/run-feed.ts'
import type { RunRow } from '../../runs/ledger/run-store.ts'
import { getSummary } from '../../runs/ledger/run-summary.ts'
import { contentDigest } from '../../runs/release/content-digest.ts'
import { cancelWaiting, findWaiting, holdWaiting } from '../../runs/release/decide-release.ts'
import { enterLane } from '../../runs/release/enter-lane.ts'
import { planOfCall, previewOfCall, stepDigest, stepOfCall } from '../../runs/release/held-call.ts'
import { openHeldCall } from '../../runs/release/send-held-call.ts'
import { tryPlanWorkflow } from '../../runs/steps/plan-workflow.ts'
import type { Targets } from '../../runs/steps/target.ts'
import { inputErrors, toPreview } from '../definitions/workflow-preview.ts'

interface RunReleaserOptions {
  inTransaction: InTransaction
  readTogether: ReadTogether
  targets: Targets
  feed: RunFeed
  clock: Clock
  leases: Leases
  engine: Pick<RunEngine, 'carryOut'>
  log: Logger
  /** Tells the lane that a run was queued. */
  wake: (laneId: number) => void
}

interface Release {
  /** What the person has seen (`ReleasePreview.content`). */
  content: string
  note: string
}

interface Decision {
  decision: 'released' | 'refused'
  /** Of the run from then on. */
  state: RunState
  note: string
  now: string
}

/** Releases and refuses runs that a person has to look at before they are sent (spec: release). */
export class RunReleaser {
  readonly #options: RunReleaserOptions

  constructor(options: RunReleaserOptions) {
    this.#options = options
  }

  /** Throws a 409 for a run that does not wait for its release. */
  async preview(runId: number, caller: Caller): Promise<ReleasePreview> {
    const stored = await this.#read(runId)
    const refusal = refusalOf(stored.run, caller)
    return {
      ...(isCall(stored) ? await this.#callSeen(stored) : await this.#workflowSeen(stored)),
      is_allowed: refusal === null,
      refusal: refusal?.message ?? null,
    }
  }

  async #callSeen(stored: StoredRun) {
    const { readTogether } = this.#options
    const step = stepOfCall(stored)
    const problem = await this.#planCall(stored).then(
      () => undefined,
      (error: unknown) => {
        if (error instanceof AppError) return error.message
        throw error
      },
    )
    const last = await readTogether(({ releases }) => releases.findLastCall(step.endpoint_id))
    return {
      content: stepDigest(step),
      steps: [previewOfCall(step, problem)],
      input_problems: {},
      last: last ?? null,
    }
  }

  async #workflowSeen(stored: StoredRun) {
    const { run, workflow } = stored
    const { planned, errors, content } = await this.#plan(stored)
    const last = await this.#options.readTogether(({ releases }) =>
      releases.findLastSent(run.workflow_id ?? 0, run.is_test),
    )
    return {
      content,
      steps: (workflow?.definition.steps ?? []).map((step, index) =>
        toPreview(
          step,
          index,
          planned.find(({ position }) => position === index + 1),
          errors,
        ),
      ),
      input_problems: inputErrors(errors),
      last: last ?? null,
    }
  }

  /** What was seen is sent, and nothing else. */
  async release(runId: number, release: Release, context: CallContext) {
    const stored = await this.#read(runId)
    return isCall(stored)
      ? this.#releaseCall(stored, release, context)
      : this.#releaseRun(stored, release, context)
  }

  /** The run is queued in the transaction that stores the decision: its lane sends it once. */
  async #releaseRun(stored: StoredRun, { content, note }: Release, context: CallContext) {
    const { inTransaction, clock, wake } = this.#options
    const { id: runId, workflow_id } = stored.run
    const { errors, content: current } = await this.#plan(stored)
    const [fault] = Object.values(errors).flat()
    if (fault !== undefined) throw new AppError('run.not_releasable', { message: fault })
    refuseOther(content, current)
    const now = clock.now().toISOString()
    const released = await inTransaction(async (stores) => {
      const lane = await stores.lanes.findOfWorkflow(workflow_id ?? 0)
      const decision = { decision: 'released', state: 'queued', note, now } as const
      const run = await this.#decide(stores, runId, decision, context)
      await stores.runs.updateRun(runId, { state: 'queued' })
      await enterLane(stores, lane, {
        id: runId,
        now,
        orderKey: run.orderKey,
        priority: 0,
        deadlineAt: deadlineFrom(run.created_at, lane.max_age_minutes),
        releasedSha256: content,
      })
      return { laneId: lane.id, run: await getSummary(stores.runs, runId) }
    }, context.caller)
    wake(released.laneId)
    this.#options.feed.changed(runId)
    return { message: 'The run is released. Its lane sends it.', run: released.run }
  }

  /** The attempt is opened in the transaction that stores the decision, and sent after it. */
  async #releaseCall(stored: StoredRun, { content, note }: Release, context: CallContext) {
    const { inTransaction, clock, leases, engine, log } = this.#options
    const { id } = stored.run
    refuseOther(content, stepDigest(stepOfCall(stored)))
    const plan = await this.#planCall(stored)
    const now = clock.now().toISOString()
    const { live, summary } = await inTransaction(async (stores) => {
      const decision = { decision: 'released', state: 'running', note, now } as const
      const run = await this.#decide(stores, id, decision, context)
      const opened = await openHeldCall(stores, { stored, run, plan, leases, now })
      return { live: opened, summary: await getSummary(stores.runs, id) }
    }, context.caller)
    engine
      .carryOut(live)
      // What was committed stays; the lease of the run ends, and a server closes it.
      .catch((error: unknown) => log.error({ err: error, run_id: id }, 'a call was cut off'))
    return { message: 'The call is released. It is sent now.', run: summary }
  }

  async refuse(runId: number, note: string, context: CallContext) {
    const { inTransaction, clock, feed } = this.#options
    const now = clock.now().toISOString()
    const run = await inTransaction(async (stores) => {
      const decision = { decision: 'refused', state: 'cancelled', note, now } as const
      const held = await this.#decide(stores, runId, decision, context)
      await cancelWaiting(stores, held, now)
      return getSummary(stores.runs, runId)
    }, context.caller)
    feed.changed(runId)
    return { message: 'The run is refused. Nothing of it was sent.', run }
  }

  /** Stores who decided what. Throws a 403 for the owner of the token, a 409 where another was first. */
  async #decide(
    stores: Stores,
    runId: number,
    { decision, state, note, now }: Decision,
    context: CallContext,
  ) {
    const { run, release } = await holdWaiting(stores, runId)
    const refusal = refusalOf(run, context.caller)
    if (refusal) throw refusal
    const { id, name } = context.caller.user
    const by = { id, name }
    await stores.releases.decide(runId, { decision, at: now, by, note: note || null })
    await auditAction(stores, context, run, {
      action: decision === 'released' ? 'run.release' : 'run.refuse',
      step: null,
      before: { run_state: run.state },
      after: {
        run_state: state,
        asked_by: release.asked_by,
        note: note || null,
      },
    })
    return { ...run, orderKey: release.order_key }
  }

  #read(runId: number): Promise<StoredRun> {
    return this.#options.readTogether(async (stores) => {
      const { run } = await findWaiting(stores, runId)
      return isCall({ run }) ? loadRun(stores.runs, runId) : loadNew(stores.runs, run)
    })
  }

  /** Throws an AppError that says why it can't be sent as it is now. */
  async #planCall(stored: StoredRun) {
    const step = stepOfCall(stored)
    const found = await this.#options.targets.find(step.endpoint_id, reachingAll(stored.run))
    if (!found.ok) throw new AppError('run.not_releasable', { message: found.message })
    return planOfCall(step, found.target)
  }

  /** As its lane will plan it. The right to the workflow is that of the run's user, and is checked when it is sent. */
  async #plan(stored: StoredRun) {
    const { run, workflow } = stored
    const right = rightOf(stored)
    if (!workflow || !right) throw new Error(`Run ${run.id} is of no workflow.`)
    const { definition, inputText, moment } = workflow
    const { steps, errors } = await tryPlanWorkflow(definition, inputText, {
      targets: this.#options.targets,
      caller: reachingAll(run),
      isTest: run.is_test === 1,
      moment,
      right,
    })
    return { planned: steps, errors, content: contentDigest(steps) }
  }
}

const isCall = ({ run }: Pick<StoredRun, 'run'>) => run.kind === 'call'

function refuseOther(seen: string, current: string): void {
  if (seen === current) return
  throw new AppError('run.not_releasable', {
    message: 'What would be sent has changed. Look at it again.',
  })
}

/** Two persons: one has the token, another releases what was sent with it. */
function refusalOf(run: RunRow, caller: Caller): AppError | null {
  if (!can(caller, 'run.release'))
    return new AppError('permission.denied', {
      message: 'You do not have permission to do this (run.release).',
    })
  return run.user_id === caller.user.id ? new AppError('run.own_release') : null
}

function reachingAll({ user_id, user_name }: RunRow): Caller {
  const unused = { email: '', username: '', roles: [], role: '', permissions: [] }
  return { user: { ...unused, id: user_id, name: user_name }, isSuperAdmin: true }
}
