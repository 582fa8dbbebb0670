import type { FieldErrors } from '@gatehouse/contract'
import { AppError, fieldError } from '../../../kernel/app-error.ts'
import type { Caller } from '../../../kernel/caller.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { CallContext } from '../../../kernel/mount.ts'
import type { InTransaction, Stores } from '../../../stores.ts'
import { auditAction } from './audit-action.ts'
import type { ArchivedRuns } from '../ledger/reading/archived-runs.ts'
import type { KeptStep } from '../ledger/new-run-rows.ts'
import { readKey } from '../ledger/idempotency.ts'
import { mayRetry } from './allowed-actions.ts'
import { answerOf, loadRun, pastPlan, rightOf, type StoredRun } from '../ledger/open-run.ts'
import { planSteps, type PlannedStep } from '../steps/plan-steps.ts'
import { planWorkflowSteps } from '../steps/plan-workflow.ts'
import { rejectedBody } from './rejected-body.ts'
import { refusalOf, surroundingsOf } from './resume-run.ts'
import {
  refuseOtherFields,
  refuseOtherPlace,
  refuseOtherSteps,
  type Repeated,
} from './refuse-other-steps.ts'
import type { RunEngine } from '../engine/run-engine.ts'
import type { PermitsOf } from './permit-soon.ts'
import type { RunStarter } from '../engine/run-starter.ts'
import type { StepRow } from '../ledger/run-store.ts'
import { answerOfRun, getSummary } from '../ledger/reading/run-summary.ts'
import { refuseUnlessSender } from './sender.ts'
import type { Targets } from '../steps/target.ts'

interface RunRetrierOptions {
  targets: Targets
  archived: ArchivedRuns
  inTransaction: InTransaction
  starter: RunStarter
  engine: RunEngine
  clock: Clock
  permitsOf: PermitsOf
}

/** The changes to a step. An absent field keeps the value of the old run. */
export interface Correction extends Repeated {
  body?: string | undefined
  token: string
  dependencyField?: string | undefined
}

interface Retry {
  corrections: ReadonlyMap<number, Correction>
  isFromStart: boolean
  /** See `refuseWhileHeld`. */
  confirmsHeld: boolean
}

/** Makes new runs that replace failed ones, and links the two. */
export class RunRetrier {
  readonly #options: RunRetrierOptions

  constructor(options: RunRetrierOptions) {
    this.#options = options
  }

  async retry(runId: number, retry: Retry, context: CallContext) {
    const { inTransaction, starter, engine, archived } = this.#options
    const { caller, requestId } = context
    const key = readKey(context.header('idempotency-key'))
    await archived.bringBack(runId)
    const stored = await inTransaction(({ runs }) => loadRun(runs, runId))
    const { kind, is_test } = stored.run
    refuseUnlessSender(stored, caller)
    refuseOtherSteps(stored.steps, typedPositions(retry))
    refuseOtherFields(stored, retry.corrections)
    refuseOtherPlace(stored, retry.corrections)
    refuseWorkflowBodies(stored, retry)
    const { kept, steps: keptSteps } = await this.#kept(stored, retry)
    refuseCorrected(kept, retry)
    // With a key the request may be a replay, which is always allowed.
    if (key === undefined)
      await inTransaction((stores) => this.#refuse(stores, stored.run.id, retry.isFromStart))
    const planned = await this.#plan(stored, retry, kept, caller)
    const steps = [...keptSteps, ...planned].toSorted((a, b) => a.position - b.position)
    const started = await starter.start({
      kind,
      isTest: is_test === 1,
      steps,
      key,
      isContentKey: false,
      caller,
      requestId,
      from: context,
      workflow: stored.workflow,
      confirmsHeld: retry.confirmsHeld,
      heals: stored.run.heals === 1,
      permits: await this.#options.permitsOf(stored.run.workflow_id),
      retry: {
        of: stored.run,
        kept,
        check: (stores) => this.#take(stores, stored, retry),
        record: (stores, run) => auditRetry(stores, context, stored, retry, { run, kept }),
      },
    })
    if (started.what === 'replay') context.setHeader('idempotent-replay', 'true')
    else await engine.carryOut(started.live)
    const id = started.what === 'replay' ? started.runId : started.live.id
    return answerOfRun(await inTransaction(({ runs }) => getSummary(runs, id)), context)
  }

  /** The steps that are sent again: of a workflow's run from its version and its input. */
  async #plan(
    stored: StoredRun,
    retry: Retry,
    kept: ReadonlyMap<number, KeptStep>,
    caller: Caller,
  ) {
    const options = { targets: this.#options.targets, caller, isTest: stored.run.is_test === 1 }
    const rows = stored.steps.filter(({ position }) => !kept.has(position))
    const bodies = await Promise.all(rows.map((step) => this.#rejected(step, caller)))
    const open = rows.map((step, index) => inputOf(step, retry, bodies[index]))
    const right = rightOf(stored)
    if (!stored.workflow || !right) return planSteps(open, options)
    const { definition, inputText, moment } = stored.workflow
    const steps = new Map(open.map(({ position, token }) => [position, { token }]))
    return planWorkflowSteps(definition, inputText, { ...options, moment, right, steps })
  }

  /** Of a partly accepted step, what is left to correct. */
  async #rejected(step: StepRow, caller: Caller): Promise<string | undefined> {
    if (step.state !== 'partial') return undefined
    const found = await this.#options.targets.find(step.endpoint_id, caller)
    const settings = found.ok ? found.target.settings.documents : null
    return this.#options.inTransaction((stores) => rejectedBody(stores, step, settings))
  }

  async #refuse(stores: Stores, runId: number, isFromStart: boolean): Promise<void> {
    const fresh = await loadRun(stores.runs, runId)
    const around = await surroundingsOf(stores, fresh, new Map(), this.#options.clock.now())
    const allowed = mayRetry(fresh, around, isFromStart)
    if (!allowed.ok) throw refusalOf(allowed)
  }

  /** Inside the transaction that makes the new run. */
  async #take(stores: Stores, { run }: StoredRun, { isFromStart }: Retry): Promise<void> {
    await this.#refuse(stores, run.id, isFromStart)
    // A request that goes on with the old run now finds that it has changed.
    const isTaken = await stores.runs.moveRun(run, { epoch: run.epoch + 1 })
    if (!isTaken) throw new AppError('run.in_progress', { retryAfterSeconds: 2 })
  }

  /** The steps at the beginning that succeeded, whose answers are reused, or were skipped. */
  async #kept({ steps }: StoredRun, { isFromStart }: Retry) {
    const kept = new Map<number, KeptStep>()
    const planned: PlannedStep[] = []
    const succeeded = isFromStart
      ? []
      : steps.slice(
          0,
          steps.findIndex(({ state }) => state !== 'succeeded' && state !== 'skipped'),
        )
    for (const row of succeeded) {
      const answer = await this.#options.inTransaction(({ runs }) => answerOf(runs, row))
      kept.set(row.position, { row, ...answer })
      planned.push(pastPlan(row))
    }
    return { kept, steps: planned }
  }
}

