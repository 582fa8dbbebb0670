import {
  sql,
  type Expression,
  type RawBuilder,
  type SelectQueryBuilder,
  type SqlBool,
} from 'kysely'

/** Which rows of a list a page shows. `sort` is one of the list's columns, descending with a minus. */
export interface ListQuery {
  page: number
  limit: number
  search: string
  sort?: string | undefined
}

/**
 * True for rows in which one of the columns contains the text; case does not count. What the user
 * typed is matched literally: `%` and `_` are no wildcards.
 */
export function contains(search: string, columns: readonly string[]): RawBuilder<SqlBool> {
  const pattern = `%${search.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
  const tests = columns.map(
    (column) => sql`lower(coalesce(${sql.ref(column)}, '')) like ${pattern} escape '\\'`,
  )
  return sql<SqlBool>`(${sql.join(tests, sql` or `)})`
}

/**
 * True for rows that have every word of the search in one of the columns, each in whichever it is. A search
 * of blanks finds every row.
 */
export function containsWords(search: string, columns: readonly string[]): RawBuilder<SqlBool> {
  const words = [...new Set(search.trim().split(/\s+/))]
  return sql<SqlBool>`(${sql.join(
    words.map((word) => contains(word, columns)),
    sql` and `,
  )})`
}

/** The rows in the order of the ids by which they were read. */
export function inOrderOf<T extends { id: number }>(
  ids: readonly number[],
  rows: readonly T[],
): T[] {
  const places = new Map(ids.map((id, place) => [id, place]))
  return rows.toSorted((a, b) => (places.get(a.id) ?? 0) - (places.get(b.id) ?? 0))
}

/** What to order a list by: the chosen column, then the id, so that the order is always total. */
export function listOrder(
  sort: string | undefined,
  idColumn: string,
  textColumns: readonly string[],
): Expression<unknown> {
  const id = sql.ref(idColumn)
  if (!sort) return sql`${id} asc`
  const direction = sort.startsWith('-') ? sql`desc` : sql`asc`
  const name = sort.replace(/^-/, '')
  const table = idColumn.split('.')[0]
  const column = sql.ref(`${table}.${name}`)
  if (name === 'id') return sql`${column} ${direction}`
  const value = textColumns.includes(name) ? sql`lower(coalesce(${column}, ''))` : column
  return sql`${value} ${direction}, ${id} asc`
}

/** The page of the query's rows that `list` asks for, and how many rows there are on all pages. */
export async function readPage<Tables, Table extends keyof Tables, Row>(
  query: SelectQueryBuilder<Tables, Table, Row>,
  { page, limit }: Pick<ListQuery, 'page' | 'limit'>,
) {
  const rows = await query
    .limit(limit)
    .offset((page - 1) * limit)
    .execute()
  const [count] = await query
    .clearSelect()
    .clearOrderBy()
    .select(sql<number>`count(*)`.as('total'))
    .execute()
  return { rows, total: (count as { total: number }).total }
}

const isDay = (moment: string) => moment.length === 10

/** The first moment that a filter `from` allows, a day or a moment. */
export const startOfRange = (from: string): string =>
  isDay(from) ? `${from}T00:00:00.000Z` : new Date(from).toISOString()

/** The last moment that a filter `to` allows. */
export const endOfRange = (to: string): string =>
  isDay(to) ? `${to}T23:59:59.999Z` : new Date(to).toISOString()
