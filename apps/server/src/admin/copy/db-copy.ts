import { resolve } from 'node:path'
import { statSync } from 'node:fs'
import { databaseFile } from '../../db/connect.ts'
import { openMoment } from '../../db/outages/open-clock.ts'
import { readPostgresAddress } from '../../db/postgres/postgres-hosts.ts'
import { nameOfDatabase, onDatabase } from '../admin-database.ts'
import { UsageError, type AdminCommand } from '../command.ts'
import { recordAct } from '../command-line-actor.ts'
import { readWhole, writeWhole } from './copy-rows.ts'
import { fillTarget } from './copy-target.ts'
import { giveGatewayRights } from '../gateway-rights.ts'

export const dbCopy: AdminCommand = {
  summary: 'copies a whole database from SQLite to PostgreSQL, or back',
  takes: ['<from>', '<to>'],
  help: [
    'Each is a folder with a SQLite database (a DATA_DIR), or postgres://user@host/database.\n' +
      'Stop the servers first: what they write meanwhile is not copied. The target has to be empty. Every\n' +
      'row is read back and compared, and all is copied or nothing. The key goes apart: copy app.key yourself.',
    'Example: npm run admin -- db-copy ./data postgres://gatehouse@db.example.com/gatehouse',
  ],
  async run({ given, environment, say, note }) {
    const base = environment['INIT_CWD'] ?? '.'
    const [from, to] = given.map((text) => placeOf(text, base))
    if (!from || !to) throw new UsageError('<from> and <to> are needed.')
    let rows = 0
    const name = nameOfDatabase(from)
    await onDatabase(from, (source) =>
      readWhole(source, async (whole) => {
        await fillTarget(to, { replaces: false }, async (db) => {
          const clock = await openMoment(db)
          rows = await writeWhole(db, whole, {
            onTable: (table, sum) =>
              say(`${table.padEnd(24)} ${String(sum.rows).padStart(10)} rows  ${sum.sha256}`),
            atEnd: (copy, all) =>
              recordAct(copy, clock, { action: 'installation.copy', name, after: { rows: all } }),
          })
          await giveGatewayRights(db, note)
        })
      }),
    )
    say(`${rows} rows are copied from ${name} to ${nameOfDatabase(to)}.`)
    note('The servers of the copy need the same key: APP_KEY, or app.key in their DATA_DIR.')
    return 0
  },
}

function placeOf(text: string, base: string) {
  if (readPostgresAddress(text)) return { databaseUrl: text, dataDir: '' }
  const path = resolve(base, text)
  const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() === true
  const folder = isFile ? resolve(path, '..') : path
  if (isFile && databaseFile(folder) !== path)
    throw new UsageError(`${text} is not called gatehouse.sqlite: name the folder that it is in.`)
  return { databaseUrl: undefined, dataDir: folder }
}
