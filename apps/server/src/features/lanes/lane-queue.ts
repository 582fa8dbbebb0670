import type { InTransaction } from '../../stores.ts'
import type { Caller } from '../../kernel/caller.ts'
import type { Clock } from '../../kernel/clock.ts'
import {
  queuedContentHash,
  queueRun,
  type NewQueuedRun,
  type Queued,
} from '../runs/ledger/queue-run.ts'
import type { Dispatcher } from './dispatcher.ts'

/** Where runs of workflows are handed in. */
export class LaneQueue {
  readonly #inTransaction: InTransaction
  readonly #clock: Clock
  readonly #dispatcher: Dispatcher

  constructor(inTransaction: InTransaction, clock: Clock, dispatcher: Dispatcher) {
    this.#inTransaction = inTransaction
    this.#clock = clock
    this.#dispatcher = dispatcher
  }

  /**
   * Resolves once the run and its input are committed: from then on it is certain to be carried out. See
   * `queueRun`. `caller` is checked again in the transaction.
   */
  async put(run: NewQueuedRun, caller?: Caller): Promise<Queued> {
    const contentHash = queuedContentHash(run)
    const queued = await this.#inTransaction(
      (stores) => queueRun(stores, { ...run, contentHash }, this.#clock.now().toISOString()),
      caller,
    )
    if (queued.what === 'queued') this.#dispatcher.wake(run.workflow.laneId)
    return queued
  }
}
