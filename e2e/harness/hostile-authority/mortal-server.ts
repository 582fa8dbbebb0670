import { randomBytes, randomInt } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '../free-port.ts'
import { runProduct, type Product } from '../run-product.ts'

/** A server that is killed again and again and comes back at the same address on the same data. */
export interface MortalServer {
  url: string
  /** Resolves when the start in progress has ended; at once if there is none. */
  up(): Promise<void>
  /** False from a kill until it is ready again. */
  isUp(): boolean
  kills(): number
  /** Begins the kills. */
  expose(): void
  /** Whether the kills are over, and it is up. */
  isSpared(): boolean
  /** Ends the kills. */
  spare(): Promise<void>
  stop(): Promise<void>
}

interface Mortality {
  environment: Record<string, string>
  /** SIGKILLs in all; each at a random moment of the second after it was ready again. */
  kills: number
  withinMs: number
  /** After every tenth kill it stays away for so long, beside the time of its start. */
  longAwayMs?: number | undefined
}

/** Starts the product; `expose` begins to kill it. */
export async function runMortalServer(mortality: Mortality): Promise<MortalServer> {
  const port = await freePort()
  const environment = { ...mortality.environment, PORT: String(port) }
  let product: Product = await runProduct(environment)
  let starting: Promise<void> = Promise.resolve()
  let kills = 0
  let isSpared = false
  let isOver = false
  let isUp = true

  let killing: Promise<void> = Promise.resolve()
  const killOn = async () => {
    while (kills < mortality.kills && !isSpared) {
      await delay(randomInt(20, mortality.withinMs))
      if (isSpared) return
      kills++
      const dying = product
      isUp = false
      starting = (async () => {
        await dying.end('SIGKILL')
        if (kills % 10 === 0) await delay(mortality.longAwayMs ?? 0)
        product = await runProduct(environment)
        isUp = true
      })()
      await starting
    }
  }

  return {
    url: product.url,
    up: () => starting,
    isUp: () => isUp,
    kills: () => kills,
    isSpared: () => isOver,
    expose: () => {
      killing = killOn().finally(() => (isOver = true))
    },
    spare: async () => {
      isSpared = true
      await killing
    },
    stop: async () => {
      isSpared = true
      await killing
      await product.end('SIGTERM')
    },
  }
}

interface MortalFleet extends Omit<Mortality, 'environment'> {
  /** Each server has a folder of its own in it. */
  folder: string
  /** Two servers share this PostgreSQL; without it there is one, on SQLite. */
  databaseUrl?: string | undefined
}

/** Starts one server, or two that share a database; `kills` is the number of each. */
export async function runMortalServers(fleet: MortalFleet): Promise<MortalServer[]> {
  const { folder, databaseUrl, ...mortality } = fleet
  // Both servers open the same secrets, wherever they keep their own files.
  const shared = {
    APP_KEY: randomBytes(32).toString('base64'),
    GATEWAY_PORT: '0',
    GATEWAY_WORKERS: '1',
    ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
  }
  const servers: MortalServer[] = []
  try {
    for (let index = 0; index < (databaseUrl ? 2 : 1); index++) {
      const environment = { ...shared, DATA_DIR: join(folder, `server-${index}`) }
      servers.push(await runMortalServer({ ...mortality, environment }))
    }
    return servers
  } catch (error) {
    await Promise.all(servers.map((server) => server.stop()))
    throw error
  }
}

/** One of them that is up; waits where none is. */
export async function oneThatIsUp(servers: readonly MortalServer[]): Promise<MortalServer> {
  const up = servers.filter((server) => server.isUp())
  const among = up.length > 0 ? up : servers
  const server = among[randomInt(among.length)]!
  await server.up()
  return server
}
