import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, parse } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import pg from 'pg'
import { databaseFile } from '../../src/db/connect.ts'
import { createEmptyPostgres } from '../test-database.ts'

// A database as each release has left it, with rows of every kind: `<release>.sqlite.gz` and `<release>.sql`.

const fixtures = fileURLToPath(new URL('../../fixtures/databases/', import.meta.url))

/** Of its SQLite database, or of its dump of PostgreSQL. */
export const fixtureFile = (release: string, ending: 'sqlite.gz' | 'sql') =>
  join(fixtures, `${release}.${ending}`)

/** The key that they were used with. */
export const fixtureKey = Buffer.alloc(32, 7).toString('base64')
export const fixtureAdmin = { email: 'admin@example.com', password: 'correct horse battery' }
/** The last version before 0.1.0. */
export const beforeRelease = 'before-0.1.0'

export const listReleases = (): string[] =>
  readdirSync(fixtures)
    .filter((name) => name.endsWith('.sql'))
    .map((name) => parse(name).name)
    .toSorted()

/** Puts the SQLite database of a release into a folder. */
export function writeFixtureFile(release: string, folder: string): void {
  writeFileSync(databaseFile(folder), gunzipSync(readFileSync(fixtureFile(release, 'sqlite.gz'))))
}

export interface ReleaseDatabase {
  folder: string
  /** Undefined: it is the SQLite database in the folder. */
  url: string | undefined
  drop: () => Promise<void>
}

/** A copy of the database of a release, on the database that the suite runs on. */
export async function openRelease(release: string): Promise<ReleaseDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-release-'))
  const postgres = await createEmptyPostgres()
  if (postgres) await load(postgres.url, readFileSync(fixtureFile(release, 'sql'), 'utf8'))
  else writeFixtureFile(release, folder)
  return {
    folder,
    url: postgres?.url,
    drop: async () => {
      await postgres?.drop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Without what needs `pg_trgm`, where PostgreSQL does not have it. */
async function load(url: string, dump: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query(
      "select 1 from pg_available_extensions where name = 'pg_trgm'",
    )
    const lines = dump.split('\n')
    const kept =
      rows.length > 0 ? lines : lines.filter((line) => !/gin_trgm_ops|EXTENSION/.test(line))
    await client.query(kept.join('\n'))
  } finally {
    await client.end()
  }
}
