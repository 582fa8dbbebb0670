import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addEndedRuns } from '../apps/server/test/archive-rows.ts'
import { killStarts, type StartKillsReport } from '../apps/server/test/start-kills.ts'
import { connect } from '../apps/server/src/db/connect.ts'
import { migrate } from '../apps/server/src/db/migrate.ts'
import { seed } from '../apps/server/src/db/seed.ts'
import { hashPassword } from '../apps/server/src/kernel/password-hash.ts'

// First starts on SQLite, and upgrades of a database in use, are killed with SIGKILL again and again; each folder
// starts in the end, with all that it held.
// npm run proof start-kills -- [kills] [runs]
const [kills = 100, runs = 100_000] = process.argv.slice(2, 4).map(Number)
const password = 'correct horse battery'
const home = mkdtempSync(join(tmpdir(), 'gatehouse-start-proof-'))
const [empty, older] = [join(home, 'empty'), join(home, 'older')]
for (const folder of [empty, older]) mkdirSync(folder)

/** As a version of 22 November left it. */
async function makeOlder(): Promise<void> {
  const db = connect({ kind: 'file', folder: older })
  await migrate(db, '0090-gateway-accounts')
  await seed(db, new Date('2026-11-22T20:00:00Z'))
  const at = '2026-11-22T20:00:00.000Z'
  const { id } = await db
    .insertInto('user')
    .values({
      name: 'Administrator',
      email: 'admin@example.com',
      email_key: 'admin@example.com',
      username: 'admin',
      username_key: 'admin',
      password_hash: await hashPassword(password),
      created_at: at,
      updated_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const role = await db
    .selectFrom('role')
    .select('id')
    .where('name', '=', 'Super Admin')
    .executeTakeFirstOrThrow()
  await db.insertInto('user_role').values({ user_id: id, role_id: role.id }).execute()
  await addEndedRuns(db, { at: new Date(at), count: runs })
  await db.destroy()
}

try {
  await makeOlder()
  const onStart = (report: StartKillsReport) =>
    console.log(`${report.kills} kills, ${report.starts} starts, ${report.faults.length} faults`)
  const reports = [
    ['first starts', await killStarts({ from: empty, kills, onStart })],
    ['upgrades', await killStarts({ from: older, password, kills, onStart })],
  ] as const
  for (const [name, report] of reports) console.log(name, report)
  const faults = reports.flatMap(([, report]) => report.faults).length
  console.log(faults === 0 ? 'nothing is wrong' : `${faults} faults`)
  if (faults > 0) process.exitCode = 1
} finally {
  rmSync(home, { recursive: true, force: true })
}
