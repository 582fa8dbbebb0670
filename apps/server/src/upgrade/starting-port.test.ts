import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { beforeRelease, fixtureKey, writeFixtureFile } from '../../test/rows/release-fixtures.ts'
import { lastOfBaseline } from '../db/adoption/adopt.ts'
import { listMigrations } from '../db/migrate.ts'
import { openDataDir, StartError } from '../settings/data-dir.ts'
import { databaseFile } from '../db/connect.ts'
import { readSettings } from '../settings/settings.ts'
import { startServer } from '../start.ts'

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** A data folder whose database waits for one step. */
async function openFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-starting-'))
  writeFixtureFile(beforeRelease, folder)
  const database = new DatabaseSync(databaseFile(folder))
  database.exec('pragma journal_mode = wal')
  const dataDir = openDataDir(folder)
  const port = await freePort()
  const environment = { DATA_DIR: folder, PORT: String(port), APP_KEY: fixtureKey }
  onTestFinished(() => {
    database.close()
    dataDir.release()
    rmSync(folder, { recursive: true, force: true })
  })
  const start = () =>
    startServer({
      settings: readSettings(environment),
      dataDir,
      gateway: undefined,
      version: '0',
      dashboardFolder: '/no',
      showFirstAdministrator: () => {},
    })
  return { database, start, port, url: `http://127.0.0.1:${port}` }
}

it('while the database is migrated, the port says so, and then it serves', async () => {
  const { database, start, url } = await openFolder()
  // The migration waits for this.
  database.exec('begin immediate')
  const starting = start()
  let step = ''
  while (!step.startsWith('migration')) {
    await delay(5)
    const answer = await fetch(`${url}/readyz`).catch(() => undefined)
    if (!answer) continue
    expect(answer.status).toBe(503)
    const body = (await answer.json()) as { status: string; step: string }
    expect(body.status).toBe('starting')
    step = body.step
  }
  const later = (await listMigrations()).filter((name) => name > lastOfBaseline)
  expect(step).toBe(`migration adoption-by-0.1.0 (1 of ${1 + later.length})`)
  const call = await fetch(`${url}/api/apis`, { method: 'POST', body: '{}' })
  expect(call.status).toBe(503)
  expect(call.headers.get('retry-after')).toBe('1')
  expect(call.headers.get('x-content-type-options')).toBe('nosniff')
  expect(await call.json()).toMatchObject({ code: 'server.starting', step })
  const page = await fetch(url, { headers: { accept: 'text/html' } })
  expect(page.status).toBe(503)
  expect(await page.text()).toContain(step)
  database.exec('rollback')
  const server = await starting
  expect(server.url).toBe(url.replace('127.0.0.1', 'localhost'))
  expect((await fetch(`${url}/readyz`)).status).toBe(200)
  expect((await fetch(`${url}/api/apis`)).status).toBe(401)
  await server.stop()
  await expect(fetch(`${url}/readyz`)).rejects.toThrow()
})

it('a port in use is refused before the database is touched, and a start that fails frees the port', async () => {
  const { database, start, port, url } = await openFolder()
  const other = createServer().listen(port, '127.0.0.1')
  await once(other, 'listening')
  await expect(start()).rejects.toThrow(`Port ${port} on 127.0.0.1 is in use`)
  const pending = database.prepare("select 1 from kysely_migration where name > '0200'").all()
  expect(pending).toEqual([])
  other.close()
  await once(other, 'close')
  database.exec("insert into kysely_migration (name, timestamp) values ('9999-later', '')")
  await expect(start()).rejects.toThrow(StartError)
  await expect(fetch(`${url}/readyz`)).rejects.toThrow()
})
