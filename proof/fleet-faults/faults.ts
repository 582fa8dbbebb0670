import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Fleet } from './fleet.ts'
import type { FleetNode } from './fleet-node.ts'
import type { Invoices } from './invoices.ts'
import type { Operator } from './operator.ts'
import { PostgresServer } from './postgres-server.ts'
import type { Traffic } from './traffic.ts'

export interface Fault {
  name: string
  /** Whom it strikes. */
  nodes: string
  /** No act of the operator may fail meanwhile. */
  isGentle?: boolean
  /** Ends when all is as it was; what there is to say about it. */
  strike: () => Promise<string | void>
}

interface FaultOptions {
  fleet: Fleet
  operator: Operator
  invoices: Invoices
  traffic: Traffic
  changes: number
  /** What was done since then may be lost. */
  forgetSince: (moment: number) => void
  /** How long what is away stays away. */
  awayMs: number
}

const namesOf = (nodes: readonly FleetNode[]) => nodes.map(({ name }) => name).join(', ')

/** Every fault, in the order in which they strike. */
export function faultsOf(options: FaultOptions): Fault[] {
  const { fleet } = options
  return [
    changesAlone(options),
    ...fleet.nodes.map((node) => killed(node)),
    ...[...fleet.controls, ...fleet.gateways].map((node) => frozen(node, options)),
    frozenInChange(options),
    restarted(options),
    frozenDatabase(options),
    ...fleet.nodes.map((node) => cutOff([node], options)),
    cutOff(fleet.gateways, options),
    cutOff(fleet.nodes, options),
    ...(fleet.redis ? [withoutRedis(options)] : []),
    failedOver(options, 'killed'),
    failedOver(options, 'frozen'),
    failedOver(options, 'killed before the standby had the last changes'),
    keyRotated(options),
    clocksApart(options),
  ]
}

/** One change after the other, each as soon as every gateway shows the one before. */
const changesAlone = ({ fleet, operator, traffic, changes }: FaultOptions): Fault => ({
  name: `no fault: ${changes} changes`,
  nodes: namesOf(fleet.gateways),
  isGentle: true,
  strike: async () => {
    await operator.pause()
    const times: number[] = []
    for (let count = 0; count < changes; count++) {
      const beganMs = performance.now()
      const number = await operator.change()
      if (number === undefined) continue
      await Promise.all(fleet.gateways.map((gateway) => traffic.untilShown(gateway, number)))
      times.push(performance.now() - beganMs)
    }
    operator.resume()
    times.sort((a, b) => a - b)
    const [middle, late] = [0.5, 0.99].map((share) => times[Math.floor(times.length * share)] ?? 0)
    const ms = [middle!, late!, times.at(-1)!].map((value) => `${value.toFixed(1)} ms`)
    return `saved and in force on all: ${ms[0]} (median), ${ms[1]} (99 %), ${ms[2]} at most`
  },
})

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

/** What becomes of the primary before the standby takes over. Afterwards it follows the standby. */
const failedOver = (
  options: FaultOptions,
  how: 'killed' | 'frozen' | 'killed before the standby had the last changes',
): Fault => ({
  name: `PostgreSQL ${how}, the standby takes over`,
  nodes: 'all',
  strike: async () => {
    const [old, standby] = options.fleet.postgres
    if (!old || !standby) return
    const isLossy = how.includes('before')
    const fromMs = performance.now()
    if (isLossy) {
      await options.invoices.pause()
      await old.setSynchronous(false)
      standby.freeze()
      await sleep(options.awayMs)
    }
    await withoutDatabase(options, async () => {
      if (how === 'frozen') old.freeze()
      else await old.stop('SIGQUIT')
      // The last answers about the old one have arrived.
      await sleep(100)
      if (isLossy) options.forgetSince(fromMs)
      standby.thaw()
      await standby.promote()
    })
    await sleep(options.awayMs)
    options.invoices.resume()
    await old.stop('SIGKILL')
    const next = await PostgresServer.follow(standby, old.place)
    options.fleet.postgres = [standby, next]
  },
})

/** The new key is known to all, then used by all, then every stored secret is sealed with it. */
const keyRotated = ({ fleet }: FaultOptions): Fault => ({
  name: 'key rotated, servers restarted one after the other',
  nodes: namesOf(fleet.controls),
  isGentle: true,
  strike: async () => {
    const old = fleet.controlEnvironment['APP_KEY'] ?? ''
    const key = randomBytes(32).toString('base64')
    const restartWith = async (environment: Record<string, string>) => {
      fleet.controlEnvironment = environment
      for (const control of fleet.controls) {
        await control.stop()
        await control.start()
      }
    }
    await restartWith({ APP_KEY: old, APP_KEY_PREVIOUS: key })
    await restartWith({ APP_KEY: key, APP_KEY_PREVIOUS: old })
    await fleet.admin(['rotate-key'])
    await restartWith({ APP_KEY: key })
    const again = await fleet.admin(['rotate-key'], { APP_KEY_PREVIOUS: old })
    if (!again.startsWith('0 secrets')) throw new Error(`After the rotation: ${again}`)
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
