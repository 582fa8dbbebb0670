import type { RunKind } from '@gatehouse/contract'
import { leaseColumns } from '../../../kernel/leases/leased-rows.ts'
import type { NewRow } from '../../../db/tables.ts'
import type { Caller } from '../../../kernel/caller.ts'
import type { PlannedStep } from '../steps/plan-steps.ts'
import type { LiveStep, Permits } from './reading/live-run.ts'
import type { StepRow } from './run-store.ts'
import { traceColumns, type RunTrace } from './reading/run-trace.ts'

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
  trace: RunTrace | null
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
  /** When it was taken, where that was before this moment: what its body says of the time is of then. */
  takenAt?: string | undefined
  /** What its calls wait for; absent: for nothing. */
  permits?: Permits | undefined
  /** Healing looks after it although a person has sent it. */
  heals?: boolean | undefined
}

/** What a new run holds from its begin: the server, until when, and the moment. */
export interface Lease {
  owner: string
  leaseUntil: string
  now: string
}

/** `reference`: of the first document, where it is known. */
export function runRowOf(
  run: NewRun,
  id: number,
  reference: string | null,
  { owner, leaseUntil, now }: Lease,
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
    created_at: run.takenAt ?? now,
    finished_at: null,
    ...leaseColumns({ owner, until: leaseUntil }),
    taken_at: now,
    epoch: 1,
    ...traceColumns(run.trace),
    workflow_id: run.workflow?.id ?? null,
    workflow_version: run.workflow?.version ?? null,
    heals: run.heals ? 1 : 0,
    search_text: [
      reference ?? '',
      caller.user.name,
      requestId,
      ...(run.trace ? [run.trace.traceId] : []),
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
export const stateOf = ({ skipped }: PlannedStep, kept: KeptStep | undefined) =>
  kept ? kept.row.state : skipped === undefined ? 'waiting' : 'skipped'

/** `kept`: the step of an earlier run whose answer it reuses. */
export function stepRowOf({ id, uuid, plan }: LiveStep, kept: KeptStep | undefined) {
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
