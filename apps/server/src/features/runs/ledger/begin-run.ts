import { randomUUID } from 'node:crypto'
import { referenceKey } from '@gatehouse/contract/reference-key'
import { mergeHeaders } from '@gatehouse/upstream'
import { allOf } from '../../../db/all-of.ts'
import type { Stores } from '../../../stores.ts'
import { claimCarried, frozenColumns, openAttempt } from './claim-step.ts'
import type { FrozenRequest } from '../steps/freeze-request.ts'
import type { Leases } from '../../../kernel/leases/leases.ts'
import type { LiveRun, LiveStep } from './reading/live-run.ts'
import { findRight, refuseUnlessStillAllowed, refuseWithoutRight } from './may-still-send.ts'
import type { PlannedStep } from '../steps/plan-steps.ts'
import { runRowOf, stateOf, stepRowOf, type Lease, type NewRun } from './new-run-rows.ts'

/** Of a run that is about to be stored: its id, those of its steps in their order, and the right to send the first. */
export type BeginFacts = Awaited<ReturnType<typeof findBeginFacts>>

type Beginning = Pick<NewRun, 'steps' | 'kept' | 'permits' | 'caller' | 'workflow'>

/** Reads what `beginRun` needs, so that this shares a round trip with what decides whether a run is made. */
export async function findBeginFacts(stores: Stores, run: Beginning) {
  const { caller, workflow } = run
  const first = run.steps.find((plan) => stateOf(plan, run.kept.get(plan.position)) === 'waiting')
  const [ids, right] = await allOf([
    stores.runs.reserveIds(run.steps.length),
    first &&
      requestToOpen(first, run) &&
      findRight(stores, { caller, ...(workflow ? { workflowId: workflow.id } : {}) }, first),
  ])
  return { ids, right }
}

/** The request of a first step that is opened with its run; undefined where it is incomplete, dry or waits for a permit. */
const requestToOpen = (plan: PlannedStep, { permits }: Pick<NewRun, 'permits'>) =>
  plan.isDry || permits ? undefined : plan.request

/**
 * Stores a run and its steps; this server carries it out. Documents are claimed here, so that a refusal comes before
 * anything is sent. The first step is claimed too where its request is complete: this saves a commit.
 */
export async function beginRun(
  stores: Stores,
  run: NewRun,
  { ids, right }: BeginFacts,
  leases: Leases,
  now: string,
): Promise<LiveRun> {
  const lease = { owner: leases.owner, leaseUntil: leases.until(), now }
  const live: LiveRun = { ...headOf(run, ids, lease), steps: stepsOf(run, ids.run_step) }
  const reference = run.reference ?? referenceOf(live)
  live.hasReference = reference !== null
  const opening = openingOf(live)
  if (opening) refuseWithoutRight(right, live, opening.step.plan)
  const { runs, withCommit } = stores
  withCommit(runs.insertRun(runRowOf(run, live.id, reference, lease)))
  if (run.workflow) withCommit(runs.insertInput(live.id, run.workflow.inputText))
  await beginSteps(stores, live, opening, { ...lease, kept: run.kept })
  return live
}

/**
 * Stores the steps of a run that was taken from its lane, like `beginRun`. `isClaiming` false: each document
 * is claimed with its step, and nothing is opened.
 */
export async function beginQueued(
  stores: Stores,
  live: LiveRun,
  { steps, isClaiming }: { steps: readonly PlannedStep[]; isClaiming: boolean },
  leases: Leases,
  now: string,
): Promise<void> {
  const kept = new Map()
  live.steps = stepsOf({ steps, kept }, await stores.runs.reserveStepIds(steps.length))
  live.opened = undefined
  if (!isClaiming) {
    await stores.runs.insertSteps(stepRowsOf(live, kept, undefined, now))
    return
  }
  const opening = openingOf(live)
  await allOf([
    opening && refuseUnlessStillAllowed(stores, live, opening.step.plan),
    beginSteps(stores, live, opening, { owner: leases.owner, now, kept }),
  ])
}

