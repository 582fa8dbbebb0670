import type { Logger } from 'pino'
import type { Clock } from '../../kernel/clock.ts'
import type { InTransaction } from '../../stores.ts'
import type { RunEngine } from '../runs/engine/run-engine.ts'
import type { Leases } from '../../kernel/leases/leases.ts'
import { beginningWith, type Permit } from '../runs/ledger/reading/live-run.ts'
import { expireReleases } from '../runs/release/decide-release.ts'
import type { RunFeed } from '../runs/ledger/reading/run-feed.ts'
import { claimRuns, type TakenRun } from './claim-runs.ts'
import { expireRuns } from './expire-runs.ts'
import type { LaneRates } from './rates/lane-rates.ts'
import type { QueuedOpener } from './queued-opener.ts'

interface DispatcherOptions {
  inTransaction: InTransaction
  clock: Clock
  leases: Leases
  feed: RunFeed
  engine: RunEngine
  opener: QueuedOpener
  rates: LaneRates
  log: Logger
}

/** Other servers queue runs too, and some wait for their next try. */
const pollMs = 1_000
/** Another server claims from the lane: its claim takes a few milliseconds. */
const busyMs = 20

/**
 * Takes queued runs from their lanes, as soon as there is a place, and carries them out (spec: lanes). A
 * run that is queued by this server is taken at once; those of other servers within a second.
 */
export class Dispatcher {
  readonly #options: DispatcherOptions
  /** Lanes from which this server claims now; true: once more afterwards. */
  readonly #claiming = new Map<number, boolean>()
  readonly #work = new Set<Promise<unknown>>()
  readonly #timers = new Set<NodeJS.Timeout>()
  #poll: NodeJS.Timeout | undefined
  #isStopping = false

  constructor(options: DispatcherOptions) {
    this.#options = options
  }

  /** Looks for queued runs every second from now on. */
  start(): void {
    let isLooking = false
    this.#poll ??= setInterval(() => {
      // A round that takes long is not joined by another.
      if (isLooking) return
      isLooking = true
      void this.look().finally(() => (isLooking = false))
    }, pollMs).unref()
  }

  /** Looks for queued runs in every lane, once, and ends those that came too late. */
  async look(): Promise<void> {
    const { inTransaction, log } = this.#options
    if (this.#isStopping) return
    try {
      for (const id of await inTransaction(({ lanes }) => lanes.listWithQueued())) this.wake(id)
      await this.#expire()
      await this.#options.rates.look()
    } catch (error) {
      log.error({ err: error }, 'the lanes can’t be read')
    }
  }

  /** Ends the runs whose deadline has passed, or that were not released in time, however many they are. */
  async #expire(): Promise<void> {
    const { inTransaction, clock, feed } = this.#options
    for (;;) {
      const now = clock.now().toISOString()
      const ended = [
        ...(await expireRuns(inTransaction, now)),
        ...(await expireReleases(inTransaction, now)),
      ]
      for (const id of ended) feed.changed(id)
      if (ended.length === 0 || this.#isStopping) return
    }
  }

  /** Call it when a run was queued, or a place has become free. Returns at once. */
  wake(laneId: number): void {
    if (this.#isStopping) return
    const isClaiming = this.#claiming.has(laneId)
    this.#claiming.set(laneId, isClaiming)
    if (!isClaiming) this.#track(this.#claim(laneId))
  }

  /** Settles when this server claims nothing and carries nothing out. */
  async settled(): Promise<void> {
    while (this.#work.size > 0) await Promise.allSettled(this.#work)
  }

  /**
   * Takes no further run. What was taken and not begun goes back to its lane. Resolves when nothing is
   * between the two; the engine has the rest.
   */
  async stop(): Promise<void> {
    this.#isStopping = true
    clearInterval(this.#poll)
    for (const timer of this.#timers) clearTimeout(timer)
    await this.#options.opener.stop()
    await Promise.allSettled(this.#claims)
  }

  readonly #claims = new Set<Promise<unknown>>()

  async #claim(laneId: number): Promise<void> {
    const { log } = this.#options
    do {
      this.#claiming.set(laneId, false)
      const claiming = this.#claimOnce(laneId).catch((error: unknown) =>
        log.error({ err: error, lane_id: laneId }, 'queued runs can’t be taken'),
      )
      this.#claims.add(claiming)
      await claiming
      this.#claims.delete(claiming)
    } while (this.#claiming.get(laneId) && !this.#isStopping)
    this.#claiming.delete(laneId)
  }

  async #claimOnce(laneId: number): Promise<void> {
    const { inTransaction, leases, clock, feed, rates } = this.#options
    const { result: claim, permits } = await rates.of(laneId).during((count) =>
      inTransaction((stores) =>
        claimRuns(stores, {
          laneId,
          lease: { owner: leases.owner, until: leases.until() },
          now: clock.now().toISOString(),
          count,
        }),
      ),
    )
    if (claim === 'busy') return this.#wakeLater(laneId, busyMs)
    for (const [index, taken] of claim.taken.entries()) {
      leases.hold(taken.run, taken.run.lease_until ?? '')
      feed.changed(taken.run.id)
      this.#track(this.#carryOut(taken, permits[index]))
    }
    for (const unused of permits.slice(claim.taken.length)) unused.giveBack()
    if (claim.waitMs !== undefined) this.#wakeLater(laneId, claim.waitMs)
  }

  async #carryOut(taken: TakenRun, permit: Permit | undefined): Promise<void> {
    const { opener, engine, rates, log } = this.#options
    const { run, entry } = taken
    const permits = permit && beginningWith(permit, rates.of(entry.lane_id))
    try {
      const live = await opener.open(permits ? { ...taken, permits } : taken)
      if (live) await engine.carryOut(live)
    } catch (error) {
      // What was committed stays; the lease of the run ends, and a server takes it.
      log.error({ err: error, run_id: run.id }, 'a run of a lane was cut off')
    } finally {
      // Unless a call has used it.
      permit?.giveBack()
      this.wake(entry.lane_id)
    }
  }

  #wakeLater(laneId: number, ms: number): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      this.wake(laneId)
    }, ms)
    timer.unref()
    this.#timers.add(timer)
  }

  #track(work: Promise<void>): void {
    const tracked = work.finally(() => this.#work.delete(tracked))
    this.#work.add(tracked)
  }
}
