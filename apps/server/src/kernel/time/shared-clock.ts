import type { Clock } from '../clock.ts'

/** The clocks of this machine, in milliseconds: its time of day, and one that only grows. */
interface MachineClock {
  wallMs(): number
  monotonicMs(): number
}

interface SharedClockOptions {
  /** The time that all servers share, in milliseconds: the database's. */
  ask: () => Promise<number>
  /** The shared time has jumped by so much, or the machine has slept. */
  onJump?: (byMs: number) => void
  machine?: MachineClock
}

/** What was found the last time that counts. */
interface Measurement {
  sharedMs: number
  wallMs: number
  monotonicMs: number
  /** Half the round trip: the answer may be that wrong, in both directions. */
  errorMs: number
}

const ownMachine: MachineClock = { wallMs: () => Date.now(), monotonicMs: () => performance.now() }

/** A measurement that differs by more than it can be wrong is a jump from here on, else a drift. */
const jumpMs = 2_000
/** How far the two clocks of a machine drift apart between two measurements at most, without a jump. */
const machineDriftMs = 500
/** A good crystal gains or loses less than this a millisecond. */
const driftPerMs = 1e-4
/** `isSteady` does not ask again within this time. */
const freshMs = 1_000
/** Other servers look within 30 s, and then renew their leases within 5 s. */
const settleMs = 60_000

/**
 * The time of a clock that several servers share. It asks for that time once in a while and counts on by
 * the machine's monotonic clock, so that the machine's time of day does not matter. Call `measure` before
 * its first use, and then every 30 s.
 */
export class SharedClock implements Clock {
  readonly isSystem = true
  readonly #options: SharedClockOptions
  readonly #machine: MachineClock
  #last: Measurement | undefined
  #shownMs = 0
  #jumpedAtMs: number | undefined
  #askedAtMs = -Infinity

  constructor(options: SharedClockOptions) {
    this.#options = options
    this.#machine = options.machine ?? ownMachine
  }

  /** Never earlier than it was before, unless the shared time was set back by seconds. */
  now(): Date {
    const nowMs = this.#nowMs()
    const isStep = this.#shownMs - nowMs > jumpMs
    this.#shownMs = isStep ? nowMs : Math.max(nowMs, this.#shownMs)
    return new Date(this.#shownMs)
  }

  monotonicMs(): number {
    return this.#machine.monotonicMs()
  }

  /** How far the machine's time of day is ahead, and how wrong that may be, in milliseconds. */
  get offset(): { ms: number; errorMs: number } {
    const errorMs = this.#last ? this.#errorOf(this.#last) : 0
    return { ms: this.#machine.wallMs() - this.#nowMs(), errorMs }
  }

  toMachine(moment: Date): Date {
    return new Date(moment.getTime() + this.offset.ms)
  }

  /** Asks for the shared time. Rejects where it can't be asked for; the clock then goes on as it was. */
  async measure(): Promise<void> {
    const beforeMs = this.monotonicMs()
    const answerMs = await this.#options.ask()
    const monotonicMs = this.monotonicMs()
    const errorMs = (monotonicMs - beforeMs) / 2
    const wallMs = this.#machine.wallMs()
    this.#askedAtMs = monotonicMs
    this.#take({ sharedMs: answerMs + errorMs, wallMs, monotonicMs, errorMs })
  }

  async sync(): Promise<boolean> {
    return !this.#hasMachineJumped() || this.#measured()
  }

  isSynced(): boolean {
    return !this.#hasMachineJumped()
  }

  async isSteady(): Promise<boolean> {
    const isFresh = this.monotonicMs() - this.#askedAtMs < freshMs
    if (!isFresh && !(await this.#measured())) return false
    return this.#jumpedAtMs === undefined || this.monotonicMs() - this.#jumpedAtMs >= settleMs
  }

  #measured(): Promise<boolean> {
    return this.measure().then(
      () => true,
      () => false,
    )
  }

  /** A better or a contradicting measurement replaces the one before. */
  #take(found: Measurement): void {
    const last = this.#last
    if (last !== undefined) {
      const byMs = found.sharedMs - (last.sharedMs + found.monotonicMs - last.monotonicMs)
      const mayDifferMs = found.errorMs + this.#errorOf(last)
      if (Math.abs(byMs) > mayDifferMs + jumpMs) {
        this.#jumpedAtMs = found.monotonicMs
        this.#options.onJump?.(byMs)
      } else if (Math.abs(byMs) <= mayDifferMs && this.#errorOf(last) < found.errorMs) {
        last.wallMs = found.wallMs - (found.monotonicMs - last.monotonicMs)
        return
      }
    }
    this.#last = found
  }

  /** The machine's time of day was changed, or its monotonic clock stood still while it slept. */
  #hasMachineJumped(): boolean {
    if (this.#last === undefined) return true
    const wallMs = this.#machine.wallMs() - this.#last.wallMs
    const passedMs = this.monotonicMs() - this.#last.monotonicMs
    return Math.abs(wallMs - passedMs) > machineDriftMs
  }

  #errorOf({ errorMs, monotonicMs }: Measurement): number {
    return errorMs + (this.monotonicMs() - monotonicMs) * driftPerMs
  }

  #nowMs(): number {
    if (this.#last === undefined) return this.#machine.wallMs()
    return this.#last.sharedMs + this.monotonicMs() - this.#last.monotonicMs
  }
}
