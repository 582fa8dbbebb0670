import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { beforeRelease, writeFixtureFile } from '../../test/rows/release-fixtures.ts'
import { fillDisk, mountSmallDisk, noSmallDisk, unmount } from '../../test/places/small-disk.ts'
import { StartError } from '../settings/data-dir.ts'
import { openDatabase } from '../open-database.ts'
import { lastOfBaseline } from '../db/adoption/adopt.ts'
import { connect, databaseFile } from '../db/connect.ts'
import { listMigrations, migrate, migrationsOf } from '../db/migrate.ts'
import { backUpBeforeUpgrade } from './upgrade-backup.ts'

const from = '0151-unknown-passwords'
const now = new Date('2026-11-25T10:00:00.000Z')
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-upgrade-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** A database in use that a version before 0.1.0 has left. */
let older = ''
beforeAll(async () => {
  older = mkdtempSync(join(tmpdir(), 'gatehouse-older-'))
  writeFixtureFile(beforeRelease, older)
  const db = connect({ kind: 'file', folder: older })
  await sql`update "user" set name = 'before' where id = 4`.execute(db)
  await db.destroy()
})
afterAll(() => rmSync(older, { recursive: true, force: true }))
const makeOlder = () => copyFileSync(databaseFile(older), databaseFile(folder))

async function upgrade(at = now, isBackedUp = true): Promise<string[]> {
  const steps: string[] = []
  const watch = {
    onBackup: () => steps.push('backup'),
    onBackedUp: () => steps.push('backed up'),
    onBegin: ({ name, number, total }: { name: string; number: number; total: number }) =>
      steps.push(`${name} (${number} of ${total})`),
  }
  const db = await openDatabase(undefined, folder, at, { isBackedUp, watch })
  try {
    expect(await migrationsOf(db)).toEqual(await listMigrations())
  } finally {
    await db.destroy()
  }
  return steps
}

const copies = () => readdirSync(folder).filter((name) => name.startsWith('before-upgrade'))

describe('a SQLite database in use', () => {
  it('is copied before its upgrade, as it was, for its owner alone', async () => {
    makeOlder()
    const steps = await upgrade()
    expect(steps.slice(0, 2)).toEqual(['backup', 'backed up'])
    const later = (await listMigrations()).filter((name) => name > lastOfBaseline)
    expect(steps[2]).toBe(`adoption-by-0.1.0 (1 of ${1 + later.length})`)
    const [copy = '', ...others] = copies()
    expect(others).toEqual([])
    expect(copy).toMatch(
      /^before-upgrade\.0151-unknown-passwords\.\d{4}-[\w-]+\.2026-11-25T10-00-00-000Z\.sqlite$/,
    )
    expect(statSync(join(folder, copy)).mode & 0o777).toBe(0o600)
    // As an operator goes back to it.
    const restored = join(folder, 'restored')
    mkdirSync(restored)
    copyFileSync(join(folder, copy), databaseFile(restored))
    const db = connect({ kind: 'file', folder: restored })
    expect((await migrationsOf(db)).at(-1)).toBe(from)
    const { rows } = await sql<{ name: string; state: string }>`select name,
      (select group_concat(integrity_check) from pragma_integrity_check) as state
      from "user" where id = 4`.execute(db)
    expect(rows).toEqual([{ name: 'before', state: 'ok' }])
    await db.destroy()
    expect(await upgrade()).toEqual([])
    expect(copies()).toEqual([copy])
  })

  it('has its last three copies', async () => {
    makeOlder()
    for (const day of [1, 2, 3, 4]) {
      const at = new Date(`2026-11-0${day}T10:00:00.000Z`)
      await backUpBeforeUpgrade({ folder, from, to: '0235-server', now: at })
    }
    expect(copies().map((name) => name.split('.')[3]?.slice(0, 10))).toEqual([
      '2026-11-02',
      '2026-11-03',
      '2026-11-04',
    ])
  })

  it('is not copied again where its upgrade was broken off, and is where it was restored', async () => {
    makeOlder()
    const [to, later] = ['0235-server', new Date('2026-11-26T10:00:00.000Z')]
    const upgradeFrom = (at: string) => backUpBeforeUpgrade({ folder, from: at, to, now: later })
    await backUpBeforeUpgrade({ folder, from, to, now })
    expect(await upgradeFrom('0160-server-stops-rule')).toBeUndefined()
    expect(copies()).toHaveLength(1)
    expect(await upgradeFrom(from)).toContain('2026-11-26')
    expect(copies()).toHaveLength(2)
  })

  it('is not copied where the operator wants none', async () => {
    makeOlder()
    expect(await upgrade(now, false)).not.toContain('backup')
    expect(copies()).toEqual([])
  })

  it('stays as it is where there is no room for the copy, and the start says how much is needed', async (context) => {
    if (!mountSmallDisk(folder, 'size=16m')) context.skip(noSmallDisk)
    try {
      makeOlder()
      // Something is left, but not enough.
      writeFileSync(join(folder, 'spare'), Buffer.alloc(512 * 1024))
      const makeRoom = fillDisk(folder)
      rmSync(join(folder, 'spare'))
      const refusal = await upgrade().catch((error: unknown) => error)
      expect(refusal).toBeInstanceOf(StartError)
      expect((refusal as StartError).message).toMatch(
        /^The upgrade copies the database first, which needs \d MiB in \S+; 1 MiB are free\. .*UPGRADE_BACKUP=off/,
      )
      expect(copies()).toEqual([])
      makeRoom()
      const db = connect({ kind: 'file', folder })
      expect((await migrationsOf(db)).at(-1)).toBe(from)
      await db.destroy()
      await upgrade()
      expect(copies()).toHaveLength(1)
    } finally {
      unmount(folder)
    }
  })
})

it('a database that nobody has used is not copied', async () => {
  const db = connect({ kind: 'file', folder })
  await migrate(db, '0201-users')
  await db.destroy()
  expect(await upgrade()).not.toContain('backup')
})
