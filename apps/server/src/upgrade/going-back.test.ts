import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import {
  beforeRelease,
  openRelease,
  type ReleaseDatabase,
} from '../../test/rows/release-fixtures.ts'
import { createEmptyPostgres } from '../../test/test-database.ts'
import { connect, databaseFile, sourceOf, type Db } from '../db/connect.ts'
import { readAtOneMoment } from '../db/dialect.ts'
import { listMigrations, migrationsOf } from '../db/migrate.ts'
import { listWholeTables, readTable } from '../db/whole-database.ts'
import { openDatabase } from '../open-database.ts'
import { dumpBeforeUpgrade, findPgDump } from './postgres-dump.ts'

const now = new Date('2026-11-25T10:00:00.000Z')

async function contentOf(db: Db): Promise<Record<string, unknown[]>> {
  const content: Record<string, unknown[]> = { migrations: await migrationsOf(db) }
  for (const table of await listWholeTables(db)) {
    const rows = []
    for await (const batch of readTable(db, table)) rows.push(...batch)
    content[table.name] = rows.map((row) => JSON.stringify(row)).toSorted()
  }
  return content
}

async function readDatabase<T>(
  url: string | undefined,
  folder: string,
  read: (db: Db) => Promise<T>,
) {
  const db = connect(sourceOf(url, folder))
  try {
    return await readAtOneMoment(db, read)
  } finally {
    await db.destroy()
  }
}

/** As docs/operations/upgrade.md says. Returns where the database is that the old version starts on. */
async function goBack({ url, folder }: ReleaseDatabase, kept: string) {
  if (url === undefined) {
    for (const name of readdirSync(folder).filter((each) => each.startsWith('gatehouse.sqlite')))
      rmSync(join(folder, name))
    copyFileSync(join(folder, kept), databaseFile(folder))
    return { url, folder }
  }
  const postgres = await createEmptyPostgres()
  if (!postgres) throw new Error('There is no PostgreSQL.')
  onTestFinished(postgres.drop)
  const restore = join(dirname(findPgDump() ?? ''), 'pg_restore')
  execFileSync(restore, [
    '--no-owner',
    '--exit-on-error',
    `--dbname=${postgres.url}`,
    join(folder, kept),
  ])
  return { url: postgres.url, folder }
}

it('what a start keeps before an upgrade leads back: all that was there, of the old version', async (context) => {
  const release = await openRelease(beforeRelease)
  onTestFinished(release.drop)
  if (release.url !== undefined && !findPgDump()) context.skip('pg_dump is not there')
  const before = await readDatabase(release.url, release.folder, contentOf)
  await (await openDatabase(release.url, release.folder, now)).destroy()
  expect(await readDatabase(release.url, release.folder, migrationsOf)).toEqual(
    await listMigrations(),
  )
  const kept = readdirSync(release.folder).filter((name) => name.startsWith('before-upgrade.'))
  expect(kept).toEqual([
    expect.stringMatching(
      release.url === undefined
        ? /2026-11-25T10-00-00-000Z\.sqlite$/
        : /2026-11-25T10-00-00-000Z\.dump$/,
    ),
  ])
  expect(statSync(join(release.folder, kept[0] ?? '')).mode & 0o777).toBe(0o600)
  const back = await goBack(release, kept[0] ?? '')
  expect(await readDatabase(back.url, back.folder, contentOf)).toEqual(before)
  // And forth again.
  await (await openDatabase(back.url, back.folder, now)).destroy()
  expect(await readDatabase(back.url, back.folder, migrationsOf)).toEqual(await listMigrations())
})

it('a dump that fails leaves nothing, and one of an upgrade that was broken off is kept', async () => {
  const own = mkdtempSync(join(tmpdir(), 'gatehouse-dump-'))
  onTestFinished(() => rmSync(own, { recursive: true }))
  const dump = {
    databaseUrl: 'postgres://nobody:secret@127.0.0.1:1/none',
    folder: own,
    from: '0151-unknown-passwords',
    to: '0235-server',
    now,
  }
  await expect(dumpBeforeUpgrade(process.execPath, dump)).rejects.toThrow()
  expect(readdirSync(own)).toEqual([])
  writeFileSync(
    join(own, 'before-upgrade.0151-unknown-passwords.0235-server.2026-11-24T10-00-00-000Z.dump'),
    '',
  )
  expect(
    await dumpBeforeUpgrade(process.execPath, { ...dump, from: '0160-server-stops-rule' }),
  ).toBeUndefined()
})
