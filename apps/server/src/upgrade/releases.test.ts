import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { seedRoles } from '@gatehouse/contract'
import { sql, type KyselyPlugin } from 'kysely'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import {
  beforeRelease,
  fixtureAdmin,
  fixtureKey,
  listReleases,
  openRelease,
  type ReleaseDatabase,
} from '../../test/rows/release-fixtures.ts'
import { createEmptyPostgres, createTestDatabase } from '../../test/test-database.ts'
import { readWhole, writeWhole } from '../admin/copy/copy-rows.ts'
import { openDataDir, StartError } from '../settings/data-dir.ts'
import { lastOfBaseline, makeAsBefore } from '../db/adoption/adopt.ts'
import { connect, databaseFile, sourceOf, type Db } from '../db/connect.ts'
import { isPostgres } from '../db/dialect.ts'
import { listMigrations, migrate, migrationsOf, note } from '../db/migrate.ts'
import { schemaShape } from '../db/schema-shape.ts'
import { openDatabase } from '../open-database.ts'
import { readSettings } from '../settings/settings.ts'
import { startServer } from '../start.ts'

// The database of each release is upgraded to this version.

let release: ReleaseDatabase
afterEach(() => release.drop())

async function onRelease<T>(work: (db: Db) => Promise<T>): Promise<T> {
  const db = connect(sourceOf(release.url, release.folder))
  try {
    return await work(db)
  } finally {
    await db.destroy()
  }
}

const now = new Date('2026-11-26T10:00:00Z')
const upgrade = async () =>
  (await openDatabase(release.url, release.folder, now, { isBackedUp: false })).destroy()

type Content = Record<string, string[]>

type Columns = Record<string, ReadonlySet<string>>

async function columnsOf(db: Db): Promise<Columns> {
  const tables = await db.introspection.getTables()
  return Object.fromEntries(
    tables.map(({ name, columns }) => [name, new Set(columns.map((each) => each.name))]),
  )
}

/** Every row, as text, by these columns of its table. What this version has no column for is left out. */
async function readContent(db: Db, columns?: Columns): Promise<Content> {
  const isKnown = (table: string, column: string) => columns?.[table]?.has(column) ?? true
  const tables = (await db.introspection.getTables()).filter(
    ({ name }) => !/^(kysely|sqlite)_|_search(_|$)/.test(name),
  )
  const content: Content = {}
  for (const { name } of tables) {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(
      db,
    )
    content[name] = rows
      .map(({ alarmed_at: _, ...row }) =>
        JSON.stringify(
          Object.entries(row)
            .filter(([column]) => isKnown(name, column))
            .toSorted(([one], [other]) => (one < other ? -1 : 1)),
        ),
      )
      .toSorted()
  }
  return content
}

async function permissionsOf(db: Db, role: string): Promise<string[]> {
  const rows = await db
    .selectFrom('role_permission')
    .innerJoin('role', 'role.id', 'role_id')
    .innerJoin('permission', 'permission.id', 'permission_id')
    .select('permission.name as permission')
    .where('role.name', '=', role)
    .execute()
  return rows.map(({ permission }) => permission).toSorted()
}

/** Without what a restore makes again. */
const withoutDerived = (content: Content) =>
  Object.fromEntries(
    Object.entries(content).filter(([name]) => !/^(search_|config_change$)/.test(name)),
  )

/** Lets each statement fail from one on. */
function failingFrom(at: number): KyselyPlugin {
  let statements = 0
  return {
    transformQuery: ({ node }) => {
      if (++statements >= at) throw new Error('broken off')
      return node
    },
    transformResult: async ({ result }) => result,
  }
}

/** Tables in which an upgrade adds rows; the others keep theirs. */
const added = new Set(['alarm_rule', 'installation_hold', 'permission', 'role_permission'])

