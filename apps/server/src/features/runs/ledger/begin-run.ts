import { randomUUID } from 'node:crypto'
import type { RunKind } from '@gatehouse/contract'
import { mergeHeaders } from '@gatehouse/upstream'
import { allOf } from '../../../db/all-of.ts'
import type { NewRow } from '../../../db/tables.ts'
import type { Caller } from '../../../kernel/caller.ts'
import type { Stores } from '../../../stores.ts'
import { claimCarried, frozenColumns, openAttempt } from './claim-step.ts'
import type { FrozenRequest } from '../steps/freeze-request.ts'
import type { Leases } from './leases.ts'
import type { LiveRun, LiveStep, Permits } from './live-run.ts'
import { refuseUnlessStillAllowed } from './may-still-send.ts'
import type { PlannedStep } from '../steps/plan-steps.ts'
import type { StepRow } from './run-store.ts'

/**
 * A step of an earlier run that succeeded or was skipped: its answer is reused, and it is not sent
 * again.
 */
export interface KeptStep {
  row: StepRow
  answerText: string | undefined
  answerStatus?: number | undefined
}

export interface NewRun {
  kind: RunKind
  caller: Caller
  requestId: string
  isTest: boolean
  steps: PlannedStep[]
  contentHash: string
  clientKey: string | undefined
  scopedKey: string | null
  retryOf: number | null
  /** The reference of the document, where an earlier run has it. */
  reference: string | null
  kept: ReadonlyMap<number, KeptStep>
  /** The version of a workflow that the run carries out, and its input as it was sent. */
  workflow?: { id: number; version: number; inputText: string } | undefined
  /** What its calls wait for; absent: for nothing. */
  permits?: Permits | undefined
}

/** The ids of a run that is about to be stored, and those of its steps in their order. */
export type RunIds = Awaited<ReturnType<Stores['runs']['reserveIds']>>

/**
 * Stores a run and its steps; this server carries it out. Documents that are known already are
 * claimed here, so that a refusal comes before anything is sent. The first step is claimed with the
 * run where its request is complete: this saves a commit.
 */
export async function beginRun(
  stores: Stores,
  run: NewRun,
  ids: RunIds,
  leases: Leases,
  now: string,
): Promise<LiveRun> {
  const live: LiveRun = { ...headOf(run, ids), steps: stepsOf(run, ids.run_step) }
  const reference = run.reference ?? referenceOf(live)
  live.hasReference = reference !== null
  const lease = { owner: leases.owner, leaseUntil: leases.until(), now }
  await allOf([
    stores.runs.insertRun(rowOf(run, live.id, reference, lease)),
    beginSteps(stores, live, run.kept, lease),
    run.workflow && stores.runs.insertInput(live.id, run.workflow.inputText),
  ])
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
  const lease = { owner: leases.owner, leaseUntil: leases.until(), now }
  if (isClaiming) await beginSteps(stores, live, kept, lease)
  else await stores.runs.insertSteps(stepRowsOf(live, kept, undefined, now))
}

interface Lease {
  owner: string
  leaseUntil: string
  now: string
}

async function beginSteps(
  stores: Stores,
  live: LiveRun,
  kept: NewRun['kept'],
  { owner, leaseUntil, now }: Lease,
): Promise<void> {
  const first = live.steps.find(({ state }) => state === 'waiting')
  // A call that waits for a permit is opened when it has one.
  const request = first && !first.plan.isDry && !live.permits ? first.plan.request : undefined
  const opening = first &&
    request && { step: first, request: withStepKey(request, first.plan, first.uuid) }
  const [, , , attempt] = await allOf([
    stores.runs.insertSteps(stepRowsOf(live, kept, opening, now)),
    claimKnown(stores, live, now),
    opening && refuseUnlessStillAllowed(stores, live, opening.step.plan),
    opening && openAttempt(stores, { live, ...opening, now, owner, leaseUntil }),
  ])
  if (opening) opening.step.state = 'sending'
  live.opened = attempt
}

