import type { Logger } from 'pino'
import type { Clock } from '../../../kernel/clock.ts'
import { Rounds } from '../../../kernel/rounds.ts'
import type { InTransaction, Stores } from '../../../stores.ts'
import { viewBatch } from '../batches/batch-view.ts'
import type { CallbackUrls } from './callback-urls.ts'

const everyMs = 2_000
const atOnce = 100

interface BatchReporterOptions {
  inTransaction: InTransaction
  clock: Clock
  log: Logger
  urls: CallbackUrls
}

type Unreported = Awaited<ReturnType<Stores['callbacks']['listUnreported']>>[number]

/**
 * Leaves a message in the outbox when a batch has ended: no run of it is queued, under way or pending. Each
 * batch is reported once, by one server.
 */
export class BatchReporter {
  readonly #options: BatchReporterOptions
  readonly #rounds: Rounds

  constructor(options: BatchReporterOptions) {
    this.#options = options
    this.#rounds = new Rounds({
      everyMs,
      work: () => this.#reportAll(),
      log: options.log,
      failure: 'the ends of batches can’t be reported',
    })
  }

  start(): void {
    this.#rounds.start()
  }

  stop(): Promise<void> {
    return this.#rounds.stop()
  }

  /** Reports every batch that has ended, once. */
  look(): Promise<void> {
    return this.#rounds.look()
  }

  async #reportAll(): Promise<void> {
    const { inTransaction } = this.#options
    let after = 0
    for (;;) {
      const batches = await inTransaction(({ callbacks }) =>
        callbacks.listUnreported(after, atOnce),
      )
      for (const batch of batches)
        await inTransaction((stores) => this.#reportIfEnded(stores, batch))
      if (batches.length < atOnce) return
      after = batches.at(-1)?.id ?? after
    }
  }

  async #reportIfEnded(stores: Stores, batch: Unreported): Promise<void> {
    const { clock, urls } = this.#options
    const of = { id: batch.workflow_id, version: batch.workflow_version }
    const url = await urls.of(stores, of)
    if (url !== null && (await stores.callbacks.hasOpenRuns(batch.id))) return
    const timestamp = clock.now().toISOString()
    const isOurs = await stores.callbacks.markReported(batch.id, timestamp)
    const row = await stores.batches.find(batch.id)
    if (!isOurs || !row || url === null) return
    const type = 'batch.finished'
    const data = { batch: await viewBatch(stores.batches, row, clock) }
    await stores.deliveries.insert({
      kind: 'callback',
      channel: 'webhook',
      subject: type,
      target: { url, secret: { of: 'workflow', id: of.id } },
      payload: JSON.stringify({ type, timestamp, data }),
      workflowId: of.id,
      batchId: batch.id,
    })
  }
}
