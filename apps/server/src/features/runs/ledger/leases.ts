import type { Clock } from '../../../kernel/clock.ts'
import type { RunStore } from './run-store.ts'

/** How long a server is believed to be at work on a run without a sign of it. */
export const leaseMs = 30_000
export const renewEveryMs = 5_000

/** A run in one pair of hands; the epoch counts them. */
export interface Held {
  id: number
  epoch: number
}

interface Hold {
  epoch: number
  /** Until when the others leave the run alone, as far as this server knows. */
  until: string
}

/** The runs that this server carries out, and its hold on them. */
export class Leases {
  /** Names this server: at its start it recovers what it had open, and nobody else's. */
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

  isPast(until: string): boolean {
    return this.#clock.now().toISOString() > until
  }

  hold({ id, epoch }: Held): void {
    this.#held.set(id, { epoch, until: this.until() })
  }

  /** Of an earlier epoch it lets nothing go: the run has come back to this server since. */
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

  /** To be called every few seconds while there is work. */
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
