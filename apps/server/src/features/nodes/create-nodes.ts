import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Row } from '../../db/tables.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Stores } from '../../stores.ts'
import { describeNode, type DescribedParts } from './describe-node.ts'
import { isFull } from './free-space.ts'
import { NodeKeeper } from './node-keeper.ts'
import { loneGateways, namesOfOthers, sumGateways } from './node-life.ts'
import { nodeRoutes } from './node-routes.ts'
import { NodeSeat, type NodeFacts } from './node-seat.ts'

interface NodesOptions extends NodeFacts, DescribedParts {
  stores: Stores
  clock: Clock
  log: Logger
  /** See `NodeSeat`. */
  isAlone: boolean
  /** The check value of the key that it seals with; a rotation of the key waits for all servers. */
  sealsWith: string | undefined
}

/** Wires the servers that use this database: who they are, whether they live, and what each runs on. */
export function createNodes(options: NodesOptions) {
  const { nodes } = options.stores
  const onWait = ({ name, seen_at }: Row<'node'>) =>
    options.log.warn(
      { name, seen_at },
      'a server with this instance-id may run elsewhere: the start waits for its next sign of life, 30 s at most',
    )
  const seat = new NodeSeat({ ...options, nodes, onWait })
  const describe = async () =>
    JSON.stringify({ ...(await describeNode(options)), seals_with: options.sealsWith })
  const keeper = new NodeKeeper({
    ...options,
    seat,
    nodes,
    describe,
    onServers: (servers) => options.gateway?.setServers(servers),
  })
  return {
    keeper,
    /** The disk of DATA_DIR has no room, or the database has refused the last sign of life for that. */
    isStoreFull: async () => keeper.isStoreFull || (await isFull(options.dataDir)),
    otherServers: async () =>
      namesOfOthers(await nodes.list(), options.instanceId, options.clock.now()),
    /** The same without gateways that run alone. */
    otherWholeServers: async () => {
      const whole = (await nodes.list()).filter(({ role }) => role !== 'gateway')
      return namesOfOthers(whole, options.instanceId, options.clock.now())
    },
    /** Gateways that live and run without a server, by the name of their host. */
    loneGateways: async () =>
      loneGateways(await nodes.list(), options.clock.now()).map(({ instance_id: id, name }) => ({
        id,
        name,
      })),
    sumGateways: async () => sumGateways(await nodes.list(), options.clock.now()),
    mountOn: (app: FastifyInstance) => nodeRoutes(app, options),
  }
}
