import type { Clock } from '../../../kernel/clock.ts'
import { isHeld } from '../../../kernel/lease-time.ts'
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

  /** `until` is the end of the lease as it was committed. */
  hold({ id, epoch }: Held, until: string): void {
    const known = this.#held.get(id)
    if (known?.epoch === epoch) lengthen(known, until)
    else this.#held.set(id, { epoch, until })
  }

  /** A commit has lengthened the lease. Does nothing where this server has let the run go. */
  extend({ id, epoch }: Held, until: string): void {
    const hold = this.#held.get(id)
    if (hold?.epoch === epoch) lengthen(hold, until)
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

  /**
   * True while it is certain that no other server has taken the run. Ask it immediately before something is
   * sent, without an await in between; await `canJudge` before, where the time may be wrong after a sleep.
   */
  maySend({ id, epoch }: Held): boolean {
    const hold = this.#held.get(id)
    return hold?.epoch === epoch && isHeld(this.#clock, hold.until)
  }

  /** Call it every few seconds. Lets those runs go whose lease was not renewed: another server may have them. */
  async renew(runs: RunStore): Promise<void> {
    if (this.#held.size === 0) return
    const until = this.until()
    const holds = [...this.#held]
    const ids = holds.map(([id]) => id)
    const rows = await runs.renewLeases({ owner: this.owner, until }, ids)
    const renewed = new Map(rows.map(({ id, epoch }) => [id, epoch]))
    for (const [id, hold] of holds) {
      if (renewed.get(id) === hold.epoch) lengthen(hold, until)
      // Unless this server has taken the run again since.
      else if (this.#held.get(id) === hold) this.#held.delete(id)
    }
  }
}

function lengthen(hold: Hold, until: string): void {
  if (until > hold.until) hold.until = until
}
