import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { ThrowawayRedis } from '../../apps/gateway/src/testing/redis-server.ts'
import { foundPrograms } from '../../scripts/set-up/programs.mjs'
import { freePort } from '../../e2e/harness/free-port.ts'
import { FleetNode } from './fleet-node.ts'
import { PostgresServer } from './postgres-server.ts'
import type { Wires } from './wires.ts'

const admin = fileURLToPath(new URL('../../apps/server/src/admin/admin.ts', import.meta.url))
const clockAhead = new URL('../../apps/server/test/time/clock-ahead.ts', import.meta.url)

/** Two control planes and three gateways, each on its own wire, on one PostgreSQL with a standby and one Redis. */
export interface Fleet {
  controls: FleetNode[]
  gateways: FleetNode[]
  nodes: FleetNode[]
  /** The one that takes writes is first. */
  postgres: PostgresServer[]
  /** Undefined where no Redis is installed. */
  redis: ThrowawayRedis | undefined
  /** The environment of each control plane, which may be changed before a start. */
  controlEnvironment: Record<string, string>
  /** How far the clock of a machine is ahead, by the name of the node, from its next start on. */
  aheadMs: Map<string, number>
  folder: string
  /** Runs a command of `npm run admin` on this machine, and gives what it printed. */
  admin(args: string[], environment?: Record<string, string>): Promise<string>
  stop(): Promise<void>
}

/** Starts all of it below this folder. */
export async function startFleet(folder: string, wires: Wires): Promise<Fleet> {
  // PostgreSQL runs under another account.
  chmodSync(folder, 0o711)
  const ports = [await freePort(), await freePort()]
  const placeOf = (index: number) => ({ folder: join(folder, `pg-${index}`), port: ports[index]! })
  const primary = await PostgresServer.create(placeOf(0))
  const standby = await PostgresServer.follow(primary, placeOf(1))
  const redis = await openRedis(folder)
  const controlEnvironment = { APP_KEY: randomBytes(32).toString('base64') }
  const fleet: Fleet = {
    controls: [],
    gateways: [],
    nodes: [],
    postgres: [primary, standby],
    redis,
    controlEnvironment,
    aheadMs: new Map(),
    folder,
    admin: async (args, environment = {}) => {
      const given = {
        DATABASE_URL: fleet.postgres[0]!.url,
        ...fleet.controlEnvironment,
        ...environment,
      }
      const env = { PATH: process.env.PATH, DATA_DIR: join(folder, 'admin'), ...given }
      return (await promisify(execFile)(process.execPath, [admin, ...args], { env })).stdout
    },
    stop: async () => {
      await Promise.all(fleet.nodes.map((node) => node.kill().catch(() => {})))
      await redis?.kill()
      for (const each of fleet.postgres) await each.stop('SIGQUIT')
    },
  }
  try {
    await addControls(fleet, wires, ports)
    await addGateways(fleet, wires, ports)
    return fleet
  } catch (error) {
    await fleet.stop()
    throw error
  }
}

async function openRedis(folder: string): Promise<ThrowawayRedis | undefined> {
  if (!foundPrograms()['GATEHOUSE_TEST_REDIS_SERVER']) return undefined
  const port = await freePort()
  const args = ['--bind', '0.0.0.0', '--protected-mode', 'no', '--port', String(port)]
  const redis = new ThrowawayRedis(port, [
    ...args,
    '--appendonly',
    'no',
    '--save',
    '',
    '--dir',
    folder,
  ])
  await redis.start()
  return redis
}

async function addControls(fleet: Fleet, wires: Wires, ports: number[]): Promise<void> {
  for (const name of ['control-1', 'control-2']) {
    const node = await addNode(fleet, wires, {
      name,
      own: async (hosts) => ({
        ...fleet.controlEnvironment,
        ROLE: 'control',
        DATABASE_URL: databaseUrl('postgres', hosts),
      }),
      ports,
    })
    fleet.controls.push(node)
    // The first one makes the tables.
    await node.start()
  }
}

async function addGateways(fleet: Fleet, wires: Wires, ports: number[]): Promise<void> {
  const printed = await fleet.admin(['gateway-account'])
  const settings = Object.fromEntries(printed.trim().split('\n').map(settingOf))
  const { username, password } = new URL(settings['DATABASE_URL'] ?? '')
  for (const name of ['gateway-1', 'gateway-2', 'gateway-3'])
    fleet.gateways.push(
      await addNode(fleet, wires, {
        name,
        own: async (hosts) => ({
          ...settings,
          GATEWAY_WORKERS: '1',
          DATABASE_URL: databaseUrl(`${username}:${password}`, hosts),
        }),
        ports,
      }),
    )
  await Promise.all(fleet.gateways.map((node) => node.start()))
}

function settingOf(line: string): [string, string] {
  const at = line.indexOf('=')
  return [line.slice(0, at), line.slice(at + 1)]
}

const databaseUrl = (who: string, hosts: readonly string[]) =>
  `postgres://${who}@${hosts.join(',')}/postgres?target_session_attrs=read-write`

interface NewNode {
  name: string
  ports: number[]
  own: (hosts: string[]) => Promise<Record<string, string>>
}

async function addNode(fleet: Fleet, wires: Wires, { name, ports, own }: NewNode) {
  const wire = await wires.open(name)
  const hosts: string[] = []
  for (const port of ports) hosts.push(await wire.reach(port))
  const { redis, folder, aheadMs } = fleet
  const redisAt = redis && (await wire.reach(redis.port))
  const environment = async () => ({
    DATA_DIR: join(folder, name),
    HOST: wire.address === '127.0.0.1' ? '127.0.0.1' : '0.0.0.0',
    LOG_LEVEL: 'warn',
    ...(redisAt ? { REDIS_URL: `redis://${redisAt}` } : {}),
    ...(await own(hosts)),
    ...(aheadMs.has(name)
      ? { NODE_OPTIONS: `--import=${clockAhead.href}?ms=${aheadMs.get(name)}` }
      : {}),
  })
  const node = new FleetNode({ name, wire, environment })
  fleet.nodes.push(node)
  return node
}
