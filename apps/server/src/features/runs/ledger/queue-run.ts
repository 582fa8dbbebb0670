import type { WorkflowKind } from '@gatehouse/contract'
import { noLease } from '../../../kernel/leases/leased-rows.ts'
import { parseExact } from '@gatehouse/contract/mapping'
import { allOf } from '../../../db/all-of.ts'
import type { NewRow } from '../../../db/tables.ts'
import { AppError } from '../../../kernel/app-error.ts'
import type { Stores } from '../../../stores.ts'
import { queuedContent } from '../steps/bodies/queued-content.ts'
import { decideBegin, lockNumber } from './idempotency.ts'
import { toKnownRuns } from './reading/known-run.ts'
import { enterLane } from '../release/enter-lane.ts'
import { refusalOfBegin } from './refusal-of-begin.ts'
import { traceColumns, type RunTrace } from './reading/run-trace.ts'

/** A run of a workflow, to be carried out when its lane has a place. */
export interface NewQueuedRun {
  workflow: { id: number; version: number; slug: string; kind: WorkflowKind; laneId: number }
  /** JSON, as it was sent. */
  inputText: string
  reference: string | null
  /** Counts where the lane keeps a strict order. */
  orderKey: string | null
  isTest: boolean
  user: { id: number; name: string }
  requestId: string
  trace: RunTrace | null
  /** The caller's idempotency key. Without one, the content is the key (spec: idempotency). */
  key: string | undefined
  /** 0: a caller waits; 1: a line of a batch. */
  priority: 0 | 1
  batch: { id: number; line: number } | null
  /** Not sent after this moment; null: no deadline. */
  deadlineAt: string | null
  /** The result of `queuedContentHash`, where it is known. */
  contentHash?: string
  /** A person has to release it first; absent: it is sent at once. */
  release?: { via: 'agent' | 'token'; askedBy: string; expiresAt: string } | undefined
}

export type Queued = { what: 'queued'; runId: number } | { what: 'replay'; runId: number }

type Content = Pick<NewQueuedRun, 'workflow' | 'isTest' | 'inputText'>

/** The hash of a run's content; see `queuedContent`. */
export const queuedContentHash = ({ workflow, isTest, inputText }: Content): string =>
  queuedContent({ workflowId: workflow.id, isTest, input: parseExact(inputText) })

/**
 * Stores a run with its input and its place in the lane. After the commit the run is certain to be carried
 * out, once it is released where it needs that. The same key with the same content is the same run; with other content it is refused (422). Throws a
 * 503 where the lane takes no new runs. Wake the dispatcher after the commit.
 */
export async function queueRun(stores: Stores, run: NewQueuedRun, now: string): Promise<Queued> {
  const { runs, lanes, withCommit } = stores
  const { workflow, key, user } = run
  const { laneId } = workflow
  const contentHash = run.contentHash ?? queuedContentHash(run)
  const scoped = key === undefined ? null : `workflow:${workflow.id}:${user.id}:${key}`
  // A general run is no document: a key alone says which it is.
  const hasContentKey = run.batch === null && (workflow.kind !== 'general' || key === undefined)
  // All requests take the locks in the same order: this prevents a deadlock.
  const locks = [
    ...(hasContentKey ? [lockNumber(contentHash)] : []),
    ...(scoped === null ? [] : [lockNumber(scoped)]),
  ].toSorted((a, b) => a - b)
  // What decides is read under the locks.
  const locking = allOf(locks.map((lock) => runs.lock(lock)))
  const [, byKey, sameContent, lane, ids] = await allOf([
    locking,
    scoped === null ? undefined : runs.findByKey(scoped),
    hasContentKey ? runs.listByContent(contentHash) : [],
    lanes.find(laneId),
    runs.reserveIds(0),
  ])
  if (byKey) {
    if (byKey.content_sha256 === contentHash) return { what: 'replay', runId: byKey.id }
    throw new AppError('run.key_reused', { extra: { run: { id: byKey.id } } })
  }
  const decision = hasContentKey
    ? decideBegin({
        contentHash,
        byKey: undefined,
        hasKey: key !== undefined,
        sameContent: await toKnownRuns(runs, sameContent),
        isContentKey: true,
        hasSubmit: true,
        isRetry: false,
      })
    : ({ what: 'begin', retryOf: null } as const)
  if (decision.what === 'replay') return decision
  if (decision.what !== 'begin') {
    // Without a key, a run of the same content that is under way is the answer.
    if (decision.what === 'in_progress' && key === undefined)
      return { what: 'replay', runId: decision.runId }
    throw await refusalOfBegin(stores, decision)
  }
  if (!lane) throw new Error(`There is no lane ${laneId}.`)
  if (lane.is_draining) throw new AppError('lane.draining', { retryAfterSeconds: 60 })
  const [id = 0] = ids.run
  const { retryOf } = decision
  withCommit(runs.insertRun(queuedRunRow({ ...run, contentHash }, { id, scoped, now, retryOf })))
  withCommit(runs.insertInput(id, run.inputText))
  if (run.release) withCommit(stores.releases.insert(releaseRow(run, run.release, { id, now })))
  else await enterLane(stores, lane, { ...run, id, now })
  if (sameContent.length > 0) withCommit(runs.overtakeContent(id, contentHash))
  return { what: 'queued', runId: id }
}

const releaseRow = (
  { orderKey }: NewQueuedRun,
  { via, askedBy, expiresAt }: NonNullable<NewQueuedRun['release']>,
  { id, now }: { id: number; now: string },
): NewRow<'run_release'> => ({
  run_id: id,
  via,
  asked_by: askedBy,
  order_key: orderKey,
  asked_at: now,
  expires_at: expiresAt,
})

interface Placed {
  id: number
  /** The key with its user and workflow; null without one. */
  scoped: string | null
  now: string
  /** The run that it repeats or corrects. */
  retryOf?: number | null
}

/** The row of a run that waits in a lane. */
export function queuedRunRow(
  run: NewQueuedRun,
  { id, scoped, now, retryOf = null }: Placed,
): NewRow<'run'> {
  const { workflow, reference, user, requestId, trace, batch } = run
  return {
    id,
    kind: workflow.kind,
    state: run.release ? 'waits_for_release' : 'queued',
    is_test: run.isTest ? 1 : 0,
    idempotency_key: scoped,
    client_key: run.key ?? null,
    content_sha256: run.contentHash ?? null,
    reference,
    retry_of: retryOf,
    user_id: user.id,
    user_name: user.name,
    request_id: requestId,
    created_at: now,
    finished_at: null,
    ...noLease,
    epoch: 1,
    workflow_id: workflow.id,
    workflow_version: workflow.version,
    batch_id: batch?.id ?? null,
    batch_line: batch?.line ?? null,
    ...traceColumns(trace),
    search_text: [
      reference ?? '',
      user.name,
      requestId,
      ...(trace ? [trace.traceId] : []),
      workflow.slug,
    ]
      .join(' ')
      .trim()
      .toLowerCase(),
  }
}
