import type { Clock } from '../../kernel/clock.ts'
import type { RunStore } from './run-store.ts'

/** How long a server is believed to be at work on a run without a sign of it. */
export const leaseMs = 30_000
export const renewEveryMs = 5_000

/** A run in one pair of hands; the epoch counts them. */
export interface Held {
  id: number
  epoch: number
}

/** The runs that this server carries out, and its hold on them. */
export class Leases {
  /** Names this server: at its start it recovers what it had open, and nobody else's. */
  readonly owner: string
  readonly #clock: Clock
  readonly #held = new Map<number, number>()

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
    this.#held.set(id, epoch)
  }

  /** Of an earlier epoch it lets nothing go: the run has come back to this server since. */
  letGo({ id, epoch }: Held): void {
    if (this.#held.get(id) === epoch) this.#held.delete(id)
  }

  holds(runId: number): boolean {
    return this.#held.has(runId)
  }

  /** To be called every few seconds while there is work. */
  async renew(runs: RunStore): Promise<void> {
    if (this.#held.size > 0)
      await runs.renewLeases({ owner: this.owner, until: this.until() }, [...this.#held.keys()])
  }
}