const stepRowsOf = (
  live: LiveRun,
  kept: NewRun['kept'],
  opening: { step: LiveStep; request: FrozenRequest } | undefined,
  now: string,
) =>
  live.steps.map((step) => ({
    ...stepRowOf(step, kept.get(step.plan.position)),
    ...(step === opening?.step
      ? { state: 'sending' as const, ...frozenColumns(step.plan, opening.request, now) }
      : {}),
    run_id: live.id,
  }))

const headOf = ({ kind, caller, requestId, isTest, workflow, permits }: NewRun, ids: RunIds) => ({
  id: ids.run[0] ?? 0,
  epoch: 1,
  kind,
  isTest,
  caller,
  requestId,
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
  const references = steps.flatMap(({ plan }) => plan.documents.map(({ reference }) => reference))
  if (new Set(references).size === references.length) {
    await allOf(steps.map(claim))
    return
  }
  // A claim has to see those of the steps before it that carry the same document.
  for (const step of steps) await claim(step)
}

function rowOf(
  run: NewRun,
  id: number,
  reference: string | null,
  { owner, leaseUntil, now }: { owner: string; leaseUntil: string; now: string },
): NewRow<'run'> {
  const { kind, caller, requestId, isTest, steps } = run
  return {
    id,
    kind,
    state: 'running',
    is_test: isTest ? 1 : 0,
    is_dry_run: steps.some(({ isDry }) => isDry) ? 1 : 0,
    idempotency_key: run.scopedKey,
    client_key: run.clientKey ?? null,
    content_sha256: run.contentHash,
    reference,
    retry_of: run.retryOf,
    user_id: caller.user.id,
    user_name: caller.user.name,
    request_id: requestId,
    created_at: now,
    finished_at: null,
    lease_owner: owner,
    lease_until: leaseUntil,
    epoch: 1,
    workflow_id: run.workflow?.id ?? null,
    workflow_version: run.workflow?.version ?? null,
    search_text: [
      reference ?? '',
      caller.user.name,
      requestId,
      ...steps.map(({ target }) => target.name),
      // The first one is the reference of the run.
      ...steps.flatMap(({ documents }) => documents.slice(1).map((each) => each.reference)),
    ]
      .join(' ')
      .trim()
      .toLowerCase(),
  }
}

/** The state in which a step begins. */
const stateOf = ({ skipped }: PlannedStep, kept: KeptStep | undefined) =>
  kept ? kept.row.state : skipped === undefined ? 'waiting' : 'skipped'

function stepRowOf({ id, uuid, plan }: LiveStep, kept: KeptStep | undefined) {
  const { position, target, effect, source, dependencyField, credential, isDry } = plan
  const columns = {
    id,
    position,
    endpoint_id: target.endpointId,
    endpoint_name: target.name,
    effect,
    state: stateOf(plan, kept),
    uuid,
    source_body: source.text,
    dependency_field: dependencyField,
    is_dry: isDry ? 1 : 0,
    has_credential: credential.kind === 'none' ? 0 : 1,
  } as const
  if (!kept) {
    return {
      ...columns,
      method: target.method,
      url: '',
      headers: '{}',
      body: null,
      frozen_at: null,
      reused_from: null,
      message: plan.skipped ?? null,
    }
  }
  const { method, url, headers, body, frozen_at, reused_from } = kept.row
  return {
    ...columns,
    method,
    url,
    headers,
    body,
    frozen_at,
    reused_from: reused_from ?? kept.row.id,
    message:
      kept.row.state === 'skipped'
        ? kept.row.message
        : 'Kept from the run that this one corrects; not sent again.',
  }
}

/** The request with the header that carries the step's UUID, where the endpoint names one. */
export function withStepKey(
  request: FrozenRequest,
  plan: PlannedStep,
  uuid: string,
): FrozenRequest {
  const name = plan.target.settings.idempotency_header
  if (name === '') return request
  return { ...request, headers: mergeHeaders(request.headers, [[name, uuid]]) }
}
