import type { Clock } from '../../kernel/clock.ts'
import { wishFor } from '../../kernel/leases/lease-time.ts'
import type { InTransaction } from '../../stores.ts'

const leaseMs = 60_000

interface DutyOptions {
  name: string
  inTransaction: InTransaction
  clock: Clock
  /** The id of this server. */
  owner: string
}

/**
 * Work that one of all servers does at a time. The lease is in the database: where its holder stops, another
 * server goes on within a minute. A round that may take longer has to call `hold` in between.
 */
export class Duty {
  readonly #options: DutyOptions

  constructor(options: DutyOptions) {
    this.#options = options
  }

  /** Does a round if this server may; `lastRoundAt` is null before the first one anywhere. */
  async round(work: (lastRoundAt: Date | null) => Promise<void>): Promise<void> {
    const { name, inTransaction, clock, owner } = this.#options
    const held = await this.#take()
    if (!held) return
    await work(held.round_at === null ? null : new Date(held.round_at))
    const at = clock.now().toISOString()
    await inTransaction(({ duties }) => duties.endRound(name, owner, at))
  }

  /** Renews the lease. False where another server has taken the duty over: then stop. */
  async hold(): Promise<boolean> {
    return (await this.#take()) !== undefined
  }

  async #take() {
    const { name, inTransaction } = this.#options
    const wish = await wishFor(this.#options, leaseMs)
    return inTransaction(({ duties }) => duties.take(name, wish))
  }
}
