import { sql } from 'kysely'
import { allowLongStatements, isPostgres } from './dialect.ts'
import type { Db } from './connect.ts'

// What a copy of a whole database needs to know of it: its tables, their order and their counters. Both
// databases hold numbers, texts and nulls alone, so that the rows of one fit into the other.

export type Value = string | number | null

export interface WholeTable {
  name: string
  /** In the order of their names, which is the same on both databases. */
  columns: string[]
}

/** Rows of a batch; the texts of a row may have megabytes. */
const batchRows = 100

/** Made again from the other tables: the words of the search, and what has to be put among them. */
const derived = /_search(_|$)|^search_(todo|word|progress)$|^config_change$/

/** Every table that holds something of its own, in an order in which each comes after those that it refers to. */
export async function listWholeTables(db: Db): Promise<WholeTable[]> {
  const tables = (await db.introspection.getTables())
    .filter(({ name, isView }) => !isView && !/^(kysely|sqlite)_/.test(name) && !derived.test(name))
    .map(({ name, columns }) => ({ name, columns: columns.map((each) => each.name).toSorted() }))
  return inOrder(tables, await listReferences(db))
}

async function listReferences(db: Db): Promise<Map<string, string[]>> {
  const query = isPostgres(db)
    ? sql<Reference>`select child.relname as child, parent.relname as parent from pg_constraint
        join pg_class child on child.oid = conrelid join pg_class parent on parent.oid = confrelid
        where contype = 'f' and connamespace = current_schema()::regnamespace`
    : sql<Reference>`select m.name as child, f."table" as parent
        from sqlite_master m, pragma_foreign_key_list(m.name) f where m.type = 'table'`
  const { rows } = await query.execute(db)
  const byChild = Map.groupBy(rows, ({ child }) => child)
  return new Map(
    [...byChild].map(([child, found]) => [child, found.map(({ parent }) => parent)] as const),
  )
}

interface Reference {
  child: string
  parent: string
}

function inOrder(tables: WholeTable[], references: Map<string, string[]>): WholeTable[] {
  const ordered = new Set<WholeTable>()
  const byName = new Map(tables.map((table) => [table.name, table]))
  const add = (table: WholeTable, path: readonly string[]): void => {
    if (ordered.has(table)) return
    for (const name of references.get(table.name) ?? []) {
      const parent = byName.get(name)
      if (!parent || parent === table) continue
      if (path.includes(name)) throw new Error(`${[...path, name].join(' → ')} is a cycle.`)
      add(parent, [...path, name])
    }
    ordered.add(table)
  }
  for (const table of tables.toSorted((a, b) => (a.name < b.name ? -1 : 1)))
    add(table, [table.name])
  return [...ordered]
}

/** The rows of a table as values in the order of its columns, in batches, the oldest id first. */
export async function* readTable(db: Db, { name, columns }: WholeTable): AsyncGenerator<Value[][]> {
  for await (const rows of isPostgres(db) ? readByCursor(db, name, columns) : readByRowId(db, name))
    yield rows.map((row) => columns.map((column) => row[column] ?? null))
}

type Named = Record<string, Value>

async function* readByCursor(
  db: Db,
  name: string,
  columns: readonly string[],
): AsyncGenerator<Named[]> {
  const order = columns.includes('id') ? sql` order by id` : sql``
  await sql`declare copied no scroll cursor for select * from ${sql.table(name)}${order}`.execute(
    db,
  )
  for (;;) {
    const { rows } = await sql<Named>`fetch ${sql.lit(batchRows)} from copied`.execute(db)
    if (rows.length > 0) yield rows
    if (rows.length < batchRows) break
  }
  await sql`close copied`.execute(db)
}

