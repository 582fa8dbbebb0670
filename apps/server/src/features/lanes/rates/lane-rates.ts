import { randomUUID } from 'node:crypto'
import type { Permits } from '../../runs/ledger/reading/live-run.ts'
import { LanePermits, type LanePermitsOptions } from './lane-permits.ts'
import { isLimited, limitsOf } from './rate-limits.ts'

/** The permits of every lane on this server. */
export class LaneRates {
  readonly #options: LanePermitsOptions
  readonly #lanes = new Map<number, LanePermits>()

  constructor(options: Omit<LanePermitsOptions, 'owner'>) {
    this.#options = { ...options, owner: `${options.server}/${randomUUID()}` }
  }

  of(laneId: number): LanePermits {
    const found = this.#lanes.get(laneId) ?? new LanePermits(laneId, this.#options)
    this.#lanes.set(laneId, found)
    return found
  }

  /** What the calls for a workflow wait for outside of its lane's queue; undefined: for nothing. */
  async ofWorkflow(workflowId: number | null): Promise<Permits | undefined> {
    if (workflowId === null) return undefined
    const lane = await this.#options.inTransaction(({ lanes }) => lanes.findOf(workflowId))
    return lane && isLimited(limitsOf(lane)) ? this.of(lane.id) : undefined
  }

  /** Lets calls begin that may by now. */
  async look(): Promise<void> {
    await Promise.all([...this.#lanes.values()].map((lane) => lane.look()))
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#lanes.values()].map((lane) => lane.stop()))
  }
}
