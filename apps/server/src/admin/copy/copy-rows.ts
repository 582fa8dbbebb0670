import { sql } from 'kysely'
import { isFromBefore, lastOfBaseline, makeAsBefore } from '../../db/adoption/adopt.ts'
import type { Db } from '../../db/connect.ts'
import { readAtOneMoment, allowLongStatements } from '../../db/dialect.ts'
import { listMigrations, migrate, migrationsOf, note } from '../../db/migrate.ts'
import {
  emptyTables,
  forgetDerived,
  hasRows,
  insertInto,
  listWholeTables,
  prepareForCopy,
  readCounters,
  readTable,
  setCounters,
  type Value,
  type WholeTable,
} from '../../db/whole-database.ts'
import { CommandError } from '../command.ts'
import { isSameSum, RowSum, rowText, type TableSum } from '../backup/row-sum.ts'

/** A whole database at one moment, from another database or from a backup. */
export interface RowSource {
  /** The migrations that its schema has been through. */
  migrations: readonly string[]
  counters: Readonly<Record<string, number>>
  /** Each table once, in an order in which each comes after those that it refers to. */
  tables(): AsyncIterable<{ table: WholeTable; batches: AsyncIterable<Value[][]> }>
}

/** Reads a database in one transaction: what is written meanwhile is not seen. */
export function readWhole<T>(
  db: Db,
  work: (source: RowSource, within: Db) => Promise<T>,
): Promise<T> {
  return readAtOneMoment(db, async (transaction) => {
    await allowLongStatements(transaction)
    const [migrations, tables] = [
      await migrationsOf(transaction),
      await listWholeTables(transaction),
    ]
    const source: RowSource = {
      migrations,
      counters: await readCounters(transaction, tables),
      async *tables() {
        for (const table of tables) yield { table, batches: readTable(transaction, table) }
      },
    }
    return work(source, transaction)
  })
}

/** True where no account but the gateway's was ever made: a database that is new, or was only migrated. */
export async function isUnused(db: Db): Promise<boolean> {
  const names = (await db.introspection.getTables()).map(({ name }) => name)
  if (!names.includes('user')) return names.length === 0
  const { rows } = await sql`select 1 from "user" where password_hash is not null limit 1`.execute(
    db,
  )
  if (rows.length > 0) return false
  return !names.includes('audit_event') || !(await hasRows(db, 'audit_event'))
}

interface WriteOptions {
  onTable?: (name: string, sum: TableSum) => void
  /** Done last, in the same transaction. */
  atEnd: (transaction: Db, rows: number) => Promise<void>
}

/**
 * Fills a database that is unused, in one transaction: all of it or nothing. Every row is read back and
 * compared. Returns how many rows there are.
 */
export async function writeWhole(
  db: Db,
  source: RowSource,
  { onTable, atEnd }: WriteOptions,
): Promise<number> {
  await prepareSchema(db, source.migrations)
  let total = 0
  await db.transaction().execute(async (transaction) => {
    await prepareForCopy(transaction)
    await emptyTables(transaction, await listWholeTables(transaction))
    const known = await ownTables(transaction)
    for await (const { table, batches } of source.tables()) {
      refuseForeign(table, known)
      const sum = await insertAll(transaction, table, batches)
      await compare(transaction, table, sum)
      total += sum.rows
      onTable?.(table.name, sum)
    }
    await setCounters(transaction, source.counters)
    await forgetDerived(transaction)
    await atEnd(transaction, total)
  })
  return total
}

/** The tables of the schema that was just made, with their columns. */
async function ownTables(db: Db): Promise<Map<string, Set<string>>> {
  const tables = (await db.introspection.getTables()).filter(
    ({ name, isView }) => !isView && !/^(kysely|sqlite)_/.test(name),
  )
  return new Map(
    tables.map(({ name, columns }) => [name, new Set(columns.map((each) => each.name))] as const),
  )
}

/** A backup that somebody else has made may name anything: tables of the database itself, and of other programs. */
function refuseForeign({ name, columns }: WholeTable, known: Map<string, Set<string>>): void {
  const own = known.get(name)
  if (own && columns.every((column) => own.has(column))) return
  throw new CommandError(
    `It has a table that its version does not have, or not with these columns: ${JSON.stringify(name)}.`,
  )
}

async function prepareSchema(db: Db, migrations: readonly string[]): Promise<void> {
  const [made, known] = await Promise.all([migrationsOf(db), listMigrations()])
  const last = migrations.at(-1) ?? ''
  const isBefore = isFromBefore(migrations)
  if (!isBefore && !known.includes(last))
    throw new CommandError(`It is of a newer version (${last}), which this one can't write.`)
  // One that was killed while it made the schema is gone on with.
  const expected = isBefore ? [...migrations, ...known] : migrations
  if (made.some((name) => !expected.includes(name)))
    throw new CommandError('The target was made by another version: use a new, empty database.')
  if (!isBefore) return migrate(db, last)
  if (isFromBefore(made)) return
  await migrate(db, lastOfBaseline)
  await db.transaction().execute(async (transaction) => {
    await makeAsBefore(transaction, migrations)
    await note(transaction, migrations)
  })
}

async function insertAll(
  db: Db,
  table: WholeTable,
  batches: AsyncIterable<Value[][]>,
): Promise<TableSum> {
  const sum = new RowSum()
  for await (const rows of batches) {
    for (const row of rows) sum.add(rowText(row))
    await insertInto(db, table, rows)
  }
  return sum.total
}

async function compare(db: Db, table: WholeTable, expected: TableSum): Promise<void> {
  const sum = new RowSum()
  for await (const rows of readTable(db, table)) for (const row of rows) sum.add(rowText(row))
  if (isSameSum(sum.total, expected)) return
  throw new CommandError(
    `The table ${table.name} has ${sum.total.rows} rows that are not the ${expected.rows} of the source. ` +
      'Nothing was copied.',
  )
}
