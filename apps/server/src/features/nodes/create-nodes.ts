import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Clock } from '../../kernel/clock.ts'
import type { Stores } from '../../stores.ts'
import { describeNode, type DescribedParts } from './describe-node.ts'
import { NodeKeeper } from './node-keeper.ts'
import { nodeRoutes } from './node-routes.ts'
import { NodeSeat, type NodeFacts } from './node-seat.ts'

interface NodesOptions extends NodeFacts, DescribedParts {
  stores: Stores
  clock: Clock
  log: Logger
  /** See `NodeSeat`. */
  isAlone: boolean
}

/** Wires the servers that use this database: who they are, whether they live, and what each runs on. */
export function createNodes(options: NodesOptions) {
  const { nodes } = options.stores
  const seat = new NodeSeat({ ...options, nodes })
  const describe = () => JSON.stringify(describeNode(options))
  return {
    keeper: new NodeKeeper({ ...options, seat, nodes, describe }),
    mountOn: (app: FastifyInstance) => nodeRoutes(app, options),
  }
}
