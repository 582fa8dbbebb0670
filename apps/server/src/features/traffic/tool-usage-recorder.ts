import { ToolCounts, type ToolCount } from '@gatehouse/contract'
import type { Clock } from '../../kernel/clock.ts'
import type { InTransaction } from '../../stores.ts'

interface ToolUsageRecorderOptions {
  inTransaction: InTransaction
  clock: Clock
}

/** Tokens with their tools that wait for the database; further ones are dropped. */
const pendingMax = 20_000
const transactionRows = 200

/** Writes what personal tokens did with tools. A crash loses what came in since the last time. */
export class ToolUsageRecorder {
  readonly #options: ToolUsageRecorderOptions
  readonly #pending = new ToolCounts(pendingMax)

  constructor(options: ToolUsageRecorderOptions) {
    this.#options = options
  }

  /** A day that is not here yet counts as today. */
  record(calls: readonly ToolCount[]): void {
    if (calls.length === 0) return
    const today = this.#options.clock.now().toISOString().slice(0, 10)
    for (const each of calls)
      this.#pending.add({ ...each, day: each.day < today ? each.day : today })
  }

  /** What can't be written stays. */
  async write(): Promise<void> {
    while (this.#pending.size > 0) {
      const part = this.#pending.take(transactionRows)
      try {
        await this.#options.inTransaction(({ toolUsage }) => toolUsage.add(part))
      } catch (error) {
        for (const each of part) this.#pending.add(each)
        throw error
      }
    }
  }

  removeBefore(at: string): Promise<void> {
    return this.#options.inTransaction(({ toolUsage }) => toolUsage.removeBefore(at.slice(0, 10)))
  }
}
