import { randomBytes } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runOn } from '../../../test/processes/admin-commands.ts'
import { onStatement } from '../../../test/counting/statement-hook.ts'
import { writeSqliteFile } from '../../../test/test-database.ts'
import { connect, databaseFile } from '../../db/connect.ts'

// Commands that fill a SQLite database, ended at any of their steps: from one on, each statement and each change of a
// file's name fails, so that nothing is put right. It is alone because it puts itself between Node and SQLite.

const key = randomBytes(32).toString('base64')
const home = mkdtempSync(join(tmpdir(), 'gatehouse-restore-kills-'))
const [backedUp, inUse] = [join(home, 'backed-up'), join(home, 'in-use')]
const file = join(home, 'one.backup')
/** Each so many steps, and each of the last ones, in which the new database takes its place. */
const [stride, last] = [450, 6]

const environmentOf = (folder: string) => ({ DATA_DIR: folder, DATABASE_URL: '', APP_KEY: key })

beforeAll(async () => {
  for (const folder of [backedUp, inUse]) {
    mkdirSync(folder)
    await writeSqliteFile(folder)
    const db = connect({ kind: 'file', folder })
    await sql`update role set name_key = ${folder} where id = 1`.execute(db)
    await sql`update "user" set password_hash = 'x'`.execute(db)
    await db.destroy()
  }
  await runUntil(Infinity, backedUp, ['backup', file])
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

/** Which of the two it is. Throws where it is neither, or damaged. */
async function contentOf(folder: string): Promise<string> {
  const db = connect({ kind: 'file', folder })
  try {
    const { rows } = await sql<{ name: string; state: string }>`select name_key as name,
      (select group_concat(integrity_check) from pragma_integrity_check) as state
      from role where id = 1`.execute(db)
    expect(rows[0]?.state).toBe('ok')
    return rows[0]!.name
  } finally {
    await db.destroy()
  }
}

/** Runs the command; from the step on, everything fails. Returns how many steps there were. */
async function runUntil(step: number, folder: string, args: string[]): Promise<number> {
  let steps = 0
  const end = onStatement(() => {
    if (++steps >= step) throw new Error('killed')
  })
  try {
    const { code, err } = await runOn(environmentOf(folder), args)
    if (code !== 0 && step === Infinity) throw new Error(err)
    return steps
  } finally {
    end()
  }
}

let folders = 0
function newFolder(from?: string): string {
  const folder = join(home, String(++folders))
  if (from === undefined) mkdirSync(folder)
  else cpSync(from, folder, { recursive: true })
  return folder
}

const sampleOf = (steps: number) => [
  ...Array.from({ length: Math.ceil(steps / stride) }, (_, index) => 1 + index * stride),
  ...Array.from({ length: last }, (_, index) => steps - index),
]

it('a restore that is killed leaves the database that was there, or the one of the backup', async () => {
  const args = ['restore', file, '--replace']
  const steps = await runUntil(Infinity, newFolder(inUse), args)
  const seen = new Set<string>()
  for (const step of sampleOf(steps)) {
    const folder = newFolder(inUse)
    await runUntil(step, folder, args)
    const content = await contentOf(folder)
    expect([backedUp, inUse], `at step ${step}`).toContain(content)
    seen.add(content)
    // It can be done again, and leaves nothing of the first time.
    await runUntil(Infinity, folder, args)
    expect(await contentOf(folder)).toBe(backedUp)
    expect(readdirSync(folder).filter((name) => name.startsWith('restore-'))).toEqual([])
    rmSync(folder, { recursive: true })
  }
  expect(seen.size).toBe(2)
})

it('a copy that is killed leaves no database, or all of it', async () => {
  const steps = await runUntil(Infinity, home, ['db-copy', backedUp, newFolder()])
  for (const step of sampleOf(steps)) {
    const to = newFolder()
    await runUntil(step, home, ['db-copy', backedUp, to])
    if (existsSync(databaseFile(to))) expect(await contentOf(to)).toBe(backedUp)
    else await runUntil(Infinity, home, ['db-copy', backedUp, to])
    expect(await contentOf(to)).toBe(backedUp)
    rmSync(to, { recursive: true })
  }
})
