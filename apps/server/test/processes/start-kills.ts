import { createHash, randomInt } from 'node:crypto'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { connect, type Db } from '../../src/db/connect.ts'
import { listMigrations, migrationsOf } from '../../src/db/migrate.ts'
import { verifyPassword } from '../../src/kernel/passwords/password-hash.ts'
import { startBroken } from './broken-start.ts'

interface StartKills {
  /** What each round begins with: a folder with a database, or an empty one. */
  from: string
  /** The password of its first administrator; undefined: the start shows one. */
  password?: string
  kills: number
  /** After each folder has started in the end. */
  onStart?: (report: StartKillsReport) => void
}

export interface StartKillsReport {
  kills: number
  /** Kills that came before the server served, by what a start had come to. */
  killedWhile: Record<string, number>
  starts: number
  /** What is wrong; none is expected. */
  faults: string[]
}

/** So many kills on one folder at most, one after the other; then it has to start. */
const killsPerFolder = 5

/**
 * Starts servers that are killed with SIGKILL at random moments and at random statements, and looks each time
 * whether the next start serves, with all that was there.
 */
export async function killStarts({
  from,
  password,
  kills,
  onStart,
}: StartKills): Promise<StartKillsReport> {
  const report: StartKillsReport = { kills: 0, killedWhile: {}, starts: 0, faults: [] }
  const home = mkdtempSync(join(tmpdir(), 'gatehouse-start-kills-'))
  try {
    const bounds = await measure(from, join(home, 'whole'))
    const expected = await digestOf(from)
    while (report.kills < kills) {
      const folder = join(home, String(report.starts))
      cpSync(from, folder, { recursive: true })
      const shown = password === undefined ? [] : [password]
      for (let kill = 0; kill < killsPerFolder; kill++) {
        const isAtStatement = randomInt(2) === 0
        const started = await startBroken({
          dataDir: folder,
          ...(isAtStatement
            ? { killAt: randomInt(1, bounds.statements) }
            : { killAfterMs: randomInt(1, bounds.ms) }),
        })
        shown.push(...started.passwords)
        if (!started.isKilled) {
          await started.end()
          break
        }
        report.kills++
        const state = await stateOf(folder)
        report.killedWhile[state] = (report.killedWhile[state] ?? 0) + 1
      }
      report.faults.push(...(await faultsOf(folder, shown, expected)))
      report.starts++
      onStart?.(report)
      rmSync(folder, { recursive: true })
    }
    return report
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

/** How many statements a start takes, and how long. */
async function measure(from: string, folder: string) {
  cpSync(from, folder, { recursive: true })
  const countFile = join(folder, 'count')
  const beganMs = performance.now()
  const started = await startBroken({ dataDir: folder, countFile })
  const ms = Math.round(performance.now() - beganMs)
  await started.end()
  const statements = Number(readFileSync(countFile, 'utf8'))
  rmSync(folder, { recursive: true })
  return { ms, statements }
}

async function onFile<T>(folder: string, work: (db: Db) => Promise<T>): Promise<T> {
  const db = connect({ kind: 'file', folder })
  try {
    return await work(db)
  } finally {
    await db.destroy()
  }
}

/** How far the start had come. */
async function stateOf(folder: string): Promise<string> {
  const files = readdirSync(folder)
  if (files.some((name) => name.startsWith('before-upgrade.part'))) return 'copying'
  if (!files.includes('gatehouse.sqlite')) return 'before the database'
  const [made, known] = [await onFile(folder, migrationsOf), await listMigrations()]
  if (made.length === 0) return 'before the first migration'
  return made.length < known.length ? 'migrating' : 'after the migrations'
}

async function faultsOf(folder: string, shown: string[], expected: string): Promise<string[]> {
  const started = await startBroken({ dataDir: folder })
  shown.push(...started.passwords)
  if (started.url === undefined) return [`It does not start: ${started.refusal}`]
  await started.end()
  const faults: string[] = []
  await onFile(folder, async (db) => {
    const { rows } = await sql<{ state: string }>`select group_concat(integrity_check) as state
      from pragma_integrity_check`.execute(db)
    if (rows[0]?.state !== 'ok') faults.push(`The database is damaged: ${rows[0]?.state}`)
    if ((await migrationsOf(db)).length !== (await listMigrations()).length)
      faults.push('A migration is missing.')
    const admin = await db
      .selectFrom('user')
      .select('password_hash')
      .where('username_key', '=', 'admin')
      .executeTakeFirst()
    if (!(await verifyPassword(shown.at(-1) ?? '', admin?.password_hash)))
      faults.push('The password that was shown last is not that of the first administrator.')
  })
  if ((await digestOf(folder)) !== expected) faults.push('The ledger is not what it was.')
  return faults
}

/** A hash of the runs and their bodies; of a folder without a database it is that of nothing. */
async function digestOf(folder: string): Promise<string> {
  const hash = createHash('sha256')
  if (!readdirSync(folder).includes('gatehouse.sqlite')) return hash.digest('hex')
  return onFile(folder, async (db) => {
    const step = 10_000
    for (let after = 0; ;) {
      const { rows } = await sql<{ id: number }>`select run_step.id, run_id, body, reference
        from run_step join run on run.id = run_id where run_step.id > ${after}
        order by run_step.id limit ${step}`.execute(db)
      for (const row of rows) hash.update(JSON.stringify(row))
      if (rows.length < step) return hash.digest('hex')
      after = rows.at(-1)!.id
    }
  })
}
