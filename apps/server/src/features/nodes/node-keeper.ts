import type { Logger } from 'pino'
import { isStoreFull } from '../../db/outages/store-refusal.ts'
import type { Row } from '../../db/tables.ts'
import type { Clock } from '../../kernel/clock.ts'
import { Rounds } from '../../kernel/rounds.ts'
import type { Stores } from '../../stores.ts'
import { countGateways } from './node-life.ts'
import { beatEveryMs, type NodeSeat } from './node-seat.ts'

interface NodeKeeperOptions {
  seat: NodeSeat
  nodes: Stores['nodes']
  clock: Clock
  log: Logger
  /** What this server says of itself, as JSON. */
  describe: () => Promise<string>
  /** Learns how many servers carry traffic. */
  onServers: (servers: number) => void
}

const keptMs = 86_400_000

/** Gives this server's sign of life every 5 s, and forgets servers that gave none for a day. */
export class NodeKeeper {
  readonly #options: NodeKeeperOptions
  readonly #rounds: Rounds
  readonly #lost = Promise.withResolvers<void>()
  #isStoreFull = false

  constructor(options: NodeKeeperOptions) {
    this.#options = options
    this.#rounds = new Rounds({
      everyMs: beatEveryMs,
      work: () => this.#note(this.#beat()),
      log: options.log,
      failure: 'the sign of life of this server could not be written',
    })
  }

  /** Resolves when another process has taken this server's identity: then stop. */
  get lost(): Promise<void> {
    return this.#lost.promise
  }

  /** The last sign of life was refused because there was no room. */
  get isStoreFull(): boolean {
    return this.#isStoreFull
  }

  /** Await it before anything is taken from the database. Resolves with the server that has this identity, if one lives. */
  async start(): Promise<Row<'node'> | undefined> {
    const holder = await this.#options.seat.take()
    if (holder) return holder
    await this.look()
    this.#rounds.start()
    return undefined
  }

  /** Gives the identity back. Call it when nothing is under way any more. */
  async stop(): Promise<void> {
    await this.#rounds.stop()
    await this.#options.seat.leave()
  }

  look(): Promise<void> {
    return this.#rounds.look()
  }

  async #note(beat: Promise<void>): Promise<void> {
    try {
      await beat
      this.#isStoreFull = false
    } catch (error) {
      this.#isStoreFull = isStoreFull(error)
      throw error
    }
  }

  async #beat(): Promise<void> {
    const { seat, nodes, clock, describe, onServers } = this.#options
    if (!(await seat.beat(await describe()))) return this.#lost.resolve()
    const now = clock.now()
    await nodes.removeUnseenSince(new Date(now.getTime() - keptMs).toISOString())
    onServers(countGateways(await nodes.list(), now))
  }
}
