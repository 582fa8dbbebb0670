import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { archiveUnderKills } from '../apps/server/test/processes/archive-kills.ts'
import { prepareDatabase } from '../apps/server/test/test-database.ts'
import { connect, type DatabaseSource } from '../apps/server/src/db/connect.ts'
import { startPostgres } from '../scripts/databases/throwaway-postgres.mjs'

// Runs are archived by a server that is killed again and again, and brought back; on SQLite, then on PostgreSQL.
// npm run proof archive -- [runs] [kills] [seed] [sqlite | postgres]
const [runs = 100_000, kills = 40, seed = 1] = process.argv.slice(2, 5).map(Number)
const only = process.argv[5]
let faults = 0

async function prove(name: string, source: DatabaseSource): Promise<void> {
  const db = connect(source)
  await prepareDatabase(db)
  await db.destroy()
  const fileLines = Math.ceil(runs / 8)
  const report = await archiveUnderKills({
    source,
    runs,
    kills,
    killWithin: { ms: 5_000 },
    fileLines,
    seed,
  })
  console.log(name, report)
  faults += report.faults.length
}

if (only !== 'postgres') {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-archive-proof-'))
  await prove('SQLite', { kind: 'file', folder })
  rmSync(folder, { recursive: true })
}
if (only !== 'sqlite') {
  const postgres = await startPostgres()
  try {
    await prove('PostgreSQL', { kind: 'postgres', url: postgres.url })
  } finally {
    await postgres.stop()
  }
}
console.log(faults === 0 ? 'nothing is wrong' : `${faults} faults`)
if (faults > 0) process.exitCode = 1
