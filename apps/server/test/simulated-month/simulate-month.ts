import { statSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { pino } from 'pino'
import { connect, type DatabaseSource, type Db } from '../../src/db/connect.ts'
import { databaseSize } from '../../src/db/dialect.ts'
import { openReader } from '../../src/db/reading/reader.ts'
import type { WrittenFile } from '../../src/features/archive/archive-store.ts'
import { createArchive, createArchivedBodies } from '../../src/features/archive/create-archive.ts'
import { checkFile } from '../../src/features/archive/files/file-reader.ts'
import { Duty } from '../../src/features/duties/duty.ts'
import type { Clock } from '../../src/kernel/clock.ts'
import { createStores, inTransactionOn } from '../../src/stores.ts'
import { addEndedRuns, invoiceText } from '../rows/archive-rows.ts'
import { prepareDatabase } from '../test-database.ts'

interface MonthOptions {
  /** An empty database. */
  source: DatabaseSource
  /** An empty folder for the files of the archive. */
  folder: string
  runsOfDay: number
  days: number
}

/** Days in the database. Submits stay for ten years, so none goes in a month. */
const keptDays = { test: 1, read: 7 }
/** Parts of the runs of a day. */
const share = { test: 0.02, read: 0.1 }
const partsOfDay = 4
const dayMs = 86_400_000
const hourMs = 3_600_000
const firstDayMs = Date.parse('2026-06-01T00:00:00Z')
const owner = 'server-of-the-month'
const mib = (bytes: number) => Math.round(bytes / 1024 / 1024)

/**
 * Adds the runs of one day after the other, as the ledger has them once they ended, and archives each night at two.
 * Then looks for each body: it is in the database, or on a line of a file that is intact.
 */
export async function simulateMonth({ source, folder, runsOfDay, days }: MonthOptions) {
  const db = connect(source)
  await prepareDatabase(db)
  let nowMs = firstDayMs
  const clock: Clock = { now: () => new Date(nowMs) }
  const archive = openArchive({ db, source, folder, clock })
  const nights: object[] = []
  try {
    await archive.stores.archive.updateSettings({
      test_days: keptDays.test,
      read_days: keptDays.read,
    })
    for (let day = 0; day < days; day++) {
      await addDay(db, firstDayMs + day * dayMs, runsOfDay)
      nowMs = firstDayMs + (day + 1) * dayMs + 2 * hourMs
      const began = performance.now()
      await archive.look()
      const seconds = (performance.now() - began) / 1_000
      const { files, bytes } = await filesOf(db)
      const { used, reusable } = await databaseSize(db)
      nights.push({
        night: day + 1,
        'round, s': Number(seconds.toFixed(1)),
        'database, MiB': mib(used),
        'of it free, MiB': mib(reusable),
        'archive, MiB': mib(bytes),
        files,
        'memory, MiB': mib(process.memoryUsage.rss()),
      })
    }
    const vacuum = source.kind === 'file' ? await vacuumed(db, source.folder) : undefined
    const faults = await faultsOf(db, folder, { runs: runsOfDay * days, nowMs })
    return { runs: runsOfDay * days, nights, vacuum, faults }
  } finally {
    await archive.close()
    await db.destroy()
  }
}

interface ArchiveOptions {
  db: Db
  source: DatabaseSource
  folder: string
  clock: Clock
}

function openArchive({ db, source, folder, clock }: ArchiveOptions) {
  const reader = openReader(source, db)
  const stores = createStores(db, clock)
  const inTransaction = inTransactionOn(db, clock)
  const { threads } = createArchivedBodies({ stores, inTransaction, clock, folder, owner })
  const { keeper } = createArchive({
    stores,
    longReads: createStores(reader.readers, clock),
    inTransaction,
    clock,
    threads,
    folder,
    owner,
    log: pino({ level: 'error' }, process.stderr),
    duty: new Duty({ name: 'archive', owner, inTransaction, clock }),
    databaseSize: () => databaseSize(db),
    databaseFolder: undefined,
  })
  return {
    stores,
    look: () => keeper.look(),
    close: async () => {
      await threads.close()
      await reader.close()
    },
  }
}

async function addDay(db: Db, fromMs: number, count: number): Promise<void> {
  const tests = Math.round((count * share.test) / partsOfDay)
  const reads = Math.round((count * share.read) / partsOfDay)
  const submits = count / partsOfDay - tests - reads
  for (let part = 0; part < partsOfDay; part++) {
    const at = (second: number) => new Date(fromMs + (part * dayMs) / partsOfDay + second * 1_000)
    const more = { paddingOf: invoiceText }
    await addEndedRuns(db, { ...more, at: at(0), count: tests, run: { is_test: 1 } })
    await addEndedRuns(db, { ...more, at: at(1), count: reads, effect: 'read' })
    await addEndedRuns(db, { ...more, at: at(2), count: submits })
  }
}

async function filesOf(db: Db) {
  const { files, bytes } = await db
    .selectFrom('archive_file')
    .select((each) => [each.fn.countAll().as('files'), each.fn.sum('bytes').as('bytes')])
    .executeTakeFirstOrThrow()
  return { files: Number(files), bytes: Number(bytes ?? 0) }
}

/** A file of SQLite does not become smaller by itself. */
async function vacuumed(db: Db, folder: string) {
  const size = () => mib(statSync(join(folder, 'gatehouse.sqlite')).size)
  await sql`pragma wal_checkpoint(truncate)`.execute(db)
  const before = size()
  const began = performance.now()
  await sql`vacuum`.execute(db)
  await sql`pragma wal_checkpoint(truncate)`.execute(db)
  const seconds = Number(((performance.now() - began) / 1_000).toFixed(1))
  return { 'before, MiB': before, 'after, MiB': size(), seconds }
}

async function faultsOf(
  db: Db,
  folder: string,
  { runs, nowMs }: { runs: number; nowMs: number },
): Promise<string[]> {
  const faults: string[] = []
  const numberOf = async (query: { execute(): Promise<{ count: unknown }[]> }) =>
    Number((await query.execute())[0]?.count)
  const steps = () =>
    db
      .selectFrom('run_step')
      .innerJoin('run', 'run.id', 'run_step.run_id')
      .leftJoin('archive_run', 'archive_run.run_id', 'run_step.run_id')
      .select(({ fn }) => fn.countAll().as('count'))
  const all = await numberOf(steps())
  if (all !== runs) faults.push(`${all} of ${runs} runs are there.`)
  const nowhere = await numberOf(
    steps().where('run_step.body', 'is', null).where('archive_run.file_id', 'is', null),
  )
  if (nowhere > 0) faults.push(`${nowhere} bodies are nowhere.`)
  const before = (keep: number) => new Date(nowMs - keep * dayMs).toISOString()
  const overdue = await numberOf(
    steps()
      .where('run_step.body', 'is not', null)
      .where((is) =>
        is.or([
          is.and([is('run.is_test', '=', 1), is('run.finished_at', '<', before(keptDays.test))]),
          is.and([
            is('run_step.effect', '=', 'read'),
            is('run.finished_at', '<', before(keptDays.read)),
          ]),
        ]),
      ),
  )
  if (overdue > 0) faults.push(`${overdue} bodies stayed after their time.`)
  for (const file of await db.selectFrom('archive_file').selectAll().execute())
    await checkFile({ folder, ...(file as WrittenFile) }).catch((error) =>
      faults.push(`${file.name}: ${error}`),
    )
  return faults
}
