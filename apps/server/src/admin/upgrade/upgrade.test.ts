import { readdirSync } from 'node:fs'
import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { createInstallation, runOn } from '../../../test/processes/admin-commands.ts'
import { beforeRelease, fixtureKey, openRelease } from '../../../test/rows/release-fixtures.ts'
import { connect, sourceOf } from '../../db/connect.ts'
import { listMigrations, migrationsOf } from '../../db/migrate.ts'
import { tablesChangedBy } from './changed-tables.ts'

/** An installation as the last version before 0.1.0 has left it. */
async function openOlder() {
  const release = await openRelease(beforeRelease)
  onTestFinished(release.drop)
  const environment = {
    DATA_DIR: release.folder,
    DATABASE_URL: release.url ?? '',
    APP_KEY: fixtureKey,
  }
  const db = connect(sourceOf(release.url, release.folder))
  onTestFinished(() => db.destroy())
  return { environment, folder: release.folder, db }
}

it('says what the upgrade does and how long it takes, and leaves the database as it was', async () => {
  const { environment, folder, db } = await openOlder()
  const before = await migrationsOf(db)
  const { code, out, err } = await runOn(environment, ['upgrade', '--check'])
  expect([code, err]).toEqual([0, expect.stringMatching(/The copy took \d+\.\d s\./)])
  expect(out).toMatch(/\d+ migrations, from adoption-by-0\.1\.0\./)
  expect(out).toMatch(/^(ok|warning) +copy /m)
  expect(out).toMatch(/^warning +backup +none was made/m)
  expect(out).toMatch(/^ +\d+\.\d s {2}0240-document-registers .*document \(1 row\)/m)
  for (const name of (await listMigrations()).filter((each) => each > '0235-server'))
    expect(out).toContain(name)
  expect(out).toMatch(/in all on this machine/)
  expect(await migrationsOf(db)).toEqual(before)
  expect(readdirSync(folder).filter((name) => name.startsWith('upgrade-check-'))).toEqual([])
})

it('keeps to itself where nothing is to be done, and refuses a database of a newer version', async () => {
  const there = await createInstallation()
  const done = await there.admin(['upgrade', '--check'])
  expect([done.code, done.out]).toEqual([0, expect.stringContaining('nothing is to be done')])
  expect(await there.admin(['upgrade'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('A start of the server makes the upgrade.'),
  })
  await sql`insert into kysely_migration (name, timestamp) values ('9999-later', '')`.execute(
    there.open(),
  )
  expect(await there.admin(['upgrade', '--check'])).toMatchObject({
    code: 1,
    err: expect.stringContaining('9999-later'),
  })
})

it('says which servers have to be stopped first', async () => {
  const { environment, db } = await openOlder()
  const now = new Date().toISOString()
  const server = { instance_id: 'a', start_id: 'a', beat: 1, place: 'here', name: 'till-1' }
  await db
    .insertInto('node')
    .values({ ...server, version: '7.0.0', role: 'all', started_at: now, seen_at: now })
    .execute()
  const refused = await runOn(environment, ['upgrade', '--check'])
  expect(refused.code).toBe(1)
  expect(refused.out).toMatch(/^failed +servers +stop till-1 \(7\.0\.0\) first/m)
})

it.each([
  ['alter table "api" add column x', ['api']],
  ['update document set reference_key = reference', ['document']],
  ['create unique index "a" on "document" ("b")', ['document']],
  ['insert into role_permission (role_id) select id from role', ['role_permission']],
  ["select 'update' from run", []],
])('%s changes %j', (text, tables) => {
  expect(tablesChangedBy(text)).toEqual(tables)
})
