import type { Logger } from 'pino'
import type { Clock } from '../../kernel/clock.ts'
import type { Stores } from '../../stores.ts'
import { NodeKeeper } from './node-keeper.ts'
import { NodeSeat, type NodeFacts } from './node-seat.ts'

interface NodesOptions extends NodeFacts {
  stores: Stores
  clock: Clock
  log: Logger
  /** See `NodeSeat`. */
  isAlone: boolean
}

/** Wires the servers that use this database: who they are, and whether they live. */
export function createNodes(options: NodesOptions) {
  const { nodes } = options.stores
  const seat = new NodeSeat({ ...options, nodes })
  const keeper = new NodeKeeper({ ...options, seat, nodes, describe: () => '{}' })
  return { keeper }
}
