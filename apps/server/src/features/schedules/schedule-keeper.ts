import type { Logger } from 'pino'
import type { Clock } from '../../kernel/clock.ts'
import { nextRunAt } from '../../kernel/time/cron.ts'
import type { LeaseWish } from '../../kernel/leases/lease-time.ts'
import { leaseColumns } from '../../kernel/leases/leased-rows.ts'
import { Leases } from '../../kernel/leases/leases.ts'
import { Rounds } from '../../kernel/rounds.ts'
import { carryOutFiring, FiringLeft, type FiringEnd, type FiringParts } from './carry-out-firing.ts'
import type { FiringRow } from './firing-store.ts'
import type { ScheduleRow } from './schedule-store.ts'

const everyMs = 1_000
/** A server that has stopped is noticed after that long. */
const leaseMs = 60_000
/** Firings that a server carries out at the same time. */
const atOnceMax = 8
/** A moment that is later than that was missed: a server was down. */
const lateMs = 5 * 60_000

interface ScheduleKeeperOptions extends FiringParts {
  clock: Clock
  log: Logger
  /** The name of this server. */
  owner: string
}

/**
 * Fires schedules when their moment has come: exactly once over all servers. The moment is claimed in one
 * transaction that moves the schedule on and stores the firing. What a server leaves unfinished, another one
 * continues after its lease.
 */
export class ScheduleKeeper {
  readonly #options: ScheduleKeeperOptions
  readonly #rounds: Rounds
  readonly #leases: Leases
  readonly #underWay = new Map<number, Promise<void>>()
  readonly #stopping = new AbortController()

  constructor(options: ScheduleKeeperOptions) {
    this.#options = options
    this.#leases = new Leases(options.owner, options.clock, leaseMs)
    const failure = 'the schedules could not be looked at'
    this.#rounds = new Rounds({ everyMs, work: () => this.#round(), log: options.log, failure })
  }

  /** What this server had under way when it died goes on at once. */
  async start(): Promise<void> {
    const { stores, owner } = this.#options
    await stores.scheduleFirings.releaseOwn(owner)
    this.#rounds.start()
  }

