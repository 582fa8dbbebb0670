import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { runProduct, type Product } from '../run-product.ts'

/** One machine on SQLite, two complete servers, or a control plane with two gateways on their own. */
export type SoakPlace = 'sqlite' | 'complete' | 'roles'

export interface Backends {
  databaseUrl: string
  redisUrl?: string
}

/** Whether a server of a place answers people: a gateway that runs alone does not. */
export const hasDashboard = (name: string) => !name.startsWith('gateway')

const admin = fileURLToPath(new URL('../../../apps/server/src/admin/admin.ts', import.meta.url))

/** Starts the servers of a place, by name; `more` are settings of the next one. */
export async function startPlace(
  place: SoakPlace,
  folder: string,
  backends: Backends | undefined,
  more: () => Promise<Record<string, string>> = async () => ({}),
): Promise<Map<string, Product>> {
  const named = new Map<string, Product>()
  const start = async (name: string, changes: Record<string, string>) =>
    named.set(
      name,
      await runProduct({
        DATA_DIR: join(folder, name),
        GATEWAY_WORKERS: '2',
        LOG_LEVEL: 'warn',
        ...(await more()),
        ...changes,
      }),
    )
  if (place === 'sqlite') {
    await start('server', {})
    return named
  }
  if (!backends) throw new Error(`${place} needs PostgreSQL and Redis.`)
  const redis: Record<string, string> = backends.redisUrl ? { REDIS_URL: backends.redisUrl } : {}
  const shared = { DATABASE_URL: backends.databaseUrl, ...redis }
  const APP_KEY = randomBytes(32).toString('base64')
  if (place === 'complete') {
    for (const name of ['server-1', 'server-2']) await start(name, { ...shared, APP_KEY })
    return named
  }
  await start('control', { ...shared, APP_KEY, ROLE: 'control' })
  const account = await makeAccount({ ...shared, APP_KEY, DATA_DIR: join(folder, 'control') })
  for (const name of ['gateway-1', 'gateway-2']) await start(name, { ...account, ...redis })
  return named
}

/** The settings that `gateway-account` prints. */
async function makeAccount(env: Record<string, string>): Promise<Record<string, string>> {
  const { stdout } = await promisify(execFile)(process.execPath, [admin, 'gateway-account'], {
    env: { ...env, ...(process.env.PATH === undefined ? {} : { PATH: process.env.PATH }) },
  })
  const lines = stdout.trim().split('\n')
  return Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).slice(0, 2)))
}
