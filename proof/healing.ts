import pg from 'pg'
import {
  faceHealingFire,
  faultsOf,
  type HealingFire,
} from '../e2e/harness/healing-fire/healing-fire.ts'
import { fireWithoutGuards } from '../e2e/harness/healing-fire/without-guards.ts'
import { startPostgres } from '../scripts/databases/throwaway-postgres.mjs'

// The long form of the test of healing: three companies that number their documents alike, three workflows each,
// authorities of the kind of ZATCA, ETA and MyInvois, 60 SIGKILLs, and a backup that is restored twice; on one server
// with SQLite, then on two that share PostgreSQL.
// npm run proof healing -- [documents] [kills] [seed] [sqlite | postgres]
const [documents = 10_000, kills = 60, seed = 1] = process.argv.slice(2, 5).map(Number)
const only = process.argv[5]

const size: HealingFire = {
  documents,
  kills,
  killWithinMs: 6_000,
  // So that the documents last as long as the kills.
  pauseMs: 3_500_000 / documents,
  seed,
  settleWithinMs: 1_800_000,
}

const duplicates = await fireWithoutGuards(300, seed)
console.log(`without guards: ${duplicates} of 300 documents were accepted more than once`)
let faults = duplicates === 0 ? 1 : 0

const run = async (name: string, options: HealingFire) => {
  const report = await faceHealingFire(options)
  console.log(name, { ...report, decisions: report.decisions.length })
  for (const decision of report.decisions) console.log(`  decided: ${decision}`)
  faults += faultsOf(report).length
  // At most one decision of a person for each 1,000 documents.
  if (report.decisions.length * 1_000 > report.documents) faults++
}

async function ownDatabase(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('create database gatehouse')
  await client.end()
  const own = new URL(url)
  own.pathname = '/gatehouse'
  return own.href
}

if (only !== 'postgres') await run('one server, SQLite', size)
if (only !== 'sqlite') {
  const postgres = await startPostgres()
  try {
    // A restore puts the database aside by another name, which that of the connection can't get.
    const databaseUrl = await ownDatabase(postgres.url)
    const halved = { kills: Math.ceil(kills / 2), killWithinMs: 2 * size.killWithinMs }
    await run('two servers, PostgreSQL', { ...size, ...halved, databaseUrl })
  } finally {
    await postgres.stop()
  }
}
console.log(faults === 0 ? 'nothing is wrong' : `${faults} faults`)
if (faults > 0) process.exitCode = 1
