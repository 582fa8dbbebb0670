import type { ReleasePreview } from '@gatehouse/contract'
import { AppError } from '../../../kernel/app-error.ts'
import type { Caller } from '../../../kernel/caller.ts'
import type { CallContext } from '../../../kernel/mount.ts'
import { deadlineFrom } from '../../runs/ledger/lane-fate.ts'
import { loadNew, loadRun, rightOf, type StoredRun } from '../../runs/ledger/open-run.ts'
import type { RunFeed } from '../../runs/ledger/reading/run-feed.ts'
import { getSummary } from '../../runs/ledger/reading/run-summary.ts'
import { contentDigest } from '../../runs/release/content-digest.ts'
import { cancelWaiting, findWaiting } from '../../runs/release/decide-release.ts'
import { enterLane } from '../../runs/release/enter-lane.ts'
import { tryPlanWorkflow } from '../../runs/steps/plan-workflow.ts'
import { inputErrors, toPreview } from '../definitions/workflow-preview.ts'
import { CallReleaser, isCall, type CallReleaserOptions } from './call-releaser.ts'
import { decide, reachingAll, refusalOf, refuseOther, type Release } from './decide.ts'

interface RunReleaserOptions extends CallReleaserOptions {
  feed: RunFeed
  /** Tells the lane that a run was queued. */
  wake: (laneId: number) => void
}

/** Releases and refuses runs that a person has to look at before they are sent (spec: release). */
export class RunReleaser {
  readonly #options: RunReleaserOptions
  readonly #calls: CallReleaser

  constructor(options: RunReleaserOptions) {
    this.#options = options
    this.#calls = new CallReleaser(options)
  }

  /** Throws a 409 for a run that does not wait for its release. */
  async preview(runId: number, caller: Caller): Promise<ReleasePreview> {
    const stored = await this.#read(runId)
    const refusal = refusalOf(stored.run, caller)
    return {
      ...(isCall(stored) ? await this.#calls.seen(stored) : await this.#workflowSeen(stored)),
      is_allowed: refusal === null,
      refusal: refusal?.message ?? null,
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
      ? this.#calls.release(stored, release, context)
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
      const run = await decide(stores, runId, decision, context)
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

  async refuse(runId: number, note: string, context: CallContext) {
    const { inTransaction, clock, feed } = this.#options
    const now = clock.now().toISOString()
    const run = await inTransaction(async (stores) => {
      const decision = { decision: 'refused', state: 'cancelled', note, now } as const
      const held = await decide(stores, runId, decision, context)
      await cancelWaiting(stores, held, now)
      return getSummary(stores.runs, runId)
    }, context.caller)
    feed.changed(runId)
    return { message: 'The run is refused. Nothing of it was sent.', run }
  }

  #read(runId: number): Promise<StoredRun> {
    return this.#options.readTogether(async (stores) => {
      const { run } = await findWaiting(stores, runId)
      return isCall({ run }) ? loadRun(stores.runs, runId) : loadNew(stores.runs, run)
    })
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
