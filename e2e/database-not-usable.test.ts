import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { startPostgres } from '../scripts/databases/throwaway-postgres.mjs'
import { freePort } from './harness/free-port.ts'
import { runProduct } from './harness/run-product.ts'

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
    const port = await freePort()
    const environment = {
      DATA_DIR: folder,
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
        async () => expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200),
        { timeout: 60_000, interval: 100 },
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