async function* readByRowId(db: Db, name: string): AsyncGenerator<Named[]> {
  let last = 0
  for (;;) {
    const { rows } = await sql<Named & { copied_row: number }>`select rowid as copied_row, *
      from ${sql.table(name)} where rowid > ${last} order by rowid limit ${batchRows}`.execute(db)
    if (rows.length > 0) yield rows
    if (rows.length < batchRows) return
    last = rows.at(-1)!.copied_row
  }
}

export async function insertInto(
  db: Db,
  { name, columns }: WholeTable,
  rows: readonly Value[][],
): Promise<void> {
  if (rows.length === 0) return
  const names = sql.join(columns.map((column) => sql.ref(column)))
  const values = sql.join(rows.map((row) => sql`(${sql.join(row)})`))
  await sql`insert into ${sql.table(name)} (${names}) values ${values}`.execute(db)
}

/** Removes the rows that migrations have put there. Append-only tables without rows are left alone. */
export async function emptyTables(db: Db, tables: readonly WholeTable[]): Promise<void> {
  for (const { name } of tables.toReversed())
    if (await hasRows(db, name)) await sql`delete from ${sql.table(name)}`.execute(db)
}

export async function hasTable(db: Db, name: string): Promise<boolean> {
  return (await db.introspection.getTables()).some((table) => table.name === name)
}

/** How many rows each table has. */
export async function countRows(db: Db): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  for (const { name } of await listWholeTables(db)) {
    const { rows } = await sql<{
      count: number
    }>`select count(*) as count from ${sql.table(name)}`.execute(db)
    counts.set(name, rows[0]?.count ?? 0)
  }
  return counts
}

export async function hasRows(db: Db, table: string): Promise<boolean> {
  const { rows } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(db)
  return rows.length > 0
}

/** The last id that each table has given, which may be that of a row that was deleted. */
export async function readCounters(
  db: Db,
  tables: readonly WholeTable[],
): Promise<Record<string, number>> {
  const known = new Set(tables.map(({ name }) => name))
  const { rows } = isPostgres(db)
    ? await sql<Counter>`select tables.relname as name, coalesce(pg_sequence_last_value(sequences.oid), 0) as last
        from pg_class sequences join pg_depend on pg_depend.objid = sequences.oid and deptype in ('a', 'i')
        join pg_class tables on tables.oid = refobjid
        where sequences.relkind = 'S' and sequences.relnamespace = current_schema()::regnamespace`.execute(
        db,
      )
    : await sql<Counter>`select name, seq as last from sqlite_sequence`.execute(db)
  return Object.fromEntries(
    rows
      .filter(({ name, last }) => known.has(name) && last > 0)
      .map(({ name, last }) => [name, last])
      .toSorted(),
  )
}

interface Counter {
  name: string
  last: number
}

export async function setCounters(db: Db, counters: Record<string, number>): Promise<void> {
  for (const [name, last] of Object.entries(counters)) {
    if (isPostgres(db)) {
      const sequence = sql`pg_get_serial_sequence(${`"${name}"`}, 'id')`
      await sql`select setval(${sequence}, ${last})`.execute(db)
      continue
    }
    await sql`delete from sqlite_sequence where name = ${name}`.execute(db)
    await sql`insert into sqlite_sequence (name, seq) values (${name}, ${last})`.execute(db)
  }
}

/** The words of the search follow in the background, as they do after an update: the newest runs first. */
export async function forgetDerived(db: Db): Promise<void> {
  for (const table of ['search_todo', 'search_word', 'text_search', 'config_change'])
    await sql`delete from ${sql.table(table)}`.execute(db)
  await sql`update search_progress set
    below = (select coalesce(max(id), 0) + 1 from run),
    first_below = (select coalesce(max(id), 0) + 1 from run)`.execute(db)
}

/** One transaction for a whole copy, which takes its time. What refers to later rows is checked at its end. */
export async function prepareForCopy(db: Db): Promise<void> {
  await allowLongStatements(db)
  if (!isPostgres(db)) await sql`pragma defer_foreign_keys = on`.execute(db)
}
