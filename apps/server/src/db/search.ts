import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { containsText, isPostgres } from './dialect.ts'
import { contains } from './listing.ts'
import type { Db } from './connect.ts'

/** Tables with an index that finds a text at any place in these columns. */
const searched = {
  run: ['search_text'],
  document: ['reference', 'authority_reference', 'original_reference'],
  audit_event: ['actor', 'action', 'thing_name', 'request_id', 'address'],
} as const

export type SearchedTable = keyof typeof searched
export type SearchedColumn<T extends SearchedTable> = (typeof searched)[T][number]

/** With more hits than this, a page is found sooner by looking at rows in the order of the list. */
const fewHits = 5000
/** Shorter texts have no trigram. */
const indexedMin = 3
/** Where no index can look, only so many of the newest rows are read. */
const readMax = 50_000

/**
 * True for rows in which one of the columns (all that are searched, unless named) contains the text;
 * case does not count. Served by the index from three characters on; a shorter text is looked for in the
 * newest 50,000 rows only.
 */
export function holdsText<T extends SearchedTable>(
  db: Db,
  table: T,
  text: string,
  columns: readonly SearchedColumn<T>[] = searched[table],
): RawBuilder<SqlBool> {
  if (!isIndexed(text)) return newestThat(db, table, text, columns)
  if (isPostgres(db)) return contains(text, columns)
  const index = sql.table(`${table}_search`)
  return sql<SqlBool>`id in (select rowid from ${index} where ${index} match ${matching(text, columns)})`
}

/** The same, for lists with many hits, which are read row by row. */
export function holdsTextOften<T extends SearchedTable>(
  db: Db,
  table: T,
  text: string,
  columns: readonly SearchedColumn<T>[] = searched[table],
): RawBuilder<SqlBool> {
  if (!isIndexed(text)) return newestThat(db, table, text, columns)
  return isPostgres(db) ? readsOnPostgres(text, columns) : reads(db, table, text, columns)
}

/** Those of the newest rows that hold the text. */
function newestThat(db: Db, table: SearchedTable, text: string, columns: readonly string[]) {
  const oldest = sql`select id from ${sql.table(table)} order by id desc limit 1 offset ${sql.lit(readMax - 1)}`
  return sql<SqlBool>`(id >= coalesce((${oldest}), 0) and ${reads(db, table, text, columns)})`
}

/**
 * True for rows in which the column contains the text; case does not count. For columns of few different
 * values with an index of the column and the id: it finds the values by one look at each.
 */
export function isOneThatHolds(
  db: Db,
  table: 'audit_event',
  column: 'actor' | 'action',
  text: string,
) {
  const [from, value] = [sql.table(table), sql.ref(column)]
  const holds = contains(text, ['value'])
  const next = sql`(select min(${value}) from ${from} where ${value} > different.value)`
  const different = sql`with recursive different(value) as (
    select min(${value}) from ${from}
    union all select ${next} from different where different.value is not null
  )`
  const found = sql`${different} select value from different where value is not null and ${holds}`
  // PostgreSQL would weigh a join with values that it knows nothing of; an array is worked out before.
  return isPostgres(db)
    ? sql<SqlBool>`${value} = any (array(${found}))`
    : sql<SqlBool>`${value} in (${found})`
}

/** Row by row; runs keep their text in small letters, and `instr` is much faster than LIKE. */
const reads = (db: Db, table: SearchedTable, text: string, columns: readonly string[]) =>
  table === 'run' ? containsText(db, 'search_text', text.toLowerCase()) : contains(text, columns)

/** Uses no index: with one, PostgreSQL would gather and sort all hits for each page, and keep ten. */
function readsOnPostgres(text: string, columns: readonly string[]): RawBuilder<SqlBool> {
  const tests = columns.map(
    (column) => sql`strpos(lower(coalesce(${sql.ref(column)}, '')), ${text.toLowerCase()}) > 0`,
  )
  return sql<SqlBool>`(${sql.join(tests, sql` or `)})`
}

/** Whether a list with this many hits is better read row by row than by the index. */
export const areManyHits = (total: number): boolean => total > fewHits

/** How many rows hold the text: by the index only; undefined where the index can't count them. */
export async function countHolders(
  db: Db,
  table: SearchedTable,
  text: string,
): Promise<number | undefined> {
  if (isPostgres(db) || !isIndexed(text)) return undefined
  const index = sql.table(`${table}_search`)
  const { rows } = await sql<{
    total: number
  }>`select count(*) as total from ${index} where ${index} match ${matching(text, searched[table])}`.execute(
    db,
  )
  return rows[0]?.total
}

/**
 * How to look for a text together with other filters. A text of many hits is looked for in the rows that
 * the other filters find: gathering all its hits first takes longer.
 */
export async function beside(
  db: Db,
  table: SearchedTable,
  text: string,
): Promise<typeof holdsText> {
  if (isPostgres(db) || !isIndexed(text)) return holdsText
  const index = sql.table(`${table}_search`)
  const { rows } =
    await sql`select rowid from ${index} where ${index} match ${matching(text, searched[table])} limit 1 offset ${sql.lit(fewHits)}`.execute(
      db,
    )
  return rows.length > 0 ? holdsTextOften : holdsText
}

/** SQLite's query language would end a text at a NUL. */
const isIndexed = (text: string) => [...text].length >= indexedMin && !text.includes('\0')

/** The literal text, in these columns: inside quotes, a doubled quote is the only escape of FTS5. */
const matching = (text: string, columns: readonly string[]) =>
  `{${columns.join(' ')}} : "${text.replaceAll('"', '""')}"`
