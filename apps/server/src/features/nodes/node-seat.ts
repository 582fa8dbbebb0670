import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Row } from '../../db/tables.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Stores } from '../../stores.ts'
import { readStarts } from './nodes-heard.ts'

/** A server counts as gone when it has given no sign of life for this long. A lease of a run lasts as long. */
export const goneAfterMs = 30_000
export const beatEveryMs = 5_000
const startsMax = 20

export interface NodeFacts {
  instanceId: string
  /** See `DataDir.place`. */
  place: string
  name: string
  version: string
  /** See `Settings.role`. */
  role?: string
}

interface SeatOptions extends NodeFacts {
  nodes: Stores['nodes']
  clock: Clock
  /** True with SQLite, whose file no other server can have. */
  isAlone: boolean
  /** It has to be seen whether another server with this identity lives, for 30 s at most. */
  onWait?: (holder: Row<'node'>) => void
  /** How often to look whether another server with this identity lives. */
  lookEveryMs?: number
}

type Beat = Pick<Row<'node'>, 'instance_id' | 'start_id' | 'beat'>

/**
 * The identity of this server in the database, which one process holds at a time. A copy of its data folder
 * has the same identity; with it, each server would take the other's runs for its own of before a crash.
 */
export class NodeSeat {
  readonly #options: SeatOptions
  #own: Beat | undefined
  /** A beat has failed: it may have been committed although its answer was lost. */
  #isUncertain = false

  constructor(options: SeatOptions) {
    this.#options = options
  }

  /**
   * Takes the identity, at once where its last holder has stopped, or is known to be dead: its lock file was the one
   * that this process now holds. Otherwise the holder may live on another machine: resolves with its row as
   * soon as it gives a sign of life, and takes the identity after 30 s without one.
   */
  async take(): Promise<Row<'node'> | undefined> {
    const { nodes, instanceId } = this.#options
    for (;;) {
      const found = await nodes.find(instanceId)
      if (!found) {
        if (await nodes.insert(this.#fresh(null))) return undefined
        continue
      }
      const living = this.#isFree(found) ? undefined : await this.#watch(found)
      if (living) return living
      if (await nodes.change(found, this.#fresh(found.starts))) return undefined
    }
  }

  /** Gives a sign of life. False where another process has taken the identity, and this one has to stop. */
  async beat(state: string): Promise<boolean> {
    const own = this.#own
    if (!own) return true
    const wasUncertain = this.#isUncertain
    this.#isUncertain = true
    const isOwn =
      (await this.#beatAfter(own.beat, state)) ||
      (wasUncertain && (await this.#beatAfter(own.beat + 1, state))) ||
      (await this.#beatAfterLoss(own, state))
    this.#isUncertain = false
    return isOwn
  }

  /** A standby took over without the last signs of life: the database goes on from an earlier one, or has none. */
  async #beatAfterLoss(own: Beat, state: string): Promise<boolean> {
    const { nodes, instanceId } = this.#options
    const found = await nodes.find(instanceId)
    if (!found) return nodes.insert({ ...this.#fresh(null), state })
    const isEarlier = found.start_id === own.start_id && found.beat < own.beat
    return isEarlier && this.#beatAfter(found.beat, state)
  }

  async #beatAfter(beat: number, state: string): Promise<boolean> {
    const last = { ...this.#own!, beat }
    const next = { beat: beat + 1, seen_at: this.#now(), state }
    if (!(await this.#options.nodes.change(last, next))) return false
    this.#own = { ...last, beat: next.beat }
    return true
  }

  /** Gives the identity back, so that the next start need not wait. */
  async leave(): Promise<void> {
    const own = this.#own
    this.#own = undefined
    if (own) await this.#options.nodes.change(own, { stopped_at: this.#now() })
  }

  #isFree({ stopped_at, place, seen_at }: Row<'node'>): boolean {
    if (this.#options.isAlone || stopped_at !== null) return true
    if (place !== '' && place === this.#options.place) return true
    return this.#options.clock.now().getTime() - new Date(seen_at).getTime() >= goneAfterMs
  }

  /** Waits until it counts as gone. Resolves with its row where it gives a sign of life before. */
  async #watch(seen: Row<'node'>): Promise<Row<'node'> | undefined> {
    const { nodes, instanceId, onWait, lookEveryMs = 500 } = this.#options
    onWait?.(seen)
    for (;;) {
      await sleep(lookEveryMs)
      const now = await nodes.find(instanceId)
      if (!now || now.stopped_at !== null) return undefined
      if (now.start_id !== seen.start_id || now.beat !== seen.beat) return now
      if (this.#isFree(now)) return undefined
    }
  }

  /** `starts`: those before, as they are stored. */
  #fresh(starts: string | null): Row<'node'> {
    const { place, name, version, instanceId, role = 'all' } = this.#options
    const now = this.#now()
    const own = { instance_id: instanceId, start_id: randomUUID(), beat: 0 }
    this.#own = own
    const facts = { place, name, version, role, started_at: now, seen_at: now }
    const all = JSON.stringify([...readStarts(starts), now].slice(-startsMax))
    return { ...own, ...facts, stopped_at: null, state: null, starts: all }
  }

  #now(): string {
    return this.#options.clock.now().toISOString()
  }
}
