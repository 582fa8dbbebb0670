import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addEndedRuns } from '../apps/server/test/rows/archive-rows.ts'
import {
  beforeRelease,
  fixtureAdmin,
  fixtureKey,
  writeFixtureFile,
} from '../apps/server/test/rows/release-fixtures.ts'
import { killStarts, type StartKillsReport } from '../apps/server/test/processes/start-kills.ts'
import { connect } from '../apps/server/src/db/connect.ts'

// First starts on SQLite, and upgrades of a database in use, are killed with SIGKILL again and again; each folder
// starts in the end, with all that it held.
// npm run proof start-kills -- [kills] [runs]
const [kills = 100, runs = 100_000] = process.argv.slice(2, 4).map(Number)
const home = mkdtempSync(join(tmpdir(), 'gatehouse-start-proof-'))
const [empty, older] = [join(home, 'empty'), join(home, 'older')]
for (const folder of [empty, older]) mkdirSync(folder)

/** As the last version before 0.1.0 left it, with many runs. */
async function makeOlder(): Promise<void> {
  writeFixtureFile(beforeRelease, older)
  writeFileSync(join(older, 'app.key'), `${fixtureKey}\n`, { mode: 0o600 })
  const db = connect({ kind: 'file', folder: older })
  await addEndedRuns(db, { at: new Date('2026-11-22T20:00:00Z'), count: runs })
  await db.destroy()
}

try {
  await makeOlder()
  const onStart = (report: StartKillsReport) =>
    console.log(`${report.kills} kills, ${report.starts} starts, ${report.faults.length} faults`)
  const reports = [
    ['first starts', await killStarts({ from: empty, kills, onStart })],
    [
      'upgrades',
      await killStarts({ from: older, password: fixtureAdmin.password, kills, onStart }),
    ],
  ] as const
  for (const [name, report] of reports) console.log(name, report)
  const faults = reports.flatMap(([, report]) => report.faults).length
  console.log(faults === 0 ? 'nothing is wrong' : `${faults} faults`)
  if (faults > 0) process.exitCode = 1
} finally {
  rmSync(home, { recursive: true, force: true })
}
