import { randomBytes } from 'node:crypto'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { runServerProcess } from '../../../test/servers/run-server-process.ts'
import { createPreparedPostgres } from '../../../test/test-database.ts'
import { connect } from '../../db/connect.ts'
import { createStores } from '../../stores.ts'
import { systemClock } from '../../kernel/clock.ts'

it('a second server with a copy of a folder is refused, and a crashed one starts at once', async () => {
  const postgres = await createPreparedPostgres()
  // SQLite has one server.
  if (!postgres) return
  const parent = mkdtempSync(join(tmpdir(), 'gatehouse-clone-'))
  const db = connect({ kind: 'postgres', url: postgres.url })
  onTestFinished(async () => {
    await db.destroy()
    await postgres.drop()
    rmSync(parent, { recursive: true, force: true })
  })
  const environment = {
    ADMIN_PASSWORD: 'correct horse battery',
    APP_KEY: randomBytes(32).toString('base64'),
    DATABASE_URL: postgres.url,
  }
  const [folder, copy] = [join(parent, 'original'), join(parent, 'copy')]
  const first = await runServerProcess({ dataDir: folder, environment })
  expect(first.url).toMatch(/^http:/)
  cpSync(folder, copy, { recursive: true })

  const refused = await runServerProcess({ dataDir: copy, environment })
  expect(refused.url).toContain('Another server on this database has the same instance-id')
  expect(refused.url).toContain('delete the file instance-id')
  expect(await refused.exited).toEqual([1, null])

  const { nodes } = createStores(db, systemClock)
  const id = readFileSync(join(folder, 'instance-id'), 'utf8').trim()
  first.child.kill('SIGKILL')
  await first.exited
  const { seen_at } = (await nodes.find(id))!
  const second = await runServerProcess({ dataDir: folder, environment })
  const { started_at } = (await nodes.find(id))!
  // Without its lock file it would have to wait until the other had been silent for 30 s.
  expect(new Date(started_at).getTime() - new Date(seen_at).getTime()).toBeLessThan(30_000)

  rmSync(join(copy, 'instance-id'))
  const own = await runServerProcess({ dataDir: copy, environment })
  expect(own.url).toMatch(/^http:/)
  expect(await nodes.list()).toHaveLength(2)
  second.child.kill('SIGTERM')
})
