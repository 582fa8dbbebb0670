import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { GatewayRequestPage, NodeList } from '@gatehouse/contract'
import pg from 'pg'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { startPostgres } from '../../scripts/databases/throwaway-postgres.mjs'
import {
  accessibilityProblems,
  newPage,
  openBrowser,
  signInByCall,
} from '../harness/open-browser.ts'
import { runProduct, signIn, type Call, type Product } from '../harness/run-product.ts'
import { makeTill, type Till } from '../harness/upstreams/till.ts'

// A control plane and two gateways that run alone, as processes of their own on one PostgreSQL. The tests follow
// each other: each goes on with what the one before has left.

const admin = fileURLToPath(new URL('../../apps/server/src/admin/admin.ts', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-roles-'))
// PostgreSQL runs under another account, which can't enter the folder of the product.
const databaseFolder = mkdtempSync(join(tmpdir(), 'gatehouse-roles-pg-'))
const upstreamSecret = 'a-secret-of-the-upstream'
const often = { interval: 50 }

let postgres: { url: string; stop: () => Promise<void> }
let control: Product
let call: Call
let environment: Record<string, string>
let gateways: Product[] = []
let till: Till
let token: { id: number; token: string }

beforeAll(async () => {
  postgres = await startPostgres({ isDurable: true, folder: databaseFolder })
  control = await runProduct({
    DATA_DIR: join(folder, 'control'),
    DATABASE_URL: postgres.url,
    ROLE: 'control',
  })
  call = await signIn(control.url)
})
afterAll(async () => {
  for (const each of [...gateways, control]) await each.end('SIGKILL').catch(() => {})
  await postgres.stop()
  for (const each of [folder, databaseFolder]) rmSync(each, { recursive: true, force: true })
})

const startGateway = (name: string, changes: Record<string, string> = {}) =>
  runProduct({
    DATA_DIR: join(folder, name),
    GATEWAY_WORKERS: '1',
    HOST: '127.0.0.1',
    ...environment,
    ...changes,
  })

const ask = async ({ gatewayUrl }: Product) =>
  fetch(`${gatewayUrl}/till/hello`, { headers: { authorization: `Bearer ${token.token}` } })
const hello = async (gateway: Product) => (await ask(gateway)).text()
/** Each is refused, or left in the middle: of the head, of a body, of a chunk. */
const hostileRequests = [
  'GET /till/hello HTTP/1.1\r\nHost: a\r\nX: ',
  'POST /till/hello HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n',
  `POST /till/hello HTTP/1.1\r\nHost: a\r\nContent-Length: 20000000\r\n\r\n${'['.repeat(4_000_000)}`,
  'POST /till/hello HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n',
  `POST /till/hello HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(100_000)}`,
  `GET /${'a'.repeat(200_000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
  `GET / HTTP/1.1\r\nHost: a\r\n${'A: b\r\n'.repeat(20_000)}\r\n`,
  Buffer.alloc(1_000_000, 0xff),
]

/** Sends the bytes, and closes the connection once there is an answer, or all of them are written. */
async function sendAndLeave(url: string, bytes: string | Buffer): Promise<void> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  socket.write(bytes, () => socket.destroy())
  socket.on('data', () => socket.destroy())
  if (!socket.destroyed) await new Promise((resolve) => socket.once('close', resolve))
}

const nodesOf = async () => ((await call('GET', '/api/nodes')).body as NodeList).nodes

async function readAs(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return client
}

it('an account is made by one command, which prints what a gateway needs', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [admin, 'gateway-account'], {
    env: {
      PATH: process.env.PATH,
      DATA_DIR: join(folder, 'control'),
      DATABASE_URL: postgres.url,
    },
  })
  environment = Object.fromEntries(
    stdout
      .trim()
      .split('\n')
      .map((line) => /^(\w+)=(.*)$/.exec(line)?.slice(1) as [string, string]),
  )
  expect(Object.keys(environment)).toEqual(['ROLE', 'DATABASE_URL', 'GATEWAY_KEY'])
  const { body } = await call('GET', '/api/audit?thing=installation')
  expect(body).toMatchObject([
    {
      total: 1,
      data: [
        {
          action: 'gateway_account.create',
          actor: 'command line',
          thing_name: 'gatehouse_gateway',
        },
      ],
    },
  ])
})

it('a change is in force at both gateways', async () => {
  gateways = await Promise.all(['first', 'second'].map((name) => startGateway(name)))
  till = await makeTill(call, {
    text: 'one',
    endpoint: { authentication: 1 },
    api: {
      authentication: 1,
      auth_type: 'bearer_token',
      credential: { kind: 'bearer', token: upstreamSecret },
    },
  })
  const api = await call('GET', `/api/apis/${till.apiId}/edit`)
  expect(JSON.stringify(api.body)).toContain('has_token')
  const issued = await call('POST', '/admin/token/store', { name: 'till' })
  expect(issued.status).toBe(201)
  token = (issued.body as { access_token: typeof token }).access_token
  for (const gateway of gateways)
    await vi.waitFor(async () => expect(await hello(gateway)).toBe('"one"'), often)
})

it('the nodes are shown with their roles, and what the gateways carried is counted', async () => {
  for (const gateway of gateways) for (let times = 0; times < 5; times++) await hello(gateway)
  await vi.waitFor(async () => {
    // All have the name of this machine.
    const nodes = (await nodesOf()).toSorted((one, other) => one.role.localeCompare(other.role))
    expect(nodes.map(({ role, life, is_current }) => [role, life, is_current])).toEqual([
      ['control', 'alive', true],
      ['gateway', 'alive', true],
      ['gateway', 'alive', true],
    ])
    const [first, ...others] = nodes
    expect(first?.leads.length).toBeGreaterThan(0)
    for (const { state, leads } of others) {
      expect(state?.workers).toEqual({ serving: 1, total: 1 })
      expect(leads).toEqual([])
    }
    const { body } = await call('GET', '/api/traffic')
    const { busiest } = body as { busiest: { summery: string; requests: number }[] }
    expect(busiest[0]?.summery).toBe('Hello')
    expect(busiest[0]?.requests).toBeGreaterThanOrEqual(10)
  }, often)
})

it('the requests of each gateway are shown by the control plane, from the log of that gateway', async () => {
  const list = async (query = '') =>
    (await call('GET', `/api/gateway-requests${query}`)).body as GatewayRequestPage
  const { gateways: lone, other_servers, rows } = await list()
  expect([lone.length, other_servers, rows]).toEqual([2, [], []])
  for (const { id } of lone)
    await vi.waitFor(async () => {
      const { rows: found } = await list(`?server=${id}`)
      expect(found[0]).toMatchObject({ path: '/till/hello', token_id: token.id })
    }, often)
  const browser = await openBrowser()
  try {
    const { page, complaints } = await newPage(browser, control.url)
    await signInByCall(page)
    await page.goto('/dashboard/admin/gateway-requests')
    await page.getByText('No requests yet').waitFor()
    await page.getByRole('combobox', { name: 'Gateway' }).click()
    await page.getByRole('option').first().click()
    await page.getByRole('row').filter({ hasText: '/till/hello' }).first().waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    expect(complaints).toEqual([])
  } finally {
    await browser.close()
  }
})

it('the account reads two tables, writes none, and finds no secret in them', async () => {
  const [own, other] = await Promise.all([
    readAs(postgres.url),
    readAs(environment['DATABASE_URL'] ?? ''),
  ])
  const { rows } = await own.query<{ name: string; is_view: boolean }>(
    `select quote_ident(table_schema) || '.' || quote_ident(table_name) as name
     from information_schema.tables where table_schema not in ('pg_catalog', 'information_schema')`,
  )
  expect(rows.length).toBeGreaterThan(50)
  const readable: string[] = []
  let dump = ''
  for (const { name } of rows) {
    const found = await other.query(`select * from ${name}`).catch(() => undefined)
    if (found) readable.push(name)
    dump += JSON.stringify(found?.rows ?? [])
    for (const change of [
      `delete from ${name}`,
      `insert into ${name} select * from ${name}`,
      `truncate ${name}`,
    ])
      await expect(other.query(change), change).rejects.toMatchObject({ code: '42501' })
    const columns = await own.query<{ may: boolean }>(
      `select bool_or(has_column_privilege('gatehouse_gateway', '${name}'::regclass, attnum, 'insert, update, references')) as may
       from pg_attribute where attrelid = '${name}'::regclass and attnum > 0 and not attisdropped`,
    )
    expect(columns.rows[0]?.may, name).toBe(false)
  }
  expect(readable.toSorted()).toEqual(['public.gateway_config', 'public.gateway_token'])
  await expect(other.query('create table mine (id int)')).rejects.toMatchObject({ code: '42501' })
  for (const secret of [upstreamSecret, token.token, 'Till', '/hello'])
    expect(dump).not.toContain(secret)
  await Promise.all([own.end(), other.end()])
})

it('a gateway refuses to start with another key, with an account that is not for gateways, or on SQLite', async () => {
  const other = Buffer.alloc(32, 7).toString('base64')
  await expect(startGateway('third', { GATEWAY_KEY: other })).rejects.toThrow(
    'GATEWAY_KEY does not open',
  )
  await expect(startGateway('third', { DATABASE_URL: postgres.url })).rejects.toThrow(
    'was not made for gateways',
  )
  await expect(startGateway('control-copy', { APP_KEY: other })).rejects.toThrow('APP_KEY is set')
  await expect(runProduct({ DATA_DIR: join(folder, 'lite'), ROLE: 'control' })).rejects.toThrow(
    'it needs PostgreSQL',
  )
})

it('a gateway with a copy of a folder stops, and the one that it was copied from goes on', async () => {
  const [first] = gateways as [Product]
  const before = await nodesOf()
  cpSync(join(folder, 'first'), join(folder, 'copy'), { recursive: true })
  const copy = await startGateway('copy')
  let said = ''
  copy.process.stderr?.on('data', (text: string) => (said += text))
  expect((await once(copy.process, 'close'))[0]).toBe(1)
  expect(said).toContain('is a copy of its DATA_DIR')
  expect(await hello(first)).toBe('"one"')
  // The row of the original was never that of the copy.
  const startOf = (nodes: NodeList['nodes']) =>
    nodes.map(({ id, started_at }) => id + started_at).toSorted()
  expect(startOf(await nodesOf())).toEqual(startOf(before))
})

it('a gateway that was killed starts again at once, and reports', async () => {
  const [first, second] = gateways as [Product, Product]
  const startsOf = async () => (await nodesOf()).map(({ started_at }) => started_at)
  const before = new Set(await startsOf())
  await second.end('SIGKILL')
  gateways = [first, await startGateway('second')]
  // Were its place not its own, it would have to wait until the one before had been silent for 30 s.
  await vi.waitFor(
    async () => expect((await startsOf()).some((at) => !before.has(at))).toBe(true),
    { timeout: 29_000, interval: 100 },
  )
})

it('with the control plane stuck, gateways serve on and outlive what clients send them', async () => {
  const [first] = gateways as [Product]
  process.kill(control.controlPid(), 'SIGSTOP')
  try {
    for (const bytes of hostileRequests) await sendAndLeave(first.gatewayUrl, bytes)
    for (const gateway of gateways) expect(await hello(gateway)).toBe('"one"')
  } finally {
    process.kill(control.controlPid(), 'SIGCONT')
  }
  await vi.waitFor(async () => expect((await till.change('one')).status).toBe(200), often)
  for (const gateway of gateways) expect(await hello(gateway)).toBe('"one"')
})

it('with the database gone gateways serve on, and one that is started again serves what it kept', async () => {
  await postgres.stop()
  const [first, second] = gateways as [Product, Product]
  expect(await hello(first)).toBe('"one"')
  expect(await second.end('SIGTERM')).toBe(0)
  const again = await startGateway('second')
  gateways = [first, again]
  expect(again.output).toContain('The gateway serves revision')
  for (const gateway of gateways) expect(await hello(gateway)).toBe('"one"')
  const health = (await (await fetch(`${again.url}/healthz`)).json()) as { status: string }
  expect(health.status).toBe('degraded')
})

it('when the database is back, changes arrive, and a revoked token is refused at both', async () => {
  postgres = await startPostgres({ isDurable: true, folder: databaseFolder })
  await vi.waitFor(async () => expect((await till.change('two')).status).toBe(200), often)
  for (const gateway of gateways)
    await vi.waitFor(async () => expect(await hello(gateway)).toBe('"two"'), often)
  expect((await call('DELETE', `/api/token/${token.id}`)).status).toBe(204)
  for (const gateway of gateways)
    await vi.waitFor(async () => expect((await ask(gateway)).status).toBe(401), often)
})

it('an account that is removed reads nothing any more', async () => {
  await promisify(execFile)(process.execPath, [admin, 'gateway-account', '--remove'], {
    env: {
      PATH: process.env.PATH,
      DATA_DIR: join(folder, 'control'),
      DATABASE_URL: postgres.url,
    },
  })
  await expect(startGateway('fourth')).rejects.toThrow()
  for (const gateway of gateways) expect((await ask(gateway)).status).toBe(401)
})
