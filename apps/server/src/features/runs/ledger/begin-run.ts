import { randomUUID } from 'node:crypto'
import type { RunKind } from '@gatehouse/contract'
import { mergeHeaders } from '@gatehouse/upstream'
import type { Caller } from '../../../kernel/caller.ts'
import type { Stores } from '../../../stores.ts'
import { claimCarried, claimStep } from './claim-step.ts'
import type { FrozenRequest } from '../steps/freeze-request.ts'
import type { Leases } from './leases.ts'
import type { LiveRun } from './live-run.ts'
import type { PlannedStep } from '../steps/plan-steps.ts'
import type { StepRow } from './run-store.ts'

/** A step of an earlier run that succeeded: its answer is reused, and it is not sent again. */
export interface KeptStep {
  row: StepRow
  answerText: string | undefined
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
}

/**
 * Stores a run and its steps; this server carries it out. Documents that are known already are
 * claimed here, so that a refusal comes before anything is sent.
 */
export async function beginRun(
  stores: Stores,
  run: NewRun,
  leases: Leases,
  now: string,
): Promise<LiveRun> {
  const { kind, caller, requestId, isTest, steps, kept } = run
  const { id } = await stores.runs.insertRun({
    kind,
    state: 'running',
    is_test: isTest ? 1 : 0,
    is_dry_run: steps.some(({ isDry }) => isDry) ? 1 : 0,
    idempotency_key: run.scopedKey,
    client_key: run.clientKey ?? null,
    content_sha256: run.contentHash,
    reference: run.reference,
    retry_of: run.retryOf,
    user_id: caller.user.id,
    user_name: caller.user.name,
    request_id: requestId,
    created_at: now,
    finished_at: null,
    lease_owner: leases.owner,
    lease_until: leases.until(),
    epoch: 1,
    search_text: [
      run.reference ?? '',
      caller.user.name,
      requestId,
      ...steps.map(({ target }) => target.name),
    ]
      .join(' ')
      .trim()
      .toLowerCase(),
  })
  const first = steps.find(({ position }) => !kept.has(position))
  // The text of the step that is claimed below is stored there: megabytes are written once.
  const opening = first?.request && !first.isDry ? first : undefined
  const uuids = new Map(steps.map(({ position }) => [position, randomUUID()]))
  const inserted = await stores.runs.insertSteps(
    steps.map((plan) => ({
      ...rowOf(plan, kept.get(plan.position), uuids.get(plan.position) ?? ''),
      ...(plan === opening ? { source_body: null } : {}),
      run_id: id,
    })),
  )
  const live: LiveRun = {
    id,
    epoch: 1,
    kind,
    isTest,
    caller,
    requestId,
    steps: [],
    opened: undefined,
  }
  for (const plan of steps) {
    const row = inserted.find(({ position }) => position === plan.position)
    const reused = kept.get(plan.position)
    live.steps.push({
      id: row?.id ?? 0,
      uuid: uuids.get(plan.position) ?? '',
      plan,
      state: reused ? 'succeeded' : 'waiting',
      frozen: undefined,
      isResend: false,
      mayHaveArrived: false,
      answerText: reused?.answerText,
    })
    const isKnown = plan.source.takes.length === 0 && !plan.isDry && !reused
    if (isKnown) await claimCarried(stores, live, plan, documentOf(plan), now)
  }
  live.opened = await openFirst(stores, live, leases, now)
  return live
}

const documentOf = ({ document }: PlannedStep) => ({ ok: true, document }) as const

/** Claims the first step with the run where its request is complete: this saves a commit. */
async function openFirst(stores: Stores, live: LiveRun, leases: Leases, now: string) {
  const step = live.steps.find(({ state }) => state === 'waiting')
  if (!step?.plan.request || step.plan.isDry) return undefined
  const request = withStepKey(step.plan.request, step.plan, step.uuid)
  const { owner } = leases
  const claim = { live, step, request, carried: documentOf(step.plan), now, owner }
  return claimStep(stores, { ...claim, leaseUntil: leases.until() })
}

function rowOf(plan: PlannedStep, kept: KeptStep | undefined, uuid: string) {
  const { position, target, effect, source, dependencyField, credential, isDry } = plan
  const columns = {
    position,
    endpoint_id: target.endpointId,
    endpoint_name: target.name,
    effect,
    state: kept ? 'succeeded' : 'waiting',
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
      reused_from: null,
    }
  }
  const { method, url, headers, body, frozen_at, reused_from, id } = kept.row
  return {
    ...columns,
    method,
    url,
    headers,
    body,
    frozen_at,
    reused_from: reused_from ?? id,
    message: 'Kept from the run that this one corrects; not sent again.',
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
