import type { Logger } from 'pino'
import type { Clock } from '../../../kernel/clock.ts'
import { Rounds } from '../../../kernel/rounds.ts'
import type { InTransaction, Stores } from '../../../stores.ts'
import { removeFromLane } from '../../runs/ledger/leave-lane.ts'
import { batchLock, chunkSize, untilDone } from './batch-lines.ts'
import type { BatchRow } from './batch-store.ts'

const lookEveryMs = 2_000
/** A server stores a batch within minutes. */
const abandonedAfterMs = 3_600_000

interface BatchKeeperOptions {
  inTransaction: InTransaction
  clock: Clock
  log: Logger
  owner: string
  wake: (laneId: number) => void
}

/**
 * Makes the entries of batches in their lanes follow what was asked for the batch: queued, paused or
 * cancelled. It goes on after a crash, on any server, and works in small transactions, so that other
 * calls are not delayed.
 */
export class BatchKeeper {
  readonly #options: BatchKeeperOptions
  readonly #rounds: Rounds
  #isStopping = false
  /** Batches that are to be removed. */
  readonly #left = new Set<number>()

  constructor(options: BatchKeeperOptions) {
    this.#options = options
    this.#rounds = new Rounds({
      everyMs: lookEveryMs,
      work: () => this.#settleAll(),
      log: options.log,
      failure: 'batches can’t be settled',
    })
  }

  /** Removes what this server left half stored when it died, then looks every two seconds. */
  async start(): Promise<void> {
    await this.#discardAbandoned()
    this.#rounds.start()
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    await this.#rounds.stop()
  }

  /** Settles every batch, once. A second caller waits for the look under way. */
  look(): Promise<void> {
    return this.#rounds.look()
  }

  /**
   * Removes the runs of a batch that could not be stored whole. None of them was sent. Where that fails, as
   * on a disk that is full, each look tries again: until then its key is taken.
   */
  async discard(id: number): Promise<void> {
    const { inTransaction } = this.#options
    this.#left.add(id)
    await untilDone(inTransaction, async ({ batches }) => {
      // The commit that stored it may have been confirmed too late: then its runs are under way.
      const batch = await batches.find(id)
      return batch?.stored_by ? batches.discardRuns(id, chunkSize) : 0
    })
    await inTransaction(({ batches }) => batches.discard(id))
    this.#left.delete(id)
  }

  async #discardAbandoned(): Promise<void> {
    const { inTransaction, clock, owner, log } = this.#options
    const before = new Date(clock.now().getTime() - abandonedAfterMs).toISOString()
    for (const { id } of await inTransaction(({ batches }) =>
      batches.listAbandoned(owner, before),
    )) {
      await this.discard(id)
      log.warn(
        { batch_id: id },
        'a batch that was not stored whole is removed; nothing of it was sent',
      )
    }
  }

  async #settleAll(): Promise<void> {
    const { inTransaction } = this.#options
    for (const batch of await inTransaction(({ batches }) => batches.listUnsettled())) {
      if (this.#isStopping) return
      await this.#settle(batch)
    }
    for (const id of this.#left) await this.discard(id)
  }

  async #settle(batch: BatchRow): Promise<void> {
    const { inTransaction, wake } = this.#options
    const { id, lane_id } = batch
    if (batch.cancelled_at !== null) {
      await untilDone(inTransaction, (stores) => this.#cancelSome(stores, batch))
      // What was begun goes on: a step of it may have been accepted.
      await this.#move(id, 'waiting', 'queued')
    } else if (batch.is_paused === 1) await this.#move(id, 'queued', 'waiting')
    else await this.#move(id, 'waiting', 'queued')
    // A paused batch is looked at again: a run that is tried again returns to its lane.
    if (batch.is_paused === 0 || batch.cancelled_at !== null)
      await inTransaction((stores) => settleUnlessChanged(stores, batch))
    wake(lane_id)
  }

  #move(id: number, from: 'queued' | 'waiting', to: 'queued' | 'waiting'): Promise<number> {
    const { inTransaction } = this.#options
    return untilDone(inTransaction, ({ batches }) => batches.moveEntries(id, from, to, 500))
  }

  async #cancelSome(stores: Stores, { id }: BatchRow): Promise<number> {
    const now = this.#options.clock.now().toISOString()
    const entries = await stores.batches.listNeverBegun(id, chunkSize)
    for (const { epoch, ...entry } of entries) {
      const run = { id: entry.run_id, epoch, state: 'queued' as const }
      const isTaken = await stores.runs.moveRun(run, { state: 'cancelled', finished_at: now })
      if (isTaken) await removeFromLane(stores, entry)
    }
    return entries.length
  }
}

/**
 * Another request may have changed the batch, or brought runs back to its lane: then it is settled once more.
 * Under the lock of these requests, since one that is not committed yet can't be seen.
 */
async function settleUnlessChanged({ runs, batches }: Stores, batch: BatchRow): Promise<void> {
  await runs.lock(batchLock(batch.id))
  const now = await batches.find(batch.id)
  if (now?.is_paused !== batch.is_paused || now.cancelled_at !== batch.cancelled_at) return
  if ((await batches.moveEntries(batch.id, 'waiting', 'queued', 1)) > 0) return
  await batches.update(batch.id, { is_settled: 1 })
}
