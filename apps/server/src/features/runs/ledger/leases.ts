import type { Clock } from '../../../kernel/clock.ts'
import type { RunStore } from './run-store.ts'

/** How long a server keeps a run without a renewal. */
export const leaseMs = 30_000
export const renewEveryMs = 5_000
/** No server that lives holds a run that far ahead: its lease is from before the shared time was set back. */
const latestMs = 600_000

/** A run as one server holds it. The epoch counts the changes of its holder. */
export interface Held {
  id: number
  epoch: number
}

interface Hold {
  epoch: number
  /** The end of the lease, as far as this server knows. */
  until: string
}

/** The runs that this server carries out, and their leases. */
export class Leases {
  /** Names this server: at its start it recovers its own open runs only. */
  readonly owner: string
  readonly #clock: Clock
  readonly #held = new Map<number, Hold>()

  constructor(owner: string, clock: Clock) {
    this.owner = owner
    this.#clock = clock
  }

  until(): string {
    return new Date(this.#clock.now().getTime() + leaseMs).toISOString()
  }

  /** No lease that counts ends later. */
  latest(): string {
    return new Date(this.#clock.now().getTime() + latestMs).toISOString()
  }

  /** False after a sleep of the machine while the time can't be asked for: `isPast` may be wrong then. */
  async canJudge(): Promise<boolean> {
    return (await this.#clock.sync?.()) ?? true
  }

  isPast(until: string): boolean {
    return this.#clock.now().toISOString() > until
  }

  hold({ id, epoch }: Held): void {
    this.#held.set(id, { epoch, until: this.until() })
  }

  /** Does nothing for an earlier epoch: this server has taken the run again since. */
  letGo({ id, epoch }: Held): void {
    if (this.#held.get(id)?.epoch === epoch) this.#held.delete(id)
  }

  holds(runId: number): boolean {
    return this.#held.has(runId)
  }

  /** True once another server may have taken the run. */
  isOver({ id, epoch }: Held): boolean {
    const hold = this.#held.get(id)
    return hold === undefined || hold.epoch !== epoch || this.isPast(hold.until)
  }

  /** Call it every few seconds. */
  async renew(runs: RunStore): Promise<void> {
    if (this.#held.size === 0) return
    const until = this.until()
    const holds = [...this.#held]
    await runs.renewLeases(
      { owner: this.owner, until },
      holds.map(([id]) => id),
    )
    for (const [, hold] of holds) hold.until = until
  }
}
