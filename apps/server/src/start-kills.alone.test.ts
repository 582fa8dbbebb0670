import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { startBroken } from '../test/processes/broken-start.ts'
import { addEndedRuns } from '../test/rows/archive-rows.ts'
import {
  beforeRelease,
  fixtureAdmin,
  fixtureKey,
  writeFixtureFile,
} from '../test/rows/release-fixtures.ts'
import { fillDisk, mountSmallDisk, noSmallDisk, unmount } from '../test/places/small-disk.ts'
import { onStatement } from '../test/counting/statement-hook.ts'
import { openAppKey } from './settings/app-key.ts'
import { connect, type Db } from './db/connect.ts'
import { migrate } from './db/migrate.ts'
import { seed } from './db/seed.ts'
import { isStoreFull } from './db/outages/store-refusal.ts'
import { createFirstAdministrator } from './features/session/first-administrator.ts'
import { systemClock as clock } from './kernel/clock.ts'
import { verifyPassword } from './kernel/passwords/password-hash.ts'
import { inTransactionOn } from './stores.ts'

// Starts that are ended at any of their statements, on SQLite: the process is killed, or the disk is full. In this
// process each statement from one on fails, so that nothing is put right; a few real processes are killed too. It is
// alone because it puts itself between Node and SQLite.

const email = 'admin@example.com'
/** Each so many statements. `npm run proof -- start-kills` kills processes at random ones. */
const stride = 67
const runs = 60

const folders: string[] = []
function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-start-kills-'))
  folders.push(folder)
  return folder
}
/** A folder with a database that a version before 0.1.0 has left. */
let older = ''
beforeAll(async () => {
  older = newFolder()
  writeFixtureFile(beforeRelease, older)
  writeFileSync(join(older, 'app.key'), `${fixtureKey}\n`, { mode: 0o600 })
  passwords.set(older, fixtureAdmin.password)
  const db = connect({ kind: 'file', folder: older })
  await addEndedRuns(db, { at: new Date('2026-11-01T10:00:00Z'), count: runs })
  await db.destroy()
})
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** What the operator was shown last, by folder. */
const passwords = new Map<string, string>()

/** What a start does to the database and the folder before it serves. */
async function start(db: Db, folder: string): Promise<void> {
  await migrate(db)
  await seed(db, clock.now())
  await openAppKey(db, folder, undefined, clock.now())
  const account = { email, givenPassword: undefined }
  await createFirstAdministrator(inTransactionOn(db, clock), clock, account, (made) => {
    passwords.set(folder, made.generatedPassword ?? '')
  })
}

async function startIn(folder: string, before: (statement: number) => void = () => {}) {
  let statements = 0
  const end = onStatement(() => before(++statements))
  let db: Db | undefined
  try {
    db = connect({ kind: 'file', folder })
    await start(db, folder)
    return statements
  } finally {
    end()
    await db?.destroy()
  }
}

class Killed extends Error {}
const killAt = (at: number) => (statement: number) => {
  if (statement >= at) throw new Killed()
}

/** Everything that a start makes, without what is random or a time. */
async function contentOf(folder: string) {
  const db = connect({ kind: 'file', folder })
  try {
    const { rows: schema } = await sql`select type, name, tbl_name, sql from sqlite_schema
      order by type, name`.execute(db)
    const { rows: broken } = await sql<{
      integrity_check: string
    }>`pragma integrity_check`.execute(db)
    const { rows: migrations } = await sql`select name from kysely_migration`.execute(db)
    const roles = await db
      .selectFrom('role_permission')
      .innerJoin('role', 'role.id', 'role_id')
      .innerJoin('permission', 'permission.id', 'permission_id')
      .select(['role.name as role', 'permission.name as permission'])
      .orderBy('role')
      .orderBy('permission')
      .execute()
    const users = await db.selectFrom('user').select(['id', 'email']).orderBy('id').execute()
    const ledger = await db.selectFrom('run_step').select(['id', 'body']).orderBy('id').execute()
    return { schema, broken, migrations: migrations.length, roles, users, ledger }
  } finally {
    await db.destroy()
  }
}

/** True where the first administrator has the password that was shown last. */
async function isAsShown(folder: string): Promise<boolean> {
  const db = connect({ kind: 'file', folder })
  try {
    const { password_hash } = await db
      .selectFrom('user')
      .select('password_hash')
      .where('email_key', '=', email)
      .executeTakeFirstOrThrow()
    return await verifyPassword(passwords.get(folder) ?? '', password_hash)
  } finally {
    await db.destroy()
  }
}

const emptyFolder = newFolder
function oldFolder(): string {
  const folder = newFolder()
  cpSync(older, folder, { recursive: true })
  passwords.set(folder, passwords.get(older) ?? '')
  return folder
}

/** The statements at which a start of so many is broken off. */
const sampleOf = (statements: number) =>
  Array.from({ length: Math.ceil(statements / stride) }, (_, index) => 1 + index * stride)

describe.each([
  ['a first start', emptyFolder],
  ['an upgrade', oldFolder],
])('%s', (_, prepare) => {
  it('goes on after a kill at any statement, and leaves what it would have left', async () => {
    const whole = prepare()
    const statements = await startIn(whole)
    expect(statements).toBeGreaterThan(200)
    const expected = await contentOf(whole)
    for (const at of [...sampleOf(statements), statements]) {
      const folder = prepare()
      await expect(startIn(folder, killAt(at))).rejects.toThrow()
      await startIn(folder)
      expect(await contentOf(folder), `killed at statement ${at}`).toEqual(expected)
      expect(await isAsShown(folder), `killed at statement ${at}`).toBe(true)
    }
  })

  it('goes on after a disk that was full at any statement, once there is room', async (context) => {
    const disk = newFolder()
    if (!mountSmallDisk(disk, 'size=24m')) context.skip(noSmallDisk)
    onTestFinished(() => unmount(disk))
    const whole = prepare()
    const statements = await startIn(whole)
    const expected = await contentOf(whole)
    for (const at of sampleOf(statements)) {
      const folder = join(disk, String(at))
      cpSync(prepare(), folder, { recursive: true })
      let makeRoom = () => {}
      const fill = (statement: number) => {
        if (statement === at) makeRoom = fillDisk(disk)
      }
      const error: unknown = await startIn(folder, fill).then(
        () => undefined,
        (thrown: unknown) => thrown,
      )
      // What is written last may still fit into the journal.
      if (error !== undefined) expect(isStoreFull(error), inspect(error)).toBe(true)
      makeRoom()
      await startIn(folder)
      expect(await contentOf(folder), `full at statement ${at}`).toEqual(expected)
      rmSync(folder, { recursive: true })
    }
  })
})

it('a process that is killed in its first start, again and again, shows the password that counts', async () => {
  const dataDir = newFolder()
  const shown: string[] = []
  for (const killAt of [300, 'password'] as const) {
    const { isKilled, passwords: each } = await startBroken({ dataDir, killAt })
    expect(isKilled).toBe(true)
    shown.push(...each)
  }
  const started = await startBroken({ dataDir })
  shown.push(...started.passwords)
  expect(new Set(shown).size).toBe(2)
  const answer = await fetch(`${started.url}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: shown.at(-1) }),
  })
  expect(answer.status).toBe(200)
  await started.end()
})
