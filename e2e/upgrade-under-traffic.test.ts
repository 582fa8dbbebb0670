import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { freePort } from './harness/free-port.ts'
import { runProduct } from './harness/run-product.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-upgrade-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What the last versions before 0.1.0 noted, whose databases are adopted. */
const noted = [
  '0151-unknown-passwords',
  '0152-installation-hold',
  '0155-permissions-of-earlier-seeds',
  '0160-server-stops-rule',
]

it('while an upgrade of SQLite is under way, the gateway serves what it has kept, and the other port says how far it is', async () => {
  const [port, gatewayPort] = [await freePort(), await freePort()]
  const environment = {
    DATA_DIR: folder,
    PORT: String(port),
    GATEWAY_PORT: String(gatewayPort),
    GATEWAY_WORKERS: '1',
  }
  const first = await runProduct(environment)
  await first.end('SIGTERM')
  const database = new DatabaseSync(join(folder, 'gatehouse.sqlite'))
  database.exec('alter table run add column alarmed_at text; delete from kysely_migration')
  for (const name of noted)
    database.exec(`insert into kysely_migration (name, timestamp) values ('${name}', '')`)
  // The adoption waits for this.
  database.exec('begin immediate')
  const starting = runProduct(environment)
  starting.catch(() => {})
  try {
    const asked = async (of: number) => {
      const answer = await fetch(`http://127.0.0.1:${of}/readyz`)
      return [answer.status, (await answer.json()) as { step?: string }] as const
    }
    await vi.waitFor(
      async () => {
        expect((await asked(gatewayPort))[0]).toBe(200)
        expect(await asked(port)).toEqual([
          503,
          { status: 'starting', step: 'migration adoption-by-0.1.0 (1 of 1)' },
        ])
      },
      { timeout: 60_000, interval: 20 },
    )
  } finally {
    database.exec('rollback')
    database.close()
  }
  const second = await starting
  expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200)
  await second.end('SIGTERM')
})
