import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { connect, type DatabaseSource, type Db } from '../../src/db/connect.ts'
import { createArchivedBodies } from '../../src/features/archive/create-archive.ts'
import type { WrittenFile } from '../../src/features/archive/archive-store.ts'
import { checkFile } from '../../src/features/archive/files/file-reader.ts'
import { systemClock as clock } from '../../src/kernel/clock.ts'
import { createStores, inTransactionOn } from '../../src/stores.ts'
import { addEndedRuns, invoiceText } from '../rows/archive-rows.ts'

interface ArchiveKills {
  source: DatabaseSource
  runs: number
  kills: number
  /** A kill comes within this time after the server began, or at one of so many of its first steps. */
  killWithin: { ms: number } | { steps: number }
  fileLines: number
  seed: number
}

interface ArchiveKillsReport {
  runs: number
  kills: number
  /** Kills that came while a file was not complete, and while bodies were removed. */
  killedWhile: Record<string, number>
  files: number
  contentBytes: number
  bytes: number
  archivedAfterMs: number
  readBackMs: number
  /** What is wrong; none is expected. */
  faults: string[]
}

const program = fileURLToPath(new URL('archive-process.ts', import.meta.url))
const dayMs = 86_400_000

/**
 * Archives runs with a server that is killed again and again, looks after each kill that no body is
 * lost, then brings all of them back and compares the ledger with what it was, byte for byte.
 */
export async function archiveUnderKills(options: ArchiveKills): Promise<ArchiveKillsReport> {
  const { source, runs, kills, seed } = options
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-archive-kills-'))
  const db = connect(source)
  const next = randomFrom(seed)
  try {
    const at = new Date(Date.now() - 40 * dayMs)
    await addEndedRuns(db, { at, count: runs, run: { is_test: 1 }, paddingOf: invoiceText })
    const before = await digestOf(db)
    const report = { ...emptyReport, runs, faults: [] as string[], killedWhile: {} }
    for (let kill = 0; kill < kills; kill++) {
      if (!(await archiveFor(options, folder, killOf(options, next())))) break
      report.kills += 1
      await lookAfterKill(db, folder, report)
    }
    const startedMs = performance.now()
    await archiveFor(options, folder, undefined)
    report.archivedAfterMs = Math.round(performance.now() - startedMs)
    await lookAtFiles(db, folder, report)
    await bringAllBack(db, folder, report)
    if ((await digestOf(db)) !== before) report.faults.push('The ledger is not what it was.')
    return report
  } finally {
    await db.destroy()
    rmSync(folder, { recursive: true })
  }
}

const emptyReport = {
  kills: 0,
  files: 0,
  contentBytes: 0,
  bytes: 0,
  archivedAfterMs: 0,
  readBackMs: 0,
}

interface Kill {
  ms?: number
  step?: number
}

const killOf = ({ killWithin }: ArchiveKills, part: number): Kill =>
  'ms' in killWithin
    ? { ms: Math.floor(part * killWithin.ms) }
    : { step: 1 + Math.floor(part * killWithin.steps) }

/** Runs the server. True: it was killed. It ends by itself once all is archived. */
async function archiveFor(
  { source, fileLines }: ArchiveKills,
  folder: string,
  kill: Kill | undefined,
): Promise<boolean> {
  const asked = JSON.stringify({ source, folder, fileLines, dieAtStep: kill?.step })
  const child = spawn(process.execPath, [program, asked], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text))
  const exited = once(child, 'exit')
  await Promise.race([once(child.stdout, 'data'), exited])
  if (kill?.ms !== undefined) {
    await Promise.race([delay(kill.ms), exited])
    child.kill('SIGKILL')
  }
  await exited
  if (child.signalCode === 'SIGKILL') return true
  if (!said.endsWith('done\n')) throw new Error(`The server said: ${said}`)
  return false
}

type Report = Awaited<ReturnType<typeof archiveUnderKills>>

/** Each run has its body, or a line of a file that is complete and intact. */
async function lookAfterKill(db: Db, folder: string, report: Report): Promise<void> {
  const { phase } = await createStores(db, clock).archive.getRound()
  report.killedWhile[phase] = (report.killedWhile[phase] ?? 0) + 1
  const gone = await db
    .selectFrom('run_step')
    .leftJoin('archive_run', 'archive_run.run_id', 'run_step.run_id')
    .select(['run_step.run_id', 'archive_run.file_id'])
    .where('run_step.body', 'is', null)
    .execute()
  const lost = gone.filter(({ file_id }) => file_id === null)
  if (lost.length > 0) report.faults.push(`${lost.length} bodies are nowhere.`)
  const named = new Set(gone.map(({ file_id }) => file_id))
  const files = await db.selectFrom('archive_file').selectAll().execute()
  for (const file of files.filter(({ id }) => named.has(id))) {
    if (file.state === 'writing') report.faults.push(`${file.name} is used and not complete.`)
    await checkFile({ folder, ...(file as WrittenFile) }).catch((error) =>
      report.faults.push(`${file.name}: ${error}`),
    )
  }
}

async function lookAtFiles(db: Db, folder: string, report: Report): Promise<void> {
  const left = await db.selectFrom('run_step').select('id').where('body', 'is not', null).execute()
  if (left.length > 0) report.faults.push(`${left.length} bodies were not archived.`)
  if (readdirSync(folder).some((name) => name.endsWith('.part')))
    report.faults.push('A part of a file was left behind.')
  let previous: string | null = null
  const files = await db.selectFrom('archive_file').selectAll().orderBy('id').execute()
  for (const file of files) {
    await checkFile({ folder, ...(file as WrittenFile) })
    const path = join(folder, file.name.replace('.ndjson.gz', '.manifest.json'))
    if (!existsSync(path)) report.faults.push(`${file.name} has no manifest.`)
    const text = readFileSync(path, 'utf8')
    const manifest = JSON.parse(text) as { previous: { sha256: string } | null }
    if ((manifest.previous?.sha256 ?? null) !== previous)
      report.faults.push(`The chain breaks at ${file.name}.`)
    previous = createHash('sha256').update(text).digest('hex')
    report.files += 1
    report.bytes += file.bytes ?? 0
    report.contentBytes += file.content_bytes ?? 0
  }
}

async function bringAllBack(db: Db, folder: string, report: Report): Promise<void> {
  const stores = createStores(db, clock)
  const inTransaction = inTransactionOn(db, clock)
  const { bodies, threads } = createArchivedBodies({
    stores,
    inTransaction,
    clock,
    folder,
    owner: 'killed-server',
  })
  const startedMs = performance.now()
  const runs = await db.selectFrom('run').select('id').orderBy('id').execute()
  for (const { id } of runs) await bodies.bringBack(id)
  report.readBackMs = Math.round(performance.now() - startedMs)
  await threads.close()
}

/** A hash of all that the ledger holds of runs. */
async function digestOf(db: Db): Promise<string> {
  const hash = createHash('sha256')
  for (const table of ['run', 'run_step', 'run_attempt'] as const) {
    for (let after = 0; ;) {
      const rows = await db
        .selectFrom(table)
        .selectAll()
        .where('id', '>', after)
        .orderBy('id')
        .limit(1000)
        .execute()
      const last = rows.at(-1)
      if (!last) break
      for (const row of rows) hash.update(JSON.stringify(row))
      after = last.id
    }
  }
  return hash.digest('hex')
}

/** Numbers from 0 to 1 that the seed decides (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
