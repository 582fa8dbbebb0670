import { sql, type Expression, type RawBuilder, type SqlBool } from 'kysely'

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

/** Whether rows are filtered only by a text. */
export function isSearchAlone(query: { search: string }): boolean {
  const { search, page: _, limit: __, sort: ___, ...filters } = query as ListQuery
  return search !== '' && Object.values(filters).every((each) => each === undefined || each === '')
}

export interface Walk {
  offset: number
  limit: number
  /** In the opposite order, from the end of the list: the caller has to reverse the rows. */
  isBackward: boolean
}

/**
 * The shortest way to a page of a list with `total` rows: from its nearer end, since a database counts
 * through all rows that it skips. Undefined for a page beyond the last.
 */
export function walkTo(
  { page, limit }: Pick<ListQuery, 'page' | 'limit'>,
  total: number,
): Walk | undefined {
  const before = (page - 1) * limit
  const rows = Math.min(limit, total - before)
  if (rows <= 0) return undefined
  const after = total - before - rows
  return after < before
    ? { offset: after, limit: rows, isBackward: true }
    : { offset: before, limit: rows, isBackward: false }
}

/** The direction of a walk through a list that is in this order. */
export const directionOf = (order: 'asc' | 'desc', { isBackward }: Walk): 'asc' | 'desc' =>
  (order === 'asc') === isBackward ? 'desc' : 'asc'

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
