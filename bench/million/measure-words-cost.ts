import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { databaseFile } from '../../apps/server/src/db/connect.ts'
import { runProduct, signIn } from '../../e2e/harness/run-product.ts'
import { registerSteps, startBenchUpstream } from '../runs/bench-upstream.ts'
import { measureThroughput } from '../runs/measure-throughput.ts'

const seconds = 8
const callers = 32

/**
 * Runs a second while the words of each are read beside it, and while none notes its id; in turns, so that the
 * other load of the machine meets both.
 */
export async function measureWordsCost(databaseUrl: string | undefined, rounds = 2) {
  const folder = mkdtempSync(join(os.tmpdir(), 'gatehouse-bench-words-'))
  const upstream = await startBenchUpstream()
  const product = await runProduct({
    DATA_DIR: folder,
    ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
  })
  const triggers = databaseUrl ? postgresTriggers(databaseUrl) : sqliteTriggers(folder)
  try {
    const endpoints = await registerSteps(await signIn(product.url), upstream.url)
    const measure = () => measureThroughput({ product, endpoints, databaseUrl, callers, seconds })
    await measure()
    const rows = []
    for (let round = 0; round < rounds; round++) {
      rows.push({ search: 'with', ...(await measure()) })
      await triggers.remove()
      rows.push({ search: 'without', ...(await measure()) })
      await triggers.restore()
    }
    return rows
  } finally {
    await product.end('SIGTERM')
    await upstream.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

function sqliteTriggers(folder: string) {
  const within = (work: (database: DatabaseSync) => void) => {
    const database = new DatabaseSync(databaseFile(folder), { timeout: 5_000 })
    work(database)
    database.close()
  }
  let removed: { name: string; sql: string }[] = []
  return {
    remove: async () =>
      within((database) => {
        removed = database
          .prepare(
            "select name, sql from sqlite_master where type = 'trigger' and name like 'run_to_search%'",
          )
          .all() as typeof removed
        for (const { name } of removed) database.exec(`drop trigger ${name}`)
      }),
    restore: async () =>
      within((database) => {
        for (const { sql } of removed) database.exec(sql)
      }),
  }
}

function postgresTriggers(url: string) {
  const change = async (what: 'enable' | 'disable') => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    for (const name of ['run_to_search', 'run_to_search_again'])
      await client.query(`alter table run ${what} trigger ${name}`)
    await client.end()
  }
  return { remove: () => change('disable'), restore: () => change('enable') }
}