  /** What is under way is left to another server. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#rounds.stop()
    await Promise.all(this.#underWay.values())
  }

  /** Fires what is due; resolves when that has ended. */
  async look(): Promise<void> {
    await this.#rounds.look()
    await Promise.all(this.#underWay.values())
  }

  /** Begins what was stored by another part of this server; does not wait for it. */
  begin(schedule: ScheduleRow, firing: FiringRow): void {
    const work = this.#carryOut(schedule, firing).finally(() => this.#underWay.delete(firing.id))
    this.#underWay.set(firing.id, work)
  }

  /** The lease of a firing that this server begins now. */
  lease() {
    return leaseColumns({ owner: this.#leases.owner, until: this.#leases.until() })
  }

  async #round(): Promise<void> {
    const { stores } = this.#options
    await this.#leases.renewInTime(stores.scheduleFirings)
    const wish = await this.#leases.wish()
    const places = () => atOnceMax - this.#underWay.size
    if (places() <= 0 || this.#stopping.signal.aborted) return
    const only = await stores.installationHold.firing()
    for (const left of await stores.scheduleFirings.listLeft(wish, places(), only))
      await this.#resume(left, wish)
    if (places() <= 0) return
    for (const due of await stores.schedules.listDue(wish.now, places(), only)) {
      const firing = await this.#claim(due)
      if (firing?.state === 'running') this.begin(due, firing)
    }
  }

  /** Moves the schedule on and stores the firing, or nothing. */
  #claim(schedule: ScheduleRow): Promise<FiringRow | undefined> {
    const { inTransaction, clock } = this.#options
    const now = clock.now()
    const planned = schedule.next_run_at ?? ''
    const next = nextRunAt(schedule.cron, schedule.time_zone, now)?.toISOString() ?? null
    return inTransaction(async ({ schedules, scheduleFirings }) => {
      if (!(await schedules.moveOn(schedule, next))) return undefined
      const isGoingOn =
        (await scheduleFirings.findRunning(schedule.id)) !== undefined ||
        (schedule.list === null && (await scheduleFirings.findOpenRun(schedule.id)) !== undefined)
      return scheduleFirings.insert({
        schedule_id: schedule.id,
        planned_for: planned,
        started_at: now.toISOString(),
        is_by_hand: 0,
        user_id: schedule.user_id,
        ...this.#begun(schedule, now.getTime() - Date.parse(planned), isGoingOn),
      })
    })
  }

  /** Whether it is carried out, and if not, why. */
  #begun(schedule: ScheduleRow, late: number, isGoingOn: boolean) {
    const ended_at = this.#options.clock.now().toISOString()
    const isMissed = schedule.catches_up === 0 && late > lateMs
    if (isMissed)
      return { state: 'missed' as const, ended_at, message: 'No server worked at that moment.' }
    if (isGoingOn)
      return { state: 'skipped' as const, ended_at, message: 'The one before it still went on.' }
    return { state: 'running' as const, ...this.lease() }
  }

  async #resume({ id }: FiringRow, wish: LeaseWish): Promise<void> {
    const { stores, owner } = this.#options
    if (this.#underWay.has(id)) return
    const [left] = await stores.scheduleFirings.claim([id], wish)
    if (!left) return
    const schedule = await stores.schedules.find(left.schedule_id)
    if (schedule) return this.begin(schedule, left)
    const ended_at = this.#options.clock.now().toISOString()
    const message = 'The workflow was deleted.'
    await stores.scheduleFirings.finish(id, owner, { state: 'refused', ended_at, message })
  }

  async #carryOut(schedule: ScheduleRow, firing: FiringRow): Promise<void> {
    const held = this.#leases.take(firing)
    const signal = AbortSignal.any([this.#leases.lost(held), this.#stopping.signal])
    try {
      await this.#end(schedule, firing, await this.#endOf(schedule, firing, signal))
    } catch (error) {
      await this.#leave(firing, error)
    } finally {
      this.#leases.letGo(held)
    }
  }

  /** A bug is the failure of this firing alone. */
  async #endOf(schedule: ScheduleRow, firing: FiringRow, signal: AbortSignal): Promise<FiringEnd> {
    try {
      return await carryOutFiring(this.#options, schedule, firing, signal)
    } catch (error) {
      if (error instanceof FiringLeft) throw error
      this.#options.log.error({ err: error, schedule: schedule.id }, 'a schedule could not fire')
      const counts = { found: 0, old: 0, known: 0, started: 0, refused: 0, watermark: null }
      const message = 'It ended with an error of the server. The log says more.'
      return { ...counts, state: 'failed', message }
    }
  }

  /** The watermark moves in the transaction that ends the firing: all elements are stored by then. */
  async #end(schedule: ScheduleRow, firing: FiringRow, end: FiringEnd): Promise<void> {
    const { inTransaction, clock, owner } = this.#options
    const { watermark, ...change } = end
    const ended_at = clock.now().toISOString()
    await inTransaction(async ({ schedules, scheduleFirings }) => {
      if (!(await scheduleFirings.finish(firing.id, owner, { ...change, ended_at }))) return
      if (watermark !== null) await schedules.setWatermark(schedule, watermark)
      await scheduleFirings.removeOld(schedule.id)
    })
  }

  /** Another server may go on at once; where the database is away, when the lease is over. */
  async #leave(firing: FiringRow, error: unknown): Promise<void> {
    const { stores, owner, log } = this.#options
    if (!(error instanceof FiringLeft))
      log.error({ err: error, firing: firing.id }, 'the end of a firing could not be stored')
    await stores.scheduleFirings
      .finish(firing.id, owner, {})
      .catch((cause: unknown) => log.warn({ err: cause }, 'a firing is left to its lease'))
  }
}
