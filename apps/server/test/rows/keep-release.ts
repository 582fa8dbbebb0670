import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { openAppKey } from '../../src/settings/app-key.ts'
import { connect, databaseFile, type Db } from '../../src/db/connect.ts'
import { createSecretBox } from '../../src/kernel/secret-box.ts'
import { addEndedRuns } from './archive-rows.ts'
import { buildServer } from '../servers/build-server.ts'
import { configure } from './full-configuration.ts'
import { fixtureFile, fixtureKey } from './release-fixtures.ts'
import { prepareDatabase } from '../test-database.ts'
import { keyOf } from './carry-document.ts'

// Keeps the databases of a release for the test that upgrades every one: docs/contributing/new-feature.md.
// node apps/server/test/rows/keep-release.ts <version> <url of an empty PostgreSQL database>

const [version, url] = process.argv.slice(2)
if (!version || !url) throw new Error('Which version, and which empty PostgreSQL database?')
const at = new Date('2026-06-01T07:00:00.000Z')
const key = Buffer.from(fixtureKey, 'base64')
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-release-'))
try {
  await fill(connect({ kind: 'file', folder }))
  writeFileSync(
    fixtureFile(version, 'sqlite.gz'),
    gzipSync(readFileSync(databaseFile(folder)), { level: 9 }),
  )
  await fill(connect({ kind: 'postgres', url }))
  const options = ['--no-owner', '--no-acl', '--inserts', '--rows-per-insert=50', url]
  const dump = execFileSync('pg_dump', options, { encoding: 'utf8' })
  // Without comments, and what only psql understands.
  const lines = dump.split('\n').filter((line) => !/^(\\(un)?restrict |--( |$))/.test(line))
  writeFileSync(fixtureFile(version, 'sql'), `${lines.join('\n')}\n`)
} finally {
  rmSync(folder, { recursive: true })
}

/** Rows of every kind, as a server of this release writes them. */
async function fill(db: Db): Promise<void> {
  await prepareDatabase(db)
  await openAppKey(db, folder, key, at)
  const beside = { secrets: createSecretBox(key), instanceId: 'fixture' }
  const server = await buildServer({}, undefined, { db, drop: () => db.destroy() }, beside)
  await configure(server)
  const auditor = await db
    .selectFrom('role')
    .select(['id', 'version'])
    .where('name', '=', 'Auditor')
    .executeTakeFirstOrThrow()
  const changed = await server.send('PUT', `/api/role/${auditor.id}`, {
    token: server.admin.token,
    body: { name: 'Auditor', permissions: ['audit.view', 'run.view'], version: auditor.version },
  })
  if (changed.status !== 200) throw new Error(changed.text)
  await addLedger(db, server.admin.id)
  await sql`vacuum`.execute(db)
  await server.close()
}

async function addLedger(db: Db, user_id: number): Promise<void> {
  const workflow = await db.selectFrom('workflow').select('id').executeTakeFirstOrThrow()
  const api = await db.selectFrom('api').select('id').executeTakeFirstOrThrow()
  const [run_id = 0] = await addEndedRuns(db, { at, count: 12 })
  await addEndedRuns(db, {
    at,
    count: 2,
    run: { workflow_id: workflow.id, workflow_version: 1, state: 'unknown' },
  })
  const created_at = at.toISOString()
  const { id: document_id } = await db
    .insertInto('document')
    .values({
      ...keyOf('INV-0'),
      state: 'accepted',
      run_id,
      api_id: api.id,
      created_at,
      updated_at: created_at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('document_step')
    .values({ document_id, run_id, position: 1, state: 'accepted' })
    .execute()
  await db
    .insertInto('personal_token')
    .values({
      user_id,
      name: 'Till',
      token_hash: 'a'.repeat(64),
      ending: 'abcd',
      created_by_id: user_id,
      created_by_name: 'admin',
      created_at,
      expires_at: '2036-01-01T00:00:00.000Z',
    })
    .execute()
}