describe.each(listReleases())('the database of %s', (name) => {
  beforeEach(async () => {
    release = await openRelease(name)
  })

  it('becomes one of this version, with all its rows', async () => {
    const [before, columns] = [await onRelease(readContent), await onRelease(columnsOf)]
    for (const table of ['user', 'api', 'endpoint', 'run', 'workflow', 'audit_event', 'document'])
      expect(before[table]?.length, table).toBeGreaterThan(0)
    await upgrade()
    const fresh = await createTestDatabase()
    onTestFinished(() => fresh.drop())
    await onRelease(async (db) => {
      expect(await schemaShape(db)).toEqual(await schemaShape(fresh.db))
      expect(await migrationsOf(db)).toEqual(await listMigrations())
      const after = await readContent(db, columns)
      for (const [table, rows] of Object.entries(before)) {
        expect(after[table], table).toEqual(expect.arrayContaining(rows))
        if (!added.has(table)) expect(after[table], table).toHaveLength(rows.length)
      }
      // Nobody has changed these two.
      for (const role of ['Admin', 'Operator'] as const)
        expect(await permissionsOf(db, role), role).toEqual(seedRoles[role].toSorted())
      const kinds = async (of: Db) =>
        (await of.selectFrom('alarm_rule').select(['kind', 'name']).execute()).map((rule) =>
          JSON.stringify(rule),
        )
      expect(await kinds(db)).toEqual(expect.arrayContaining(await kinds(fresh.db)))
    })
    await upgrade()
  })

  it('is as it was after an upgrade that ended at any statement, and the next one goes on', async () => {
    const [before, made] = [await onRelease(readContent), await onRelease(migrationsOf)]
    const known = await listMigrations()
    let ends = 0
    let reached = made
    await onRelease(async (db) => {
      // One more each time; on PostgreSQL, where the schema is made a second time, some of them.
      for (let at = 1; ; at += isPostgres(db) ? 7 : 1) {
        const failure = await migrate(db.withPlugin(failingFrom(at))).then(
          () => undefined,
          (error: unknown) => error,
        )
        if (failure === undefined) break
        ends++
        const now = await migrationsOf(db)
        if (isDeepStrictEqual(now, made)) {
          if (at % 5 === 0) expect(await readContent(db)).toEqual(before)
          continue
        }
        // What is committed stays; the next one is broken off at each of its statements, too.
        expect(known.slice(0, now.length)).toEqual(now)
        if (!isDeepStrictEqual(now, reached)) at = 0
        reached = now
      }
      expect(await migrationsOf(db)).toEqual(known)
    })
    expect(ends).toBeGreaterThan(8)
  })

  it('is served, and its secrets are read', async () => {
    const environment = {
      DATA_DIR: release.folder,
      DATABASE_URL: release.url ?? '',
      APP_KEY: fixtureKey,
      PORT: '0',
    }
    const dataDir = openDataDir(release.folder)
    const server = await startServer({
      settings: readSettings(environment),
      dataDir,
      gateway: undefined,
      version: '0',
      dashboardFolder: '/no',
      showFirstAdministrator: () => {},
    })
    try {
      const post = { method: 'POST', headers: { 'content-type': 'application/json' } }
      const login = await fetch(`${server.url}/api/login`, {
        ...post,
        body: JSON.stringify(fixtureAdmin),
      })
      expect(login.status).toBe(200)
      const { token } = (await login.json()) as { token: string }
      const headers = { authorization: `Bearer ${token}` }
      // What was one number stays one number.
      const [documents] = (await (
        await fetch(`${server.url}/api/documents?register=default&limit=100`, { headers })
      ).json()) as [{ total: number }]
      const registers = await fetch(`${server.url}/api/document-registers`, { headers })
      expect(documents.total).toBeGreaterThan(0)
      expect(await registers.json()).toMatchObject({ registers: [{ name: 'default' }] })
      for (const path of ['/api/apis', '/api/workflows', '/api/runs', '/api/role']) {
        const answer = await fetch(`${server.url}${path}`, { headers })
        expect(answer.status, path).toBe(200)
        expect(JSON.stringify(await answer.json())).not.toContain('"fault":"')
      }
    } finally {
      await server.stop()
      dataDir.release()
    }
  })
})

describe('a database of before 0.1.0', () => {
  beforeEach(async () => {
    release = await openRelease(beforeRelease)
  })

  it('that is older than the last of them is refused in one line, and left as it is', async () => {
    await onRelease((db) => sql`delete from kysely_migration where name > '0150'`.execute(db))
    const digest = () => createHash('sha256').update(readFileSync(databaseFile(release.folder)))
    const state = async () =>
      release.url === undefined
        ? [readdirSync(release.folder), digest().digest('hex')]
        : [readdirSync(release.folder), await onRelease(readContent), await onRelease(migrationsOf)]
    const before = await state()
    const refusal = await openDatabase(release.url, release.folder, now).catch((error) => error)
    expect(refusal).toBeInstanceOf(StartError)
    expect((refusal as StartError).message).toMatch(
      /can't be used: it is older than the version of 2026-11-23\. Start that version once \(commit d02dc5fd[0-9a-f]{32}\), which brings it up to date, and then this one$/,
    )
    expect(await state()).toEqual(before)
  })

  it('is adopted from each later state too, which no version was published with', async () => {
    await onRelease(async (db) => {
      await migrate(db, lastOfBaseline)
      for (const later of [['0152-installation-hold'], ['0155-x', '0160-server-stops-rule']]) {
        const names = ['0151-unknown-passwords', ...later]
        await makeAsBefore(db, names)
        await note(db, names)
        await migrate(db, lastOfBaseline)
        expect((await migrationsOf(db)).at(-1)).toBe(lastOfBaseline)
      }
    })
  })

  it('is refused where its schema is another one, with what differs', async () => {
    await onRelease(async (db) => {
      await sql`drop index run_by_end`.execute(db)
      await sql`alter table role add column colour text`.execute(db)
    })
    const before = await onRelease(migrationsOf)
    await expect(upgrade()).rejects.toThrow(
      /its schema is not that of 0\.1\.0: without index .*run_by_end.*; with column role\.colour text/,
    )
    expect(await onRelease(migrationsOf)).toEqual(before)
  })

  it('of which there is a backup is restored as it was, and then adopted', async () => {
    const postgres = await createEmptyPostgres()
    const target = connect(postgres ? sourceOf(postgres.url, '') : { kind: 'memory' })
    onTestFinished(async () => {
      await target.destroy()
      await postgres?.drop()
    })
    await onRelease(async (db) => {
      const before = await readContent(db)
      await readWhole(db, (source) => writeWhole(target, source, { atEnd: async () => {} }))
      expect(await migrationsOf(target)).toEqual(await migrationsOf(db))
      expect(withoutDerived(await readContent(target))).toEqual(withoutDerived(before))
    })
    await migrate(target)
    expect(await migrationsOf(target)).toEqual(await listMigrations())
  })
})
