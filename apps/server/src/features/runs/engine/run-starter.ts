import type { RunKind } from '@gatehouse/contract'
import { allOf } from '../../../db/all-of.ts'
import { isUniqueViolation } from '../../../db/dialect.ts'
import { AppError } from '../../../kernel/app-error.ts'
import type { Caller } from '../../../kernel/caller.ts'
import type { InTransaction, Stores } from '../../../stores.ts'
import { findBeginFacts } from '../ledger/begin-run.ts'
import type { KeptStep, NewRun } from '../ledger/new-run-rows.ts'
import { decideBegin, lockNumber, scopedKey, type BeginDecision } from '../ledger/idempotency.ts'
import { refusalOfBegin } from '../ledger/refusal-of-begin.ts'
import { findHoldOf, refuseHeld } from '../ledger/refuse-while-held.ts'
import { toKnownRuns } from '../ledger/reading/known-run.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { LiveRun } from '../ledger/reading/live-run.ts'
import type { TraceFor, TraceSource } from '../ledger/reading/run-trace.ts'
import { contentHash } from '../steps/bodies/body-threads.ts'
import type { PlannedStep } from '../steps/plan-steps.ts'
import type { RunRow } from '../ledger/run-store.ts'

interface StartRequest {
  kind: RunKind
  isTest: boolean
  steps: PlannedStep[]
  key: string | undefined
  /** Whether the content serves as the key where the request has none. */
  isContentKey: boolean
  caller: Caller
  requestId: string
  /** The call that starts it. */
  from: TraceSource
  /** What the run carries out, where it corrects the run of a workflow. */
  workflow?: NewRun['workflow']
  permits?: NewRun['permits']
  /** The user knows that it may have been sent before the restore of a backup. */
  confirmsHeld: boolean
  takenAt?: NewRun['takenAt']
  heals?: NewRun['heals']
  /** The run that this one corrects. It is checked in the transaction that links the two. */
  retry?: {
    of: RunRow
    kept: ReadonlyMap<number, KeptStep>
    check: (stores: Stores) => Promise<void>
    record: (stores: Stores, runId: number) => Promise<void>
  }
}

type Started = { what: 'began'; live: LiveRun } | { what: 'replay'; runId: number }

/** Makes runs. Of any number of equal requests at once, it makes one run. */
export class RunStarter {
  readonly #inTransaction: InTransaction
  readonly #ledger: Ledger
  readonly #traceFor: TraceFor

  constructor(inTransaction: InTransaction, ledger: Ledger, traceFor: TraceFor) {
    this.#inTransaction = inTransaction
    this.#ledger = ledger
    this.#traceFor = traceFor
  }

  async start(request: StartRequest): Promise<Started> {
    const hash = await hashOf(request)
    try {
      return await this.#inTransaction(
        (stores, checked) => this.#startIn(stores, checked, request, hash),
        request.caller,
        { isCheckedBeside: true, sharesCommit: true },
      )
    } catch (error) {
      if (!isUniqueViolation(error, 'retry_of') && !isUniqueViolation(error, 'run_one_retry'))
        throw error
      throw new AppError('run.superseded', { cause: error })
    }
  }

  async #startIn(
    stores: Stores,
    checked: Promise<void>,
    request: StartRequest,
    contentHash: string,
  ): Promise<Started> {
    const { kind, isTest, steps, key, caller, requestId, retry } = request
    const scoped = key === undefined ? undefined : scopedKey(kind, caller.user.id, key)
    // All requests take the locks in the same order: this prevents a deadlock.
    const locks = [contentHash, ...(scoped ? [scoped] : [])]
      .map(lockNumber)
      .toSorted((a, b) => a - b)
    // What decides is read under the locks.
    const kept = retry?.kept ?? new Map()
    const [, decision, facts, hold] = await allOf([
      checked,
      this.#decide(stores, request, contentHash, scoped, locks),
      findBeginFacts(stores, { ...request, kept }),
      findHoldOf(stores, request),
    ])
    if (decision.what === 'replay') return { what: 'replay', runId: decision.runId }
    if (decision.what !== 'begin') throw await refusalOfBegin(stores, decision)
    refuseHeld(hold)
    await retry?.check(stores)
    const live = await this.#ledger.begin(
      stores,
      {
        kind,
        caller,
        requestId,
        trace: this.#traceFor(request.from),
        isTest,
        steps,
        contentHash,
        clientKey: key,
        scopedKey: scoped ?? null,
        retryOf: retry?.of.id ?? decision.retryOf,
        kept,
        // Where the step with the document is kept, the reference is known only from the old run.
        reference: retry && retry.kept.size > 0 ? retry.of.reference : null,
        workflow: request.workflow,
        permits: request.permits,
        takenAt: request.takenAt,
        heals: request.heals,
      },
      facts,
    )
    await retry?.record(stores, live.id)
    const retryOf = retry?.of.id ?? decision.retryOf
    if (retryOf !== null) stores.withCommit(stores.runs.overtake(live.id, retryOf))
    if (hasSubmit(steps)) stores.withCommit(stores.runs.overtakeContent(live.id, contentHash))
    return { what: 'began', live }
  }

  async #decide(
    { runs }: Stores,
    { isContentKey, steps, key, retry }: StartRequest,
    contentHash: string,
    scoped: string | undefined,
    locks: readonly number[],
  ): Promise<BeginDecision> {
    const isGuarded = isContentKey || hasSubmit(steps)
    const locking = allOf(locks.map((lock) => runs.lock(lock)))
    const [, withKey, rows] = await allOf([
      locking,
      scoped === undefined ? undefined : runs.findByKey(scoped),
      isGuarded ? runs.listByContent(contentHash) : [],
    ])
    const [byKey] = await toKnownRuns(runs, withKey ? [withKey] : [])
    return decideBegin({
      contentHash,
      byKey,
      hasKey: key !== undefined || retry !== undefined,
      sameContent: await toKnownRuns(
        runs,
        rows.filter(({ id }) => id !== retry?.of.id),
      ),
      isContentKey,
      hasSubmit: hasSubmit(steps),
      isRetry: retry !== undefined,
    })
  }
}

const hasSubmit = (steps: readonly PlannedStep[]) =>
  steps.some(({ effect, isDry }) => effect === 'submit' && !isDry)

/** The input makes the content of a workflow's run: a correction has the same. */
async function hashOf({ kind, isTest, steps, workflow, retry }: StartRequest): Promise<string> {
  if (workflow && retry?.of.content_sha256) return retry.of.content_sha256
  const content = steps.map(({ target, source, dependencyField }) => ({
    endpointId: target.endpointId,
    body: source.text,
    dependencyField,
  }))
  const input = workflow
    ? [{ endpointId: 0, body: `${workflow.id} ${workflow.inputText}`, dependencyField: null }]
    : []
  return contentHash({ kind, isTest, steps: [...input, ...content] })
}
