import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { startPostgres } from '../../scripts/databases/throwaway-postgres.mjs'
import { foundPrograms } from '../../scripts/set-up/programs.mjs'
import { creating } from '../harness/hostile-workflows/register-workflows.ts'
import { runProduct, signIn } from '../harness/run-product.ts'
import { fillDisk, mountSmallDisk } from '../harness/small-disk.ts'

// The whole product, with its DATA_DIR on a disk that becomes full while its gateway carries traffic.

const noSmallDisk = 'a small disk can only be mounted by root on Linux'
const hasPostgres = foundPrograms()['GATEHOUSE_TEST_POSTGRES_BIN'] !== undefined
const longBytes = 100_000
/** Too large for what is left of a page of the journal, and nothing makes it smaller. */
const long = (text: string) => `${text}.${randomBytes(longBytes).toString('base64url')}`

/** `GET /till/hello`, on a disk of 48 MiB. Undefined where none can be mounted. */
async function start(settings: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-full-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const unmount = mountSmallDisk(folder, 48)
  if (!unmount) return undefined
  onTestFinished(unmount)
  const environment = { DATA_DIR: folder, GATEWAY_WORKERS: '1', ...settings }
  const product = await runProduct(environment)
  onTestFinished(async () => void (await product.end('SIGKILL')))
  const call = await signIn(product.url)
  const create = creating(call)
  const api = { api_protocol: 'http', gateway_status: 'active', api_access: 'internally' }
  const { id: api_id } = await create('/api/apis', {
    ...api,
    name: 'Till',
    api_url: 'http://127.0.0.1:9',
  })
  const about = { api_id, method_type: 'get', status: 'active', path: '/hello' }
  const definition = (text: string) => ({
    ...about,
    summery: 'Hello',
    description: 'Says hello',
    authentication: 0,
    enable_custom_output: 1,
    custom_output: JSON.stringify(text),
  })
  const { id } = await create('/api/endpoint', definition('first'))
  return {
    folder,
    product,
    change: (text: string) => call('PUT', `/api/endpoint/${String(id)}`, definition(text)),
    hello: async () => {
      const answer = await fetch(`${product.gatewayUrl}/till/hello`)
      return { status: answer.status, text: ((await answer.json()) as string).split('.')[0] }
    },
  }
}

it('SQLite: the gateway goes on with what it has, a change is refused whole, and is taken once there is room', async (context) => {
  const started = await start({})
  if (!started) {
    context.skip(noSmallDisk)
    return
  }
  const { folder, product, change, hello } = started
  // What is in the journal has its room already.
  const db = new DatabaseSync(join(folder, 'gatehouse.sqlite'))
  db.exec('pragma busy_timeout = 5000; pragma wal_checkpoint(truncate)')
  db.close()
  const makeRoom = fillDisk(folder)
  expect(await change(long('second'))).toMatchObject({ status: 507, body: { code: 'store.full' } })
  // Its access log has no room either.
  for (let times = 0; times < 200; times++)
    expect(await hello()).toEqual({ status: 200, text: 'first' })
  expect((await fetch(`${product.url}/healthz`)).status).toBe(200)
  makeRoom()
  expect((await change(long('third'))).status).toBe(200)
  expect(await hello()).toEqual({ status: 200, text: 'third' })
  expect(await product.end('SIGTERM')).toBe(0)
})

it.skipIf(!hasPostgres)(
  'PostgreSQL: a full DATA_DIR holds up no change, and what is in force is kept again once there is room',
  async (context) => {
    const postgres = await startPostgres()
    onTestFinished(() => postgres.stop())
    const started = await start({ DATABASE_URL: postgres.url })
    if (!started) {
      context.skip(noSmallDisk)
      return
    }
    const { folder, product, change, hello } = started
    const keptBytes = () => statSync(join(folder, 'gateway-snapshot.json')).size
    const makeRoom = fillDisk(folder)
    expect((await change(long('second'))).status).toBe(200)
    expect(await hello()).toEqual({ status: 200, text: 'second' })
    expect(keptBytes()).toBeLessThan(longBytes)
    makeRoom()
    expect((await change(long('third'))).status).toBe(200)
    await expect.poll(keptBytes).toBeGreaterThan(longBytes)
    expect(await product.end('SIGTERM')).toBe(0)
  },
)
