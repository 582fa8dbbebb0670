import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import os from 'node:os'
import { join } from 'node:path'
import { connect, type DatabaseSource } from '../../apps/server/src/db/connect.ts'
import { migrate } from '../../apps/server/src/db/migrate.ts'
import { runProduct, signIn } from '../../e2e/harness/run-product.ts'
import { startPostgres } from '../../scripts/databases/throwaway-postgres.mjs'
import { fillMillion } from './fill-million.ts'
import { fillWords } from './fill-words.ts'
import { registerWorkflows } from './register-workflows.ts'

export type Engine = 'sqlite' | 'postgres'

interface FilledDatabase {
  /** What the product has to be started with. */
  environment: Record<string, string>
  source: DatabaseSource
  /** The folder of this copy, which `close` deletes. */
  folder: string
  close(): Promise<void>
}

/** Changes when an earlier data set can't be used. */
const contents = 2
const days = 400

const keptFolder = (engine: Engine, runs: number) =>
  join(os.tmpdir(), `gatehouse-million-${engine}-${runs}-${contents}`)

/**
 * A copy of a database with so many runs and documents of the last 400 days, and with the words of the runs. The
 * first call fills a data set, which takes minutes; it stays in the temporary folder, and later calls copy it. Its
 * newest run is as old as the data set. No product runs on it yet.
 */
export async function openMillion(engine: Engine, runs = 1_000_000): Promise<FilledDatabase> {
  const kept = await keepMillion(engine, runs)
  const folder = mkdtempSync(join(os.tmpdir(), 'gatehouse-bench-million-'))
  // Node's own copy of a folder is slower, and does not keep owners, which PostgreSQL needs.
  execFileSync('cp', ['-a', `${kept}/.`, folder])
  return open(engine, folder)
}

/** Fills the data set unless it is there, and brings it up to date. Returns its folder. */
export async function keepMillion(engine: Engine, runs: number): Promise<string> {
  const kept = keptFolder(engine, runs)
  if (existsSync(kept)) {
    await bringUpToDate(engine, kept)
    return kept
  }
  const folder = mkdtempSync(join(os.tmpdir(), 'gatehouse-bench-million-'))
  const database = await open(engine, folder)
  try {
    const workflows = await registerIn(database.environment)
    await fillMillion(database.source, workflows, { runs, days, untilMs: Date.now() })
    const began = performance.now()
    await fillWords(database.source)
    const seconds = Math.round((performance.now() - began) / 1000)
    console.log(`${engine}: the words of ${runs} runs were read in ${seconds} s`)
    await database.stop()
    // Whole or not at all.
    renameSync(folder, kept)
    return kept
  } catch (error) {
    await database.close()
    throw error
  }
}

/** Migrations of many rows take minutes: later calls find them done. */
async function bringUpToDate(engine: Engine, kept: string): Promise<void> {
  const database = await open(engine, kept)
  const db = connect(database.source)
  try {
    await migrate(db)
  } finally {
    await db.destroy()
    await database.stop()
  }
}

async function registerIn(environment: Record<string, string>) {
  const product = await runProduct(environment)
  try {
    return await registerWorkflows(await signIn(product.url))
  } finally {
    await product.end('SIGTERM')
  }
}

async function open(engine: Engine, folder: string) {
  const dataDir = join(folder, 'data')
  mkdirSync(dataDir, { recursive: true })
  if (engine === 'sqlite') {
    const source: DatabaseSource = { kind: 'file', folder: dataDir }
    return opened({ DATA_DIR: dataDir }, source, folder, async () => {})
  }
  const home = join(folder, 'postgres')
  mkdirSync(home, { recursive: true })
  // The account that runs PostgreSQL has to reach it.
  execFileSync('chmod', ['711', folder])
  const postgres = await startPostgres({ isDurable: true, folder: home })
  const source: DatabaseSource = { kind: 'postgres', url: postgres.url }
  const environment = { DATA_DIR: dataDir, DATABASE_URL: postgres.url }
  return opened(environment, source, folder, postgres.stop)
}

function opened(
  environment: Record<string, string>,
  source: DatabaseSource,
  folder: string,
  stop: () => Promise<void>,
) {
  const close = async () => {
    await stop()
    rmSync(folder, { recursive: true, force: true })
  }
  return { environment, source, folder, stop, close }
}
