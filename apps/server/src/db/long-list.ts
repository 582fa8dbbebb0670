import { sql, type SqlBool } from 'kysely'
import type { Db } from './connect.ts'
import { idList, isAmong } from './dialect.ts'
import { countUpTo, findHits, type Choice } from './search/search.ts'

// Lists that grow for years: runs, documents, the audit trail. Neither a total nor a page may cost more
// because there are more rows, so a list ends after a number of rows and says that there are more.

/** A list shows that many rows at most, on all its pages. */
export const listedMax = 10_000
/** A search shows that many hits at most: the newest, or the oldest where a list begins with them. */
export const hitsMax = 1000

interface Order {
  column: string
  direction: 'asc' | 'desc'
}

interface LongList extends Choice {
  page: number
  limit: number
  /** The last column is the id, so that the order is total. */
  order: readonly Order[]
  /** A row that a search finds too, if it passes the filters. */
  alsoId?: number | undefined
}

export interface LongListing<T> {
  rows: T[]
  /** Exact, unless there are more. */
  total: number
  /** More rows were found; no page shows them. */
  hasMore: boolean
  /** A text of one or two characters was looked for in the newest 20,000 rows only. */
  isSearchPartial: boolean
}

/** The order of a `sort`, with `between` after the columns in `shared`, and always with the id at its end. */
export function orderOf(sort: string, shared: readonly string[] = [], between = ''): Order[] {
  const direction = sort.startsWith('-') ? 'desc' : 'asc'
  const column = sort.replace(/^-/, '')
  const columns = [column, ...(shared.includes(column) ? [between] : []), 'id']
  return [...new Set(columns)].map((each) => ({ column: each, direction }))
}

/** Columns whose order is that of the ids, as far as clocks agree. */
const ageColumns: ReadonlySet<string> = new Set(['id', 'at', 'created_at'])

/** The ids of a page, in its order. */
export function readLongList(db: Db, list: LongList): Promise<LongListing<number>> {
  return list.search === '' ? readFiltered(db, list) : readHits(db, list)
}

async function readFiltered(db: Db, list: LongList): Promise<LongListing<number>> {
  const found = await countUpTo(db, list, listedMax + 1)
  const total = Math.min(found, listedMax)
  const rows = await readPage(db, list, total)
  return { rows, total, hasMore: found > listedMax, isSearchPartial: false }
}

async function readHits(db: Db, list: LongList): Promise<LongListing<number>> {
  const { table, order, alsoId } = list
  const [first] = order
  const begins = first && ageColumns.has(first.column) ? first.direction : 'desc'
  const { ids, isPartial } = await findHits(db, list, hitsMax + 1, begins)
  const hits = ids.slice(0, hitsMax)
  if (alsoId !== undefined && !hits.includes(alsoId)) {
    const same = sql<SqlBool>`${sql.ref(`${table}.id`)} = ${alsoId}`
    const own = await findHits(db, { ...list, search: '', filters: [...list.filters, same] }, 1)
    hits.push(...own.ids)
  }
  const rows = await readPage(
    db,
    { ...list, filters: [isAmong(db, `${table}.id`, idList(db, hits))] },
    hits.length,
  )
  const hasMore = ids.length > hitsMax
  return { rows, total: hits.length, hasMore, isSearchPartial: isPartial }
}

async function readPage(db: Db, list: LongList, total: number): Promise<number[]> {
  const { table, filters, page, limit, order } = list
  const offset = (page - 1) * limit
  const count = Math.min(limit, total - offset)
  if (count <= 0) return []
  const by = order.map(
    ({ column, direction }) => sql`${sql.ref(`${table}.${column}`)} ${sql.raw(direction)}`,
  )
  const where = filters.length === 0 ? sql`` : sql`where ${sql.join(filters, sql` and `)}`
  const { rows } = await sql<{ id: number }>`select id from ${sql.table(table)} ${where}
    order by ${sql.join(by)} limit ${count} offset ${offset}`.execute(db)
  return rows.map(({ id }) => id)
}
