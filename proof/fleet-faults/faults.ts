import { setTimeout as sleep } from 'node:timers/promises'
import type { Fleet } from './fleet.ts'
import type { FleetNode } from './fleet-node.ts'
import type { Operator } from './operator.ts'
import { PostgresServer } from './postgres-server.ts'

export interface Fault {
  name: string
  /** Whom it strikes. */
  nodes: string
  /** Ends when all is as it was. */
  strike: () => Promise<void>
}

interface FaultOptions {
  fleet: Fleet
  operator: Operator
  /** How long what is away stays away. */
  awayMs: number
}

const namesOf = (nodes: readonly FleetNode[]) => nodes.map(({ name }) => name).join(', ')

/** Every fault, in the order in which they strike. */
export function faultsOf(options: FaultOptions): Fault[] {
  const { fleet } = options
  return [
    ...fleet.nodes.map((node) => killed(node)),
    ...[...fleet.controls, ...fleet.gateways].map((node) => frozen(node, options)),
    frozenInChange(options),
    restarted(options),
    frozenDatabase(options),
    ...fleet.nodes.map((node) => cutOff([node], options)),
    cutOff(fleet.gateways, options),
    cutOff(fleet.nodes, options),
    ...(fleet.redis ? [withoutRedis(options)] : []),
    failedOver(options),
    clocksApart(options),
  ]
}

const killed = (node: FleetNode): Fault => ({
  name: 'kill -9, started again',
  nodes: node.name,
  strike: async () => {
    await node.kill()
    await node.start()
  },
})

const frozen = (node: FleetNode, { awayMs }: FaultOptions): Fault => ({
  name: 'frozen',
  nodes: node.name,
  strike: async () => {
    node.freeze()
    await sleep(awayMs)
    node.thaw()
  },
})

/** In the middle of changes: each time a few milliseconds after one was sent to it. */
const frozenInChange = ({ fleet, operator, awayMs }: FaultOptions): Fault => ({
  name: 'frozen amid a change',
  nodes: namesOf(fleet.controls),
  strike: async () => {
    for (const control of fleet.controls)
      for (const afterMs of [2, 6, 12]) {
        await new Promise<void>((resolve) => {
          operator.onAct = (asked) => asked === control && resolve()
        })
        await sleep(afterMs)
        control.freeze()
        await sleep(awayMs)
        control.thaw()
        await sleep(1_000)
      }
    operator.onAct = () => {}
  },
})

async function withoutDatabase({ fleet }: FaultOptions, work: () => Promise<void>): Promise<void> {
  for (const node of fleet.nodes) node.loseContact()
  await work()
  for (const node of fleet.nodes) node.gainContact()
}

const restarted = (options: FaultOptions): Fault => ({
  name: 'PostgreSQL restarted',
  nodes: 'all',
  strike: () =>
    withoutDatabase(options, async () => {
      const [primary] = options.fleet.postgres
      await primary?.stop('SIGINT')
      await primary?.start()
    }),
})

const frozenDatabase = (options: FaultOptions): Fault => ({
  name: 'PostgreSQL frozen',
  nodes: 'all',
  strike: () =>
    withoutDatabase(options, async () => {
      const [primary] = options.fleet.postgres
      primary?.freeze()
      await sleep(options.awayMs * 2)
      primary?.thaw()
    }),
})

const cutOff = (nodes: readonly FleetNode[], { awayMs }: FaultOptions): Fault => ({
  name: 'cut off from PostgreSQL and Redis',
  nodes: namesOf(nodes),
  strike: async () => {
    for (const node of nodes) await node.cut()
    await sleep(awayMs * 2)
    for (const node of nodes) await node.heal()
  },
})

const withoutRedis = ({ fleet, awayMs }: FaultOptions): Fault => ({
  name: 'Redis killed, frozen',
  nodes: namesOf(fleet.gateways),
  strike: async () => {
    await fleet.redis?.kill()
    await sleep(awayMs)
    await fleet.redis?.start()
    await sleep(awayMs)
    fleet.redis?.freeze()
    await sleep(awayMs)
    fleet.redis?.thaw()
  },
})

/** The primary is killed and the standby takes over; then the old one follows it. */
const failedOver = (options: FaultOptions): Fault => ({
  name: 'PostgreSQL failed over to the standby',
  nodes: 'all',
  strike: async () => {
    const [old, standby] = options.fleet.postgres
    if (!old || !standby) return
    await withoutDatabase(options, async () => {
      await old.stop('SIGQUIT')
      await standby.promote()
    })
    await sleep(options.awayMs)
    const next = await PostgresServer.follow(standby, old.place)
    options.fleet.postgres = [standby, next]
  },
})

/** Two minutes ahead and two behind, for one control plane and two gateways. */
const clocksApart = ({ fleet, awayMs }: FaultOptions): Fault => ({
  name: 'clocks two minutes ahead and behind',
  nodes: 'control-2, gateway-1, gateway-2',
  strike: async () => {
    const apart = { 'control-2': 120_000, 'gateway-1': 120_000, 'gateway-2': -120_000 }
    for (const [name, ms] of Object.entries(apart)) {
      fleet.aheadMs.set(name, ms)
      const node = fleet.nodes.find((each) => each.name === name)
      await node?.stop()
      await node?.start()
    }
    await sleep(awayMs)
  },
})
