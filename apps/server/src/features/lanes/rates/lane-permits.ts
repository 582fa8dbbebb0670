import type { Logger } from 'pino'
import type { Clock } from '../../../kernel/clock.ts'
import type { InTransaction, Stores } from '../../../stores.ts'
import { renewEveryMs, leaseMs } from '../../../kernel/leases/leases.ts'
import type { Permit, Permits } from '../../runs/ledger/reading/live-run.ts'
import type { LaneRow } from '../lane-store.ts'
import { isLimited, limitsOf } from './rate-limits.ts'
import { changeRate, freeCalls, nextFreeMs } from './rate-windows.ts'

export interface LanePermitsOptions {
  inTransaction: InTransaction
  clock: Clock
  log: Logger
  /** Names the server; one process of it runs at a time. */
  server: string
  /** Names this process: `server/…`. */
  owner: string
}

/** How many calls may begin, and after how long one may where none may now. */
export interface Granted {
  calls: number
  waitMs: number
}

/** Ends of calls are written together. */
const gatherMs = 10
/** How often another server's calls are looked for, while only their end gives way. */
const pollMs = 50
const waitMaxMs = 60_000

interface Waiter {
  grant: (permit: Permit) => void
}

/**
 * The permits of one lane on this server. They are counted in the database, over all servers: a call counts
 * from before it is made until a window after it was answered, by the database's clock. So the limit holds on
 * the authority's clock too, however long the calls are on their way.
 */
export class LanePermits implements Permits {
  readonly #laneId: number
  readonly #options: LanePermitsOptions
  readonly #waiting: Waiter[] = []
  /** Calls that count as under way: those of permits that are out. */
  #open = 0
  /** When calls ended that are not written down yet, by the monotonic clock. */
  #ended: number[] = []
  #turn: Promise<unknown> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined
  #dueMs = Infinity
  #isFlushing = false
  #hasCounted = false
  #isStopped = false

  constructor(laneId: number, options: LanePermitsOptions) {
    this.#laneId = laneId
    this.#options = options
  }

  take(signal?: AbortSignal): Promise<Permit> {
    const { promise, resolve, reject } = Promise.withResolvers<Permit>()
    const waiter: Waiter = { grant: resolve }
    const leave = () => {
      const at = this.#waiting.indexOf(waiter)
      if (at >= 0) this.#waiting.splice(at, 1)
      reject(signal?.reason as Error)
    }
    if (signal?.aborted) {
      leave()
      return promise
    }
    signal?.addEventListener('abort', leave, { once: true })
    this.#waiting.push(waiter)
    this.#flushIn(0)
    return promise.finally(() => signal?.removeEventListener('abort', leave))
  }

  /**
   * Does work that counts calls in its transaction by `count`, and returns the permits for them once it is
   * committed. Nothing else of this lane is counted on this server meanwhile.
   */
  async during<T>(
    work: (
      count: (stores: Stores, lane: LaneRow, wanted: number) => Promise<Granted>,
    ) => Promise<T>,
  ): Promise<{ result: T; permits: Permit[] }> {
    return this.#inTurn(async () => {
      let counted = { calls: 0, written: 0 }
      const result = await work(async (stores, lane, wanted) => {
        // Runs that are under way come first.
        const granted = await this.#count(stores, lane, wanted, this.#waiting.length)
        counted = granted
        return granted
      })
      this.#ended.splice(0, counted.written)
      return { result, permits: Array.from({ length: counted.calls }, () => this.#permit()) }
    })
  }

  /** Lets calls begin that may by now. */
  async look(): Promise<void> {
    // What is being counted may have read the clock before.
    if (this.#isFlushing) await this.#turn
    if (this.#waiting.length > 0) await this.#flush()
  }

  /** Writes down what has ended so far, and nothing afterwards. */
  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#timer)
    if (this.#hasCounted) await this.#flush()
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work)
    this.#turn = turn.catch(() => {})
    return turn
  }

  /** Writes down what ended, and lets as many calls begin as the limits allow. */
  async #flush(): Promise<void> {
    this.#isFlushing = true
    try {
      const waitMs = await this.#inTurn(async () => {
        const { calls, waitMs, written } = await this.#options.inTransaction(async (stores) => {
          const lane = await stores.lanes.find(this.#laneId)
          if (lane && isLimited(limitsOf(lane)))
            return this.#count(stores, lane, this.#waiting.length, 0)
          return { calls: this.#waiting.length, waitMs: 0, written: this.#ended.length }
        })
        this.#ended.splice(0, written)
        for (const { grant } of this.#waiting.splice(0, calls)) grant(this.#permit())
        return waitMs
      })
      this.#isFlushing = false
      if (this.#waiting.length > 0) this.#flushIn(waitMs)
      else if (this.#ended.length > 0) this.#flushIn(gatherMs)
      else if (this.#open > 0) this.#flushIn(renewEveryMs)
    } catch (error) {
      this.#isFlushing = false
      this.#options.log.error({ err: error, lane_id: this.#laneId }, 'calls can’t be counted now')
      this.#flushIn(renewEveryMs / 5)
    }
  }

  /** Notes what has changed on this server, and begins as many calls as are wanted and free. */
  async #count(
    { lanes }: Stores,
    lane: LaneRow,
    wanted: number,
    keptFree: number,
  ): Promise<Granted & { written: number }> {
    this.#hasCounted = true
    const { owner, server } = this.#options
    const limits = limitsOf(lane)
    const askedAtMs = this.#monotonicMs()
    const { state, nowMs } = await lanes.holdRate(this.#laneId)
    const open = this.#open
    // The database's time was read after ours, so that no end is noted too early.
    const ended = this.#ended.map((atMs) => nowMs - (askedAtMs - atMs))
    const change = { owner, server, ended, nowMs, untilMs: nowMs + leaseMs }
    const before = changeRate(state, { ...change, open })
    const calls = Math.max(0, Math.min(wanted, freeCalls(before, limits, nowMs) - keptFree))
    await lanes.saveRate(this.#laneId, changeRate(state, { ...change, open: open + calls }))
    const freeAtMs = nextFreeMs(before, limits, nowMs)
    const waitMs = freeAtMs === undefined ? pollMs : Math.max(1, freeAtMs - nowMs)
    return { calls, waitMs: Math.min(Math.ceil(waitMs), waitMaxMs), written: ended.length }
  }

  #permit(): Permit {
    this.#open++
    let isOut = true
    const back = (end: () => void) => {
      if (!isOut) return
      isOut = false
      this.#open--
      end()
      this.#flushIn(this.#waiting.length > 0 ? 0 : gatherMs)
    }
    return {
      end: () => back(() => this.#ended.push(this.#monotonicMs())),
      giveBack: () => back(() => {}),
    }
  }

  #monotonicMs(): number {
    return this.#options.clock.monotonicMs?.() ?? performance.now()
  }

  #flushIn(ms: number): void {
    if (this.#isFlushing || this.#isStopped) return
    const dueMs = performance.now() + ms
    if (this.#timer && this.#dueMs <= dueMs) return
    clearTimeout(this.#timer)
    this.#dueMs = dueMs
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      void this.#flush()
    }, ms)
    this.#timer.unref()
  }
}
