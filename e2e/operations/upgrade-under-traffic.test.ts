import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { freePort } from '../harness/free-port.ts'
import { runProduct } from '../harness/run-product.ts'

/** What the last version before 0.1.0 has left, and the key that it was used with. */
const before = new URL(
  '../../apps/server/fixtures/databases/before-0.1.0.sqlite.gz',
  import.meta.url,
)
const key = Buffer.alloc(32, 7).toString('base64')

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-upgrade-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('while an upgrade of SQLite is under way, the gateway serves what it has kept, and the other port says how far it is', async () => {
  const [port, gatewayPort] = [await freePort(), await freePort()]
  const environment = {
    DATA_DIR: folder,
    PORT: String(port),
    GATEWAY_PORT: String(gatewayPort),
    GATEWAY_WORKERS: '1',
    APP_KEY: key,
  }
  const first = await runProduct(environment)
  await first.end('SIGTERM')
  const file = join(folder, 'gatehouse.sqlite')
  for (const ending of ['', '-wal', '-shm']) rmSync(file + ending, { force: true })
  writeFileSync(file, gunzipSync(readFileSync(before)))
  const database = new DatabaseSync(file)
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
          {
            status: 'starting',
            step: expect.stringMatching(/^migration adoption-by-0\.1\.0 \(1 of \d+\)$/),
          },
        ])
      },
      { interval: 20 },
    )
  } finally {
    database.exec('rollback')
    database.close()
  }
  const second = await starting
  expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200)
  await second.end('SIGTERM')
})
