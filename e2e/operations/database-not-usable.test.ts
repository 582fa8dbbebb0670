import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { startPostgres } from '../../scripts/databases/throwaway-postgres.mjs'
import { freePort } from '../harness/free-port.ts'
import { runProduct } from '../harness/run-product.ts'

let postgres: { url: string; stop: () => Promise<void> }
let folder: string
beforeAll(async () => {
  postgres = await startPostgres()
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-not-usable-'))
})
afterAll(async () => {
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function ask(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  await client.query(statement)
  await client.end()
}

const readOnly = (value: string) =>
  `alter database own set default_transaction_read_only = ${value}`

it.each([
  {
    what: 'is read only',
    before: readOnly('on'),
    after: readOnly('off'),
    says: 'it takes no writes',
  },
  {
    what: 'is not there yet',
    before: 'alter database own rename to later',
    after: 'alter database later rename to own',
    says: 'database "own" does not exist',
  },
])(
  'while the database $what, the gateway serves what it has kept, and the rest follows',
  async ({ before, after, says }) => {
    await ask('drop database if exists own')
    await ask('create database own')
    const [port, ownPort] = [await freePort(), await freePort()]
    const environment = {
      DATA_DIR: folder,
      PORT: String(ownPort),
      DATABASE_URL: postgres.url.replace('/postgres?', '/own?'),
      GATEWAY_PORT: String(port),
      GATEWAY_WORKERS: '1',
    }
    rmSync(folder, { recursive: true, force: true })
    const first = await runProduct(environment)
    await first.end('SIGTERM')
    await ask(before)
    const starting = runProduct(environment)
    starting.catch(() => {})
    try {
      await vi.waitFor(
        async () => {
          expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200)
          // The control plane has looked for it, too.
          const starting = await fetch(`http://127.0.0.1:${ownPort}/readyz`)
          expect(await starting.json()).toMatchObject({ step: 'waiting for the database' })
        },
        { interval: 100 },
      )
    } finally {
      await ask(after)
    }
    const second = await starting
    await second.end('SIGTERM')
    expect(second.output).toContain(says)
    expect(second.output).toContain('The gateway serves revision')
  },
)

/** Lets TCP through to the PostgreSQL of this file; nothing listens before. */
async function openDatabasePort(port: number): Promise<() => void> {
  const socket = `${new URL(postgres.url).searchParams.get('host') ?? ''}/.s.PGSQL.5432`
  const relay = createServer((client) => {
    const server = connect(socket)
    client.on('error', () => {}).on('close', () => server.destroy())
    server.on('error', () => {}).on('close', () => client.destroy())
    client.pipe(server).pipe(client)
  })
  relay.listen(port, '127.0.0.1')
  await once(relay, 'listening')
  return () => relay.close()
}

it.each(['all', 'control'])(
  '%s that starts before PostgreSQL says so on its port, and goes on',
  async (role) => {
    await ask('drop database if exists own with (force)')
    await ask('create database own')
    rmSync(folder, { recursive: true, force: true })
    const [port, databasePort] = [await freePort(), await freePort()]
    const { username } = new URL(postgres.url)
    const starting = runProduct({
      DATA_DIR: folder,
      DATABASE_URL: `postgres://${username}@127.0.0.1:${databasePort}/own`,
      APP_KEY: Buffer.alloc(32, 7).toString('base64'),
      ROLE: role,
      PORT: String(port),
      GATEWAY_WORKERS: '1',
    })
    starting.catch(() => {})
    const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`)
    await vi.waitFor(
      async () => {
        const answer = await get('/readyz')
        expect([answer.status, await answer.json()]).toMatchObject([503, { status: 'starting' }])
      },
      { interval: 100 },
    )
    const call = await get('/api/apis')
    expect([call.status, await call.json()]).toMatchObject([503, { code: 'server.starting' }])
    const close = await openDatabasePort(databasePort)
    const product = await starting
    expect((await get('/readyz')).status).toBe(200)
    expect(product.output).toMatch(
      /can't be used: .*ECONNREFUSED.*\nGatehouse starts when the database is there/,
    )
    await product.end('SIGTERM')
    close()
  },
)

it('a database that answers and can’t be used ends the start with one line', async () => {
  rmSync(folder, { recursive: true, force: true })
  const starting = runProduct({
    DATA_DIR: folder,
    DATABASE_URL: postgres.url.replace('/postgres?', '/missing?'),
  })
  await expect(starting).rejects.toThrow(
    /^It ended with 1 before it was ready:\nThe database \(DATABASE_URL\) can't be used: database "missing" does not exist\n$/,
  )
})
