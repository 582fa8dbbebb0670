import type { Clock } from '../clock.ts'
import { isHeld, wishFor, type Lease, type LeaseWish } from './lease-time.ts'

/** How long a server keeps work without a renewal. */
export const leaseMs = 30_000
export const renewEveryMs = 5_000

/** Work as one server holds it. The epoch counts the changes of its holder. */
export interface Held {
  id: number
  epoch: number
}

interface Hold {
  epoch: number
  /** The end of the lease, as far as this server knows. */
  until: string
  lost: AbortController | undefined
}

/** Where leases are renewed: see `leasedRows`. */
interface LeaseRows {
  renewLeases(
    lease: Lease,
    ids: readonly number[],
  ): Promise<readonly { id: number; epoch?: number }[]>
}

/** The work of one kind that this server carries out, and its leases. */
export class Leases {
  /** Names this server: at its start it goes on with its own work only. */
  readonly owner: string
  readonly #clock: Clock
  readonly #leaseMs: number
  readonly #held = new Map<number, Hold>()
  #taken = 0
  #renewedAtMs = 0

  constructor(owner: string, clock: Clock, ms = leaseMs) {
    this.owner = owner
    this.#clock = clock
    this.#leaseMs = ms
  }

  until(): string {
    return new Date(this.#clock.now().getTime() + this.#leaseMs).toISOString()
  }

  wish(): Promise<LeaseWish> {
    return wishFor({ owner: this.owner, clock: this.#clock }, this.#leaseMs)
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
    else this.#held.set(id, { epoch, until, lost: undefined })
  }

  /**
   * Holds what this server has claimed, where the rows count no epochs. Other servers may have held it since an
   * earlier claim: what this server does by that one is lost.
   */
  take({ id, lease_until }: { id: number; lease_until: string | null }): Held {
    const held = { id, epoch: ++this.#taken }
    this.#held.get(id)?.lost?.abort()
    this.hold(held, lease_until ?? '')
    return held
  }

  /** A commit has lengthened the lease. Does nothing where this server has let the work go. */
  extend({ id, epoch }: Held, until: string): void {
    const hold = this.#held.get(id)
    if (hold?.epoch === epoch) lengthen(hold, until)
  }

  /** Does nothing for an earlier epoch: this server has taken the work again since. */
  letGo({ id, epoch }: Held): void {
    if (this.#held.get(id)?.epoch === epoch) this.#held.delete(id)
  }

  holds(id: number): boolean {
    return this.#held.has(id)
  }

  /** True once another server may have taken the work. */
  isOver({ id, epoch }: Held): boolean {
    const hold = this.#held.get(id)
    return hold === undefined || hold.epoch !== epoch || this.isPast(hold.until)
  }

  /**
   * True while it is certain that no other server has taken the work. Ask it immediately before something is
   * sent, without an await in between; await `canJudge` before, where the time may be wrong after a sleep.
   */
  maySend({ id, epoch }: Held): boolean {
    const hold = this.#held.get(id)
    return hold?.epoch === epoch && isHeld(this.#clock, hold.until)
  }

  /** Aborted once the work is lost: its lease was not renewed, and another server may have it. */
  lost({ id, epoch }: Held): AbortSignal {
    const hold = this.#held.get(id)
    if (hold?.epoch !== epoch) return AbortSignal.abort()
    hold.lost ??= new AbortController()
    return hold.lost.signal
  }

  /** Call it every few seconds. Lets the work go whose lease was not renewed: another server may have it. */
  async renew(rows: LeaseRows): Promise<void> {
    if (this.#held.size === 0) return
    const until = this.until()
    const holds = [...this.#held]
    const ids = holds.map(([id]) => id)
    try {
      const found = await rows.renewLeases({ owner: this.owner, until }, ids)
      const renewed = new Map(found.map(({ id, epoch }) => [id, epoch]))
      for (const [id, hold] of holds) {
        if (renewed.has(id) && (renewed.get(id) ?? hold.epoch) === hold.epoch) lengthen(hold, until)
        else this.#lose(id, hold)
      }
    } catch (error) {
      // The database is away. What was renewed before goes on until its lease ends.
      for (const [, { lost, until: end }] of holds) if (!isHeld(this.#clock, end)) lost?.abort()
      throw error
    }
  }

  /** For rounds that come more often: renews when a third of the lease is over. */
  async renewInTime(rows: LeaseRows): Promise<void> {
    const nowMs = this.#clock.now().getTime()
    const sinceMs = nowMs - this.#renewedAtMs
    if (sinceMs >= 0 && sinceMs < this.#leaseMs / 3) return
    await this.renew(rows)
    this.#renewedAtMs = nowMs
  }

  #lose(id: number, hold: Hold): void {
    hold.lost?.abort()
    // Unless this server has taken the work again since.
    if (this.#held.get(id) === hold) this.#held.delete(id)
  }
}

function lengthen(hold: Hold, until: string): void {
  if (until > hold.until) hold.until = until
}