interface FirstOpening {
  step: LiveStep
  request: FrozenRequest
}

/** The first step that is left, where it is opened with the run. */
function openingOf(live: LiveRun): FirstOpening | undefined {
  const step = live.steps.find(({ state }) => state === 'waiting')
  const request = step && requestToOpen(step.plan, live)
  return step && request && { step, request: withStepKey(request, step.plan, step.uuid) }
}

async function beginSteps(
  stores: Stores,
  live: LiveRun,
  opening: FirstOpening | undefined,
  { owner, now, kept }: Pick<Lease, 'owner' | 'now'> & Pick<NewRun, 'kept'>,
): Promise<void> {
  stores.withCommit(stores.runs.insertSteps(stepRowsOf(live, kept, opening, now)))
  const claiming = claimKnown(stores, live, now)
  const attempt = opening && openAttempt(stores, { live, ...opening, now, owner })
  await claiming
  if (opening) opening.step.state = 'sending'
  live.opened = attempt
}

const stepRowsOf = (
  live: LiveRun,
  kept: NewRun['kept'],
  opening: FirstOpening | undefined,
  now: string,
) =>
  live.steps.map((step) => ({
    ...stepRowOf(step, kept.get(step.plan.position)),
    ...(step === opening?.step
      ? { state: 'sending' as const, ...frozenColumns(step.plan, opening.request, now) }
      : {}),
    run_id: live.id,
  }))

const headOf = (
  { kind, caller, requestId, trace, isTest, workflow, permits }: NewRun,
  ids: BeginFacts['ids'],
  { leaseUntil, now: takenAt }: Lease,
) => ({
  id: ids.run[0] ?? 0,
  epoch: 1,
  leaseUntil,
  kind,
  isTest,
  caller,
  requestId,
  trace,
  takenAt,
  ...(workflow ? { workflowId: workflow.id, workflowVersion: workflow.version } : {}),
  permits,
  opened: undefined,
})

const stepsOf = (
  { steps, kept }: { steps: readonly PlannedStep[]; kept: NewRun['kept'] },
  ids: readonly number[],
): LiveStep[] =>
  steps.map((plan, index) => {
    const reused = kept.get(plan.position)
    return {
      id: ids[index] ?? 0,
      uuid: randomUUID(),
      plan,
      state: stateOf(plan, reused),
      frozen: undefined,
      isResend: false,
      mayHaveArrived: false,
      answerText: reused?.answerText,
      answerStatus: reused?.answerStatus,
    }
  })

/** The steps that are to be sent and whose documents are known already. */
const knownSteps = ({ steps }: LiveRun) =>
  steps.filter(
    ({ plan, state }) => state === 'waiting' && plan.source.takes.length === 0 && !plan.isDry,
  )

/** The reference of the run's first document; null where a claim has to find what it credits first. */
function referenceOf(live: LiveRun): string | null {
  const [document] = knownSteps(live)
    .filter(({ plan }) => plan.effect !== 'read')
    .flatMap(({ plan }) => plan.documents)
  return document?.originalReference === null ? document.reference : null
}

async function claimKnown(stores: Stores, live: LiveRun, now: string): Promise<void> {
  const steps = knownSteps(live)
  const claim = ({ plan }: LiveStep) =>
    claimCarried(stores, live, plan, { ok: true, documents: plan.documents }, now)
  const references = steps.flatMap(({ plan }) =>
    plan.documents.map(({ reference }) => referenceKey(reference)),
  )
  if (new Set(references).size === references.length) await allOf(steps.map(claim))
  // A claim has to see those of the steps before it that carry the same document.
  else for (const step of steps) await claim(step)
}

/** The request with the header that carries the step's UUID, where the endpoint names one. */
export function withStepKey(
  request: FrozenRequest,
  plan: Pick<PlannedStep, 'target'>,
  uuid: string,
): FrozenRequest {
  const name = plan.target.settings.idempotency_header
  if (name === '') return request
  return { ...request, headers: mergeHeaders(request.headers, [[name, uuid]]) }
}
