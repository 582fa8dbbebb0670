import type { RunKind } from '@gatehouse/contract'
import { isUniqueViolation } from '../../../db/dialect.ts'
import { AppError } from '../../../kernel/app-error.ts'
import type { Caller } from '../../../kernel/caller.ts'
import type { InTransaction, Stores } from '../../../stores.ts'
import type { KeptStep } from '../ledger/begin-run.ts'
import { decideBegin, lockNumber, scopedKey, type BeginDecision } from '../ledger/idempotency.ts'
import { toKnownRuns } from '../ledger/known-run.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { LiveRun } from '../ledger/live-run.ts'
import { contentHash } from '../steps/body-threads.ts'
import type { PlannedStep } from '../steps/plan-steps.ts'
import type { RunRow } from '../ledger/run-store.ts'
import { getSummary } from '../ledger/run-summary.ts'

interface StartRequest {
  kind: RunKind
  isTest: boolean
  steps: PlannedStep[]
  key: string | undefined
  /** Whether the content serves as the key where the request has none. */
  isContentKey: boolean
  caller: Caller
  requestId: string
  /** The run that this one corrects. It is checked in the transaction that links the two. */
  retry?: {
    of: RunRow
    kept: ReadonlyMap<number, KeptStep>
    check: (stores: Stores) => Promise<void>
    record: (stores: Stores, runId: number) => Promise<void>
  }
}

export type Started = { what: 'began'; live: LiveRun } | { what: 'replay'; runId: number }

/** Makes runs. Of any number of equal requests at once, it makes one run. */
export class RunStarter {
  readonly #inTransaction: InTransaction
  readonly #ledger: Ledger

  constructor(inTransaction: InTransaction, ledger: Ledger) {
    this.#inTransaction = inTransaction
    this.#ledger = ledger
  }

  async start(request: StartRequest): Promise<Started> {
    const { kind, isTest, steps } = request
    const hash = await contentHash({
      kind,
      isTest,
      steps: steps.map(({ target, source, dependencyField }) => ({
        endpointId: target.endpointId,
        body: source.text,
        dependencyField,
      })),
    })
    try {
      return await this.#inTransaction(
        (stores) => this.#startIn(stores, request, hash),
        request.caller,
      )
    } catch (error) {
      if (!isUniqueViolation(error, 'retry_of') && !isUniqueViolation(error, 'run_one_retry'))
        throw error
      throw new AppError('run.superseded', { cause: error })
    }
  }

  async #startIn(stores: Stores, request: StartRequest, contentHash: string): Promise<Started> {
    const { kind, isTest, steps, key, caller, requestId, retry } = request
    const scoped = key === undefined ? undefined : scopedKey(kind, caller.user.id, key)
    // All requests take the locks in the same order: this prevents a deadlock.
    const locks = [contentHash, ...(scoped ? [scoped] : [])]
      .map(lockNumber)
      .toSorted((a, b) => a - b)
    for (const lock of locks) await stores.runs.lock(lock)

    const decision = await this.#decide(stores, request, contentHash, scoped)
    if (decision.what === 'replay') return { what: 'replay', runId: decision.runId }
    if (decision.what !== 'begin') throw await refusalOf(stores, decision)
    await retry?.check(stores)
    const live = await this.#ledger.begin(stores, {
      kind,
      caller,
      requestId,
      isTest,
      steps,
      contentHash,
      clientKey: key,
      scopedKey: scoped ?? null,
      retryOf: retry?.of.id ?? decision.retryOf,
      kept: retry?.kept ?? new Map(),
      // Where the step with the document is kept, the reference is known only from the old run.
      reference: retry && retry.kept.size > 0 ? retry.of.reference : null,
    })
    await retry?.record(stores, live.id)
    await stores.runs.markOvertaken(
      live.id,
      steps.some(({ effect, isDry }) => effect === 'submit' && !isDry) ? contentHash : null,
      retry?.of.id ?? decision.retryOf,
    )
    return { what: 'began', live }
  }

  async #decide(
    { runs }: Stores,
    { isContentKey, steps, key, retry }: StartRequest,
    contentHash: string,
    scoped: string | undefined,
  ): Promise<BeginDecision> {
    const withKey = scoped === undefined ? undefined : await runs.findByKey(scoped)
    const [byKey] = await toKnownRuns(runs, withKey ? [withKey] : [])
    const hasSubmit = steps.some(({ effect, isDry }) => effect === 'submit' && !isDry)
    const isGuarded = isContentKey || hasSubmit
    const rows = isGuarded ? await runs.listByContent(contentHash) : []
    return decideBegin({
      contentHash,
      byKey,
      hasKey: key !== undefined || retry !== undefined,
      sameContent: await toKnownRuns(
        runs,
        rows.filter(({ id }) => id !== retry?.of.id),
      ),
      isContentKey,
      hasSubmit,
      isRetry: retry !== undefined,
    })
  }
}

type Refused = Exclude<BeginDecision, { what: 'begin' } | { what: 'replay' }>

async function refusalOf({ runs }: Stores, decision: Refused): Promise<AppError> {
  const run = await getSummary(runs, decision.runId)
  if (decision.what === 'in_progress')
    return new AppError('run.in_progress', { retryAfterSeconds: 2, extra: { run } })
  if (decision.what === 'key_reused') return new AppError('run.key_reused', { extra: { run } })
  const message = {
    superseded: `Run ${run.id}, with the same content, was corrected by another run.`,
    unresolved: `The same was sent before as run ${run.id}, and its outcome is unknown. Resolve that run first.`,
    may_be_accepted: `The same was sent before as run ${run.id}, and a step of it was accepted: resume or correct that run.`,
  }[decision.what]
  return new AppError(`run.${decision.what}`, { message, extra: { run } })
}