function auditRetry(
  stores: Stores,
  by: CallContext,
  { run, steps }: StoredRun,
  { corrections, isFromStart }: Retry,
  made: { run: number; kept: ReadonlyMap<number, KeptStep> },
): Promise<void> {
  const changed = steps.filter(({ position, source_body, body }) => {
    const typed = corrections.get(position)?.body
    return typed !== undefined && typed !== (source_body ?? body ?? '')
  })
  return auditAction(stores, by, run, {
    action: isFromStart ? 'run.again' : 'run.correct',
    step: null,
    before: { run_state: run.state },
    after: {
      run: made.run,
      kept_steps: [...made.kept.keys()],
      changed_steps: changed.map(({ position }) => position),
    },
  })
}

function inputOf(step: StepRow, { corrections }: Retry, rejected: string | undefined) {
  const correction = corrections.get(step.position)
  return {
    position: step.position,
    endpointId: step.endpoint_id,
    body: correction?.body ?? rejected ?? step.source_body ?? step.body ?? '',
    token: correction?.token ?? '',
    dependencyField: (correction?.dependencyField ?? step.dependency_field) || null,
  }
}

/** Throws a 422 for a typed body where a workflow makes the bodies from its input. */
function refuseWorkflowBodies({ workflow }: StoredRun, { corrections }: Retry): void {
  if (!workflow) return
  const errors: FieldErrors = {}
  for (const [position, { body }] of corrections) {
    if (body !== undefined)
      errors[`endpoint_${position}.body`] = [
        'The workflow makes this body from its input. Send a new run with a corrected input.',
      ]
  }
  if (Object.keys(errors).length > 0) throw fieldError(errors)
}

/** The positions of the steps for which the user typed something. */
function typedPositions({ corrections }: Retry): number[] {
  return [...corrections].flatMap(([position, { token, ...typed }]) =>
    token !== '' || Object.values(typed).some((value) => value !== undefined) ? [position] : [],
  )
}

/** Throws a 422 for a change of a kept step: it was accepted and is not sent again. */
function refuseCorrected(kept: ReadonlyMap<number, KeptStep>, { corrections }: Retry): void {
  for (const [position, { row }] of kept) {
    const { body, dependencyField } = corrections.get(position) ?? {}
    const isSame =
      (body === undefined || body === (row.source_body ?? row.body)) &&
      (dependencyField === undefined || dependencyField === (row.dependency_field ?? ''))
    if (isSame) continue
    throw fieldError({
      [`endpoint_${position}.body`]: [
        `Step ${position} succeeded and is not sent again, so its body can't be changed.`,
      ],
    })
  }
}
