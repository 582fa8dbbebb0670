import { sql, type Expression, type RawBuilder, type SqlBool } from 'kysely'
import { containsText, isPostgres, withoutIndex } from '../dialect.ts'
import { contains } from '../listing.ts'
import type { Db } from '../connect.ts'
import { isAscii, isIndexed, matching } from './trigrams.ts'

/** Tables with an index that finds a text at any place in these columns. */
const searched = {
  run: ['search_text'],
  document: ['reference', 'authority_reference', 'original_reference'],
  audit_event: ['actor', 'action', 'thing_name', 'request_id', 'address'],
} as const

type SearchedTable = keyof typeof searched

/** Where no index can look, only that many of the newest rows are read. */
export const newestMax = 20_000
/** If the other filters find no more rows than this, each of them is read. */
const fewRows = 10_000
/** If they find no more than this, their ids are gathered before. */
const someRows = 50_000
/** A text with more hits than this is found soon by looking at rows in the order of the list. */
const manyHits = 20_000

export interface Choice {
  table: SearchedTable
  /** Case does not count. Empty: every row. */
  search: string
  /** They name the columns with their table. */
  filters: readonly Expression<SqlBool>[]
  /** The column that says how old a row is, with an index; the id where there is none. */
  age?: string
}

interface Hits {
  ids: number[]
  /** The text was too short for the index, and older rows were not read. */
  isPartial: boolean
}

/**
 * The ids of the newest rows (the oldest, with `asc`) that pass the filters and contain the text in one
 * of the searched columns; `limit` of them at most.
 */
export async function findHits(
  db: Db,
  choice: Choice,
  limit: number,
  direction: 'asc' | 'desc' = 'desc',
): Promise<Hits> {
  const { table, search, filters } = choice
  const taking = { limit, direction }
  if (search === '') return { ids: await takeRows(db, choice, filters, taking), isPartial: false }
  const holds = reads(db, table, search)
  if (!isIndexed(search)) {
    const older = await newestBeyond(db, table)
    const window = older === undefined ? [] : [sql<SqlBool>`${sql.ref(`${table}.id`)} > ${older}`]
    const ids = await takeRows(db, { ...choice, age: 'id' }, [...window, ...filters, holds], taking)
    return { ids, isPartial: older !== undefined }
  }
  const way = isPostgres(db) ? 'rows' : await chooseWay(db, choice)
  if (way === 'rows')
    return { ids: await takeRows(db, choice, [...filters, holds], taking), isPartial: false }
  const conditions = way === 'gathered' ? [gathered(choice)] : filters
  // Letters beyond ASCII have a case that only the index knows.
  const proof = isAscii(search) ? [holds] : []
  return { ids: await takeIndexed(db, choice, [...conditions, ...proof], taking), isPartial: false }
}

interface Taking {
  limit: number
  direction: 'asc' | 'desc'
}

/** Row by row, or by whatever index the database chooses. */
async function takeRows(
  db: Db,
  { table, age = 'id' }: Choice,
  where: readonly Expression<SqlBool>[],
  { limit, direction }: Taking,
): Promise<number[]> {
  const order = sql.join(
    [...new Set([age, 'id'])].map(
      (column) => sql`${sql.ref(`${table}.${column}`)} ${sql.raw(direction)}`,
    ),
  )
  const query = (max: number) =>
    sql<{
      id: number
    }>`select id from ${sql.table(table)} where ${all(where)} order by ${order} limit ${max}`
  // PostgreSQL believes that hits are spread evenly. Where they are old it would read most of the table
  // to find the first; planned for four times as many, it chooses the index of trigrams sooner.
  const whole = isPostgres(db)
    ? sql<{
        id: number
      }>`with hits as materialized (${query(limit * 4)}) select id from hits limit ${limit}`
    : query(limit)
  return (await whole.execute(db)).rows.map(({ id }) => id)
}

/** By the index of SQLite, which yields hits in the order of the ids: reading ends at the limit. */
async function takeIndexed(
  db: Db,
  { table, search }: Choice,
  where: readonly Expression<SqlBool>[],
  { limit, direction }: Taking,
): Promise<number[]> {
  const index = sql.table(`${table}_search`)
  const conditions = [sql<SqlBool>`${index} match ${matching(search, searched[table])}`, ...where]
  const { rows } = await sql<{ id: number }>`select hit.rowid as id from ${index} as hit
    cross join ${sql.table(table)} on ${sql.ref(`${table}.id`)} = hit.rowid
    where ${all(conditions)} order by hit.rowid ${sql.raw(direction)} limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** How SQLite, which keeps no statistics, finds a text together with other filters. */
async function chooseWay(db: Db, choice: Choice): Promise<'index' | 'gathered' | 'rows'> {
  const { table, search, filters } = choice
  if (filters.length === 0) return 'index'
  const found = await countUpTo(db, choice, someRows + 1)
  if (found <= fewRows) return 'rows'
  if (found <= someRows) return 'gathered'
  const index = sql.table(`${table}_search`)
  const { rows } =
    await sql`select rowid from ${index} where ${index} match ${matching(search, searched[table])}
    limit 1 offset ${sql.lit(manyHits)}`.execute(db)
  return rows.length > 0 ? 'rows' : 'index'
}

const gathered = ({ table, filters }: Choice) =>
  sql<SqlBool>`+hit.rowid in (select id from ${sql.table(table)} where ${all(filters)})`

/** How many rows pass the filters; counts no further than `max`. */
export async function countUpTo(
  db: Db,
  { table, filters }: Pick<Choice, 'table' | 'filters'>,
  max: number,
): Promise<number> {
  const { rows } = await sql<{ total: number }>`select count(*) as total from
    (select 1 from ${sql.table(table)} where ${all(filters)} limit ${sql.lit(max)}) as counted`.execute(
    db,
  )
  return rows[0]?.total ?? 0
}

/** With fewer rows than this, sorting them takes less time than walking through the list. */
const sortedMax = 30_000

/**
 * A condition on a column that finds few rows or many, in the form that suits the number: SQLite, which
 * keeps no statistics, would use an index of the column and sort what it finds. `of` writes it.
 */
export async function indexedIfFew(
  db: Db,
  table: SearchedTable,
  column: string,
  of: (column: RawBuilder<unknown>) => RawBuilder<SqlBool>,
): Promise<RawBuilder<SqlBool>> {
  const name = `${table}.${column}`
  const indexed = of(sql.ref(name))
  if (isPostgres(db)) return indexed
  const found = await countUpTo(db, { table, filters: [indexed] }, sortedMax + 1)
  return found <= sortedMax ? indexed : of(withoutIndex(db, name))
}

const all = (conditions: readonly Expression<SqlBool>[]) =>
  conditions.length === 0 ? sql<SqlBool>`1 = 1` : sql<SqlBool>`${sql.join(conditions, sql` and `)}`

/** The newest id that is not among the newest rows; undefined if there are no more. */
async function newestBeyond(db: Db, table: SearchedTable): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`select id from ${sql.table(table)}
    order by id desc limit 1 offset ${sql.lit(newestMax)}`.execute(db)
  return rows[0]?.id
}

/** Row by row on SQLite, also by the trigram indexes on PostgreSQL. Runs keep their text in small letters. */
function reads(db: Db, table: SearchedTable, text: string): RawBuilder<SqlBool> {
  if (table === 'run' && !isPostgres(db))
    return containsText(db, 'run.search_text', text.toLowerCase())
  return contains(
    text,
    searched[table].map((column) => `${table}.${column}`),
  )
}
