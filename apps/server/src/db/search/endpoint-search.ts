import { sql, type RawBuilder } from 'kysely'
import { allOf } from '../all-of.ts'
import type { Db } from '../connect.ts'
import { isPostgres } from '../dialect.ts'
import { conditionsOf, matches, shortOnes, where, type EndpointChoice } from './endpoint-choice.ts'
import { plannedForItsValues } from '../postgres/prepared-statements.ts'
import { isIndexed } from './trigrams.ts'

// Finds the endpoints of a list by ids alone: in an index of what is searched, and in indexes that have each
// order of the list with all that it is filtered by. No row is read to be skipped. PostgreSQL has all of this in
// one narrow table (migration 0118), which is named `endpoint` here.

interface Page {
  sort: string | undefined
  page: number
  limit: number
}

interface Found {
  ids: number[]
  /** On all pages. */
  total: number
}

/** With more hits than these, a list in its order soon comes upon as many as a page has. */
const manyHits = 20_000

/**
 * The ids of a page, in its order, and how many endpoints there are on all pages. PostgreSQL gathers hits and
 * sorts them, unless there are more than `gatheredMax`.
 */
export async function findPage(
  db: Db,
  choice: EndpointChoice,
  page: Page,
  gatheredMax = manyHits,
): Promise<Found> {
  if (!isPostgres(db)) return findOnSqlite(db, choice, page)
  if (choice.words.length === 0) return readInOrder(db, choice, page)
  const found = await gather(db, choice, page, gatheredMax + 1)
  return found.total > gatheredMax ? readInOrder(db, choice, page) : found
}

/** The ids of the first of these endpoints, by their ids. */
export async function findFirst(db: Db, choice: EndpointChoice, limit: number): Promise<number[]> {
  const from = isPostgres(db) ? listed : sql`endpoint`
  const { rows } = await sql<{ id: number }>`${plannedForItsValues} select endpoint.id from ${from}
    ${where(conditionsOf(db, choice))} order by endpoint.id limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** How many endpoints are found of each API that has some, by the API's id. */
export async function countByApi(db: Db, choice: EndpointChoice): Promise<Map<number, number>> {
  const from = isPostgres(db) ? listed : sql`endpoint`
  const { rows } = await sql<{ api_id: number; count: number }>`${plannedForItsValues}
    select endpoint.api_id, count(*) as count from ${from}
    ${where(conditionsOf(db, choice))} group by endpoint.api_id`.execute(db)
  return new Map(rows.map(({ api_id, count }) => [api_id, count]))
}

const listed = sql`endpoint_search as endpoint`

async function readInOrder(db: Db, choice: EndpointChoice, page: Page): Promise<Found> {
  const source = sql`from ${listed} ${where(conditionsOf(db, choice))}`
  const place = sql.ref(`endpoint.${columnOf(page.sort)}`)
  const [found, counts] = await allOf([
    sql<{ id: number }>`${plannedForItsValues} select endpoint.id ${source}
      order by ${inOrder(place, sql`endpoint.id`, page.sort)} ${part(page)}`.execute(db),
    sql<{ total: number }>`${plannedForItsValues} select count(*) as total ${source}`.execute(db),
  ])
  return { ids: found.rows.map(({ id }) => id), total: counts.rows[0]?.total ?? 0 }
}

/** PostgreSQL believes that hits are spread evenly, and would look for few of them in the order of the list. */
async function gather(db: Db, choice: EndpointChoice, page: Page, most: number): Promise<Found> {
  const place = sql.ref(`endpoint.${columnOf(page.sort)}`)
  const { rows } = await sql<{ total: number; ids: number[] | null }>`${plannedForItsValues}
    with found as materialized (select endpoint.id, ${place} as place from ${listed}
      ${where(conditionsOf(db, choice))} limit ${most})
    select (select count(*) from found) as total, (select json_agg(id) from
      (select id from found order by ${inOrder(sql`place`, sql`id`, page.sort)} ${part(page)}) as page) as ids`.execute(
    db,
  )
  return { ids: rows[0]?.ids ?? [], total: rows[0]?.total ?? 0 }
}

async function findOnSqlite(db: Db, choice: EndpointChoice, page: Page): Promise<Found> {
  const isCountedToo = choice.words.length > 0 && !isAlone(choice)
  const found = await takeIds(db, choice, page, isCountedToo)
  const ids = found.map(({ id }) => id)
  if (isCountedToo && found[0]) return { ids, total: found[0].total }
  const { rows } = await sql<{
    total: number
  }>`select count(*) as total ${source(choice)}`.execute(db)
  return { ids, total: rows[0]?.total ?? 0 }
}

/** Whether the index alone says what is found. Else endpoints are read, and better once than twice. */
const isAlone = ({ words, filters }: EndpointChoice) =>
  filters.length === 0 && words.every(isIndexed)

async function takeIds(db: Db, choice: EndpointChoice, page: Page, isCountedToo: boolean) {
  const column = columnOf(page.sort)
  const id = choice.words.some(isIndexed) ? sql`hit.rowid` : sql`endpoint.id`
  const total = isCountedToo ? sql`count(*) over ()` : sql`0`
  const { rows } = await sql<{
    id: number
    total: number
  }>`select ${id} as id, ${total} as total ${source(choice, column)}
    order by ${inOrder(column === 'id' ? id : indexed[column].by, id, page.sort)} ${part(page)}`.execute(
    db,
  )
  return rows
}

const part = ({ page, limit }: Page) => sql`limit ${limit} offset ${(page - 1) * limit}`

function inOrder(column: RawBuilder<unknown>, id: RawBuilder<unknown>, sort = '') {
  const direction = sql.raw(sort.startsWith('-') ? 'desc' : 'asc')
  return sql`${column} ${direction}, ${id} ${direction}`
}

type Column = 'id' | keyof typeof indexed

/** As migration 0115 has indexed them on SQLite. */
const indexed = {
  status: { from: sql`endpoint indexed by endpoint_by_status`, by: sql`endpoint.status` },
  method_type: { from: sql`endpoint indexed by endpoint_by_method`, by: sql`endpoint.method_type` },
  path: {
    from: sql`endpoint indexed by endpoint_by_path`,
    by: sql`substr(lower(endpoint.path), 1, 100)`,
  },
  description: {
    from: sql`endpoint indexed by endpoint_by_description`,
    by: sql`substr(lower(endpoint.description), 1, 100)`,
  },
}

function columnOf(sort = 'id'): Column {
  const name = sort.replace(/^-/, '')
  return name in indexed ? (name as Column) : 'id'
}

/** From which endpoints a list takes its rows: those that were found, else in the order of an index. */
function source(choice: EndpointChoice, column: Column = 'id'): RawBuilder<unknown> {
  const found = choice.words.filter(isIndexed)
  const others = [...choice.filters, ...shortOnes(choice.words)]
  const ordered = column === 'id' ? sql`endpoint` : indexed[column].from
  if (found.length === 0) return sql`from ${ordered} ${where(others)}`
  // The index yields hits in the order of the ids. Endpoints are read where something else is asked.
  const joined =
    isAlone(choice) && column === 'id' ? sql`` : sql`cross join endpoint on endpoint.id = hit.rowid`
  return sql`from endpoint_search as hit ${joined} ${where([matches(found), ...others])}`
}
