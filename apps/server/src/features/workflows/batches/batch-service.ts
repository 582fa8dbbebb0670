import { failedStates, type BatchRecord, type RunState } from '@gatehouse/contract'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { AppError } from '../../../kernel/app-error.ts'
import { can, type Actor, type Caller } from '../../../kernel/caller.ts'
import type { ListQuery } from '../../../db/listing.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { InTransaction, Stores } from '../../../stores.ts'
import type { TraceFor } from '../../runs/ledger/reading/run-trace.ts'
import type { ArchivedRuns } from '../../runs/ledger/reading/archived-runs.ts'
import type { RunnableVersions } from '../runs/runnable.ts'
import type { BatchKeeper } from './batch-keeper.ts'
import type { BatchKind } from './inputs/latest-inputs.ts'
import { batchLock, chunkSize, lineBase } from './batch-lines.ts'
import { linesOf, resultsOf } from './batch-results.ts'
import { viewBatch } from './batch-view.ts'
import { retryRejected } from './retry-rejected.ts'

interface BatchServiceOptions {
  stores: Pick<Stores, 'batches'>
  /** On a connection for long reads. */
  longReads: Stores['batches']
  inTransaction: InTransaction
  versions: RunnableVersions
  keeper: BatchKeeper
  clock: Clock
  traceFor: TraceFor
  archived: ArchivedRuns
}

const takenOtherwise =
  'The workflow takes its inputs in another way by now: send the rejected ones in a new batch.'

/** Says what became of batches, and changes them (spec: batches). */
export class BatchService {
  readonly #options: BatchServiceOptions

  constructor(options: BatchServiceOptions) {
    this.#options = options
  }

  async show(params: { slug: string; id: number }, caller: Caller): Promise<BatchRecord> {
    const { longReads, clock } = this.#options
    return viewBatch(longReads, await this.#visible(params, caller), clock)
  }

  async list(slug: string, query: ListQuery) {
    const { longReads, clock } = this.#options
    const { rows, total } = await longReads.list(slug, query)
    const records: BatchRecord[] = []
    for (const row of rows) records.push(await viewBatch(longReads, row, clock))
    return { rows: records, total }
  }

  async results(params: { slug: string; id: number }, format: 'csv' | 'ndjson', caller: Caller) {
    return resultsOf(this.#options.longReads, await this.#visible(params, caller), format)
  }

  /** `failed` finds all `failedStates`. */
  async lines(
    params: { slug: string; id: number },
    { state, ...query }: ListQuery & { state: RunState | 'failed' | '' },
    caller: Caller,
  ) {
    const { longReads } = this.#options
    const batch = await this.#visible(params, caller)
    const states = state === 'failed' ? failedStates : state === '' ? [] : [state]
    const isDescending = query.sort === '-line'
    const { rows, total } = await longReads.listLines(batch, { ...query, states, isDescending })
    return { rows: await linesOf(longReads, rows), total }
  }

  /** `paused: false` goes on. Resolves when the entries of the lane follow. */
  setPaused(params: { slug: string; id: number }, isPaused: boolean, { caller }: Actor) {
    return this.#change(params, caller, { is_paused: isPaused ? 1 : 0 })
  }

  cancel(params: { slug: string; id: number }, { caller }: Actor) {
    return this.#change(params, caller, { cancelled_at: this.#options.clock.now().toISOString() })
  }

  /** Queues the rejected inputs again, in runs that are linked to the first ones. */
  async retry(params: { slug: string; id: number }, actor: Actor) {
    const { inTransaction, keeper, clock, traceFor } = this.#options
    const { workflow, rules } = await this.#options.versions.get(params.slug, actor.caller)
    const row = await this.#visible(params, actor.caller)
    if (row.cancelled_at !== null) throw new AppError('batch.cancelled')
    if (rules.inputsPerRun > 1 !== row.inputs_per_run > 1)
      throw new AppError('record.changed', { message: takenOtherwise })
    let retried = 0
    for (;;) {
      await this.#bringBack(row)
      const done = await inTransaction(async (stores) => {
        await stores.runs.lock(batchLock(row.id))
        const at = { now: clock.now(), traceFor }
        const base = lineBase(workflow, row.is_test === 1, actor, at)
        const count = await retryRejected(stores, row, { ...base, batchId: row.id }, rules)
        if (count > 0) await stores.batches.update(row.id, { is_settled: 0 })
        return count
      }, actor.caller)
      if (done === 0) break
      retried += done
      await nextTurn()
    }
    await keeper.look()
    return { batch: await this.view(row.id), retried }
  }

  /** The inputs of the rejected runs that are taken next may be in the archive. */
  async #bringBack(batch: BatchKind): Promise<void> {
    const { stores, archived } = this.#options
    for (const id of await stores.batches.listArchivedRejected(batch, chunkSize))
      await archived.bringBack(id)
  }

  async #change(
    params: { slug: string; id: number },
    caller: Caller,
    change: { is_paused: 0 | 1 } | { cancelled_at: string },
  ): Promise<BatchRecord> {
    const { inTransaction, keeper } = this.#options
    const { id } = await this.#visible(params, caller)
    await inTransaction(async ({ runs, batches }) => {
      await runs.lock(batchLock(id))
      const row = await batches.find(id)
      if (!row || row.cancelled_at !== null) throw new AppError('batch.cancelled')
      await batches.update(id, { ...change, is_settled: 0 })
    }, caller)
    await keeper.look()
    return this.view(id)
  }

  async #visible({ slug, id }: { slug: string; id: number }, caller: Caller) {
    const row = await this.#options.stores.batches.find(id)
    const isOwn = row?.user_id === caller.user.id
    const isVisible = isOwn || (caller.tokenId === undefined && can(caller, 'workflow.view'))
    if (!row || row.slug !== slug || !isVisible || row.stored_by !== null)
      throw new AppError('batch.not_found')
    return row
  }

  /** A batch that was just changed. */
  async view(id: number): Promise<BatchRecord> {
    const { stores, clock } = this.#options
    const row = await stores.batches.find(id)
    if (!row) throw new AppError('batch.not_found')
    return viewBatch(stores.batches, row, clock)
  }
}
