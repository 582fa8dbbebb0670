import type { LaneRecord } from '@gatehouse/contract'
import type { RowChange } from '../../db/tables.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Actor } from '../../kernel/caller.ts'
import type { Clock } from '../../kernel/clock.ts'
import { savedThing } from '../../kernel/saved/saved-thing.ts'
import type { InTransaction, Stores } from '../../stores.ts'
import type { Dispatcher } from './dispatcher.ts'
import type { LaneFigures } from './lane-figures.ts'
import { laneRecordOf } from './lane-record.ts'
import type { LaneRow } from './lane-store.ts'

interface LaneServiceOptions {
  inTransaction: InTransaction
  clock: Clock
  dispatcher: Dispatcher
  /** The figures on a connection for long reads. */
  readFigures: (of: { since: string; laneId?: number }) => Promise<LaneFigures[]>
}

const minuteMs = 60_000

/** Shows lanes, and lets operators stop and start them. */
export class LaneService {
  readonly #options: LaneServiceOptions

  constructor(options: LaneServiceOptions) {
    this.#options = options
  }

  async list(): Promise<LaneRecord[]> {
    const now = this.#options.clock.now()
    const figures = await this.figures()
    return figures.map((each) => laneRecordOf(each, now))
  }

  /** For the metrics. */
  async measure() {
    const now = this.#options.clock.now().getTime()
    const figures = await this.figures()
    return figures.map(({ lane, depth, running, oldestAt }) => ({
      name: lane.name,
      depth,
      running,
      oldestSeconds: oldestAt === null ? 0 : Math.max(0, now - Date.parse(oldestAt)) / 1000,
      isOutage: lane.outage_since !== null,
      isPaused: lane.is_paused === 1,
    }))
  }

  figures(laneId?: number): Promise<LaneFigures[]> {
    const { clock, readFigures } = this.#options
    const since = new Date(clock.now().getTime() - minuteMs).toISOString()
    return readFigures(laneId === undefined ? { since } : { since, laneId })
  }

  /** Runs under way end; no other is started. Deadlines go on. */
  pause(id: number, reason: string, actor: Actor): Promise<LaneRecord> {
    const by = actor.caller.user.name
    return this.#change(id, 'pause', actor, {
      is_paused: 1,
      paused_at: this.#options.clock.now().toISOString(),
      paused_by: by,
      pause_reason: reason,
    })
  }

  /** Also takes new runs again, and tries at once where the lane waits for an authority. */
  resume(id: number, actor: Actor): Promise<LaneRecord> {
    return this.#change(id, 'resume', actor, {
      is_paused: 0,
      paused_at: null,
      paused_by: null,
      pause_reason: '',
      is_draining: 0,
      next_try_at: null,
    })
  }

  /** New runs are refused; what is queued is carried out. */
  drain(id: number, actor: Actor): Promise<LaneRecord> {
    return this.#change(id, 'drain', actor, { is_draining: 1 })
  }

  async #change(
    id: number,
    verb: 'pause' | 'resume' | 'drain',
    actor: Actor,
    change: RowChange<'lane'>,
  ): Promise<LaneRecord> {
    const { inTransaction, dispatcher, clock } = this.#options
    await inTransaction(async (stores) => {
      const before = await savedLanes.existing(stores, id)
      await stores.lanes.update(id, change)
      await savedLanes.saved(stores, actor, verb, { id, before })
    }, actor.caller)
    dispatcher.wake(id)
    const [figures] = await this.figures(id)
    if (!figures) throw new AppError('lane.not_found')
    return laneRecordOf(figures, clock.now())
  }
}

const shown = ({ is_paused, is_draining, pause_reason }: LaneRow) => ({
  is_paused: is_paused === 1,
  is_draining: is_draining === 1,
  ...(pause_reason ? { reason: pause_reason } : {}),
})

const savedLanes = savedThing({
  thing: 'lane',
  missing: 'lane.not_found',
  find: ({ lanes }: Stores, id) => lanes.find(id),
  audited: shown,
})
