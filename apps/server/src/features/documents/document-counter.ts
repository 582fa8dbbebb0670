import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Logger } from 'pino'
import { quarterMs, startOfQuarter } from '../../db/quarters.ts'
import type { Clock } from '../../kernel/clock.ts'
import { Rounds } from '../../kernel/rounds.ts'
import type { InTransaction } from '../../stores.ts'

/** How long counts are kept: fourteen days of any time zone. */
const countedDays = 16
const dayMs = 86_400_000
/** So many quarters in one transaction, and so many changes: on SQLite others wait for it. */
const quartersAtOnce = 8
const changesAtOnce = 2_000

interface DocumentCounterOptions {
  inTransaction: InTransaction
  clock: Clock
  log: Logger
  /** One server counts at a time. */
  duty: { round(work: () => Promise<void>): Promise<void>; hold(): Promise<boolean> }
}

/**
 * Counts documents of quarters that are over, for the home screen: see `documentCountStore`. A quarter is counted
 * 15 minutes after its end, so that no transaction which began in it is still open.
 */
export class DocumentCounter {
  readonly #options: DocumentCounterOptions
  readonly #rounds: Rounds

  constructor(options: DocumentCounterOptions) {
    this.#options = options
    this.#rounds = new Rounds({
      everyMs: 30_000,
      log: options.log,
      failure: 'Documents could not be counted.',
      work: () => options.duty.round(() => this.#work()),
    })
  }

  start(): void {
    this.#rounds.start()
    void this.look()
  }

  stop(): Promise<void> {
    return this.#rounds.stop()
  }

  look(): Promise<void> {
    return this.#rounds.look()
  }

  async #work(): Promise<void> {
    const { inTransaction, clock } = this.#options
    const nowMs = clock.now().getTime()
    const first = startOfQuarter(new Date(nowMs - countedDays * dayMs))
    await inTransaction(({ documentCounts }) => documentCounts.removeBefore(first))
    while (await this.#addChanges()) if (!(await this.#goesOn())) return
    while (await this.#countNext(first, startOfQuarter(new Date(nowMs - quarterMs))))
      if (!(await this.#goesOn())) return
  }

  /** Lets calls in between: SQLite answers without a pause. False once another server counts. */
  async #goesOn(): Promise<boolean> {
    await nextTurn()
    return this.#options.duty.hold()
  }

  /** True where there may be more. */
  #addChanges(): Promise<boolean> {
    return this.#options.inTransaction(
      async ({ documentCounts }) =>
        (await documentCounts.addChanges(changesAtOnce)) === changesAtOnce,
    )
  }

  /** Counts the quarters of a few hours. True where documents before `end` may be left. */
  #countNext(first: string, end: string): Promise<boolean> {
    return this.#options.inTransaction(async ({ documentCounts }) => {
      const from = await documentCounts.findUncounted(first)
      if (from === undefined || from >= end) return false
      const last = new Date(Date.parse(from) + quartersAtOnce * quarterMs).toISOString()
      await documentCounts.count(from, last < end ? last : end)
      return last < end
    })
  }
}
