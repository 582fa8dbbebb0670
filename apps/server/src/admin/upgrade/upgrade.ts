import { readPostgresAddress } from '../../db/postgres/postgres-hosts.ts'
import { connect, type Db } from '../../db/connect.ts'
import { migrate, pendingMigrations } from '../../db/migrate.ts'
import { countRows } from '../../db/whole-database.ts'
import { StartError } from '../../settings/data-dir.ts'
import type { Settings } from '../../settings/settings.ts'
import { connectToExisting, nameOfDatabase } from '../admin-database.ts'
import { CommandError, UsageError, type AdminCommand, type CommandCall } from '../command.ts'
import { tellingChanges } from './changed-tables.ts'
import { onCopy } from './copied-database.ts'
import { permitsOf } from './upgrade-permits.ts'

export const upgrade: AdminCommand = {
  summary: 'says what the next start will do to the database, and how long that takes, on a copy',
  options: {
    check: { does: 'required: the upgrade itself is made by a start of the server' },
    copy: {
      value: 'URL',
      does: 'a copy on PostgreSQL that you have made; it is upgraded, and stays',
    },
  },
  help: [
    'The servers may run, of the older version too. Each migration is made on a copy of the database, with its time,\n' +
      'and the tables that it changes with their rows. The copy needs as much room as the database: of SQLite in\n' +
      'DATA_DIR, of PostgreSQL as a database beside it, for which the account needs createdb. It is removed afterwards.\n' +
      'What is left where the command was killed (upgrade-check- in the name) may be deleted.',
    'The exit code is 1 where something keeps the upgrade from being made.',
  ],
  async run(call) {
    if (call.options['check'] !== true)
      throw new UsageError(
        'A start of the server makes the upgrade. Add --check to see what it will do.',
      )
    const settings = call.settings()
    const db = await connectToExisting(settings)
    try {
      return await check(db, settings, call)
    } finally {
      await db.destroy()
    }
  },
}

async function check(
  db: Db,
  settings: Settings,
  { say, note, options }: CommandCall,
): Promise<number> {
  const pending = await pendingMigrations(db).catch((error: unknown) => {
    if (error instanceof StartError) throw error
    throw new CommandError(`The database can’t be upgraded: ${(error as Error).message}.`, {
      cause: error,
    })
  })
  if (pending.length === 0) {
    say(`${nameOfDatabase(settings)} is of this version: nothing is to be done.`)
    return 0
  }
  say(`${nameOfDatabase(settings)}: ${count(pending.length, 'migration')}, from ${pending[0]}.`)
  let isPermitted = true
  for await (const { state, name, words } of permitsOf(db, settings)) {
    isPermitted &&= state !== 'failed'
    say(`${state.padEnd(7)}  ${name.padEnd(9)} ${words}`)
  }
  if (!isPermitted) return 1
  note('The database is copied …')
  const began = performance.now()
  const upgraded = (copy: Db) => upgradeCopy(copy, say, note, began)
  await onNamedOrOwnCopy(db, settings, options['copy'], upgraded)
  return 0
}

async function onNamedOrOwnCopy(
  db: Db,
  settings: Settings,
  named: CommandCall['options'][string],
  work: (copy: Db) => Promise<void>,
): Promise<void> {
  if (typeof named !== 'string') return onCopy(db, settings, work)
  if (!readPostgresAddress(named))
    throw new UsageError('--copy takes postgres://user@host/database.')
  if (nameOfDatabase({ ...settings, databaseUrl: named }) === nameOfDatabase(settings))
    throw new UsageError('--copy names the database itself.')
  const copy = connect({ kind: 'postgres', url: named })
  try {
    await work(copy)
  } finally {
    await copy.destroy()
  }
}

/** Says of each migration how long it took, and what it changed. */
async function upgradeCopy(
  copy: Db,
  say: (line: string) => void,
  note: (line: string) => void,
  began: number,
): Promise<void> {
  note(`The copy took ${seconds(performance.now() - began)}.`)
  const rows = await countRows(copy)
  const [changed, totals] = [new Set<string>(), { ms: 0 }]
  await migrate(
    tellingChanges(copy, (table) => changed.add(table)),
    undefined,
    {
      onBegin: () => changed.clear(),
      onDone: ({ name }, ms) => {
        totals.ms += ms
        const tables = [...changed].flatMap((table) => {
          const found = rows.get(table)
          return found === undefined ? [] : [`${table} (${count(found, 'row')})`]
        })
        say(
          `${seconds(ms).padStart(8)}  ${name.padEnd(28)} ${tables.join(', ') || 'no table with rows'}`,
        )
      },
    },
  )
  say(
    `${seconds(totals.ms).padStart(8)}  in all on this machine, with what else it did at that time`,
  )
}

const count = (number: number, what: string) =>
  `${number.toLocaleString('en')} ${what}${number === 1 ? '' : 's'}`

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
