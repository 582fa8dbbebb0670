import type { Clock } from '../../kernel/clock.ts'
import type { RunStore } from './run-store.ts'

/** How long a server is believed to be at work on a run without a sign of it. */
export const leaseMs = 30_000
export const renewEveryMs = 5_000

/** The runs that this server carries out, and its hold on them. */
export class Leases {
  /** Names this server: at its start it recovers what it had open, and nobody else's. */
  readonly owner: string
  readonly #clock: Clock
  readonly #held = new Set<number>()

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

  hold(runId: number): void {
    this.#held.add(runId)
  }

  letGo(runId: number): void {
    this.#held.delete(runId)
  }

  holds(runId: number): boolean {
    return this.#held.has(runId)
  }

  /** To be called every few seconds while there is work. */
  async renew(runs: RunStore): Promise<void> {
    if (this.#held.size > 0)
      await runs.renewLeases({ owner: this.owner, until: this.until() }, [...this.#held])
  }
}
