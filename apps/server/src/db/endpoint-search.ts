import { methods } from '@gatehouse/contract'
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { Db } from './connect.ts'
import { isPostgres, readByIndex } from './dialect.ts'
import { isIndexed } from './trigrams.ts'

// Finds the endpoints of a list by ids alone: in an index of what is searched, and in indexes that have each
// order of the list with all that it is filtered by. No row is read to be skipped.

type Condition = RawBuilder<SqlBool>

export interface EndpointChoice {
  /** Every word has to be in the description, the summary, the path or the name of the API. Case does not count. */
  words: readonly string[]
  /** They name the columns with their table, `endpoint`. */
  filters: readonly Condition[]
}

interface Page {
  sort: string | undefined
  page: number
  limit: number
}

/** The same, where a word may be the method of an endpoint too. */
export function choiceWithMethods(db: Db, search: string): EndpointChoice {
  const { inMethods = [], others = [] } = Object.groupBy(wordsOf(search), (word) =>
    methodsWith(word).length > 0 ? 'inMethods' : 'others',
  )
  const filters = inMethods.map(
    (word) =>
      sql<SqlBool>`(endpoint.method_type in (${sql.join(methodsWith(word))}) or ${holdsWords(db, [word])})`,
  )
  return { words: others, filters }
}

const methodsWith = (word: string) =>
  methods.filter((method) => method.includes(word.toLowerCase()))

export const wordsOf = (search: string): string[] => [
  ...new Set(search.split(/\s+/).filter((word) => word !== '')),
]

/** The ids of a page, in its order, and how many endpoints there are on all pages. */
export async function findPage(db: Db, choice: EndpointChoice, page: Page) {
  if (choice.words.length > 0 && isPostgres(db)) return findTogether(db, choice, page)
  const isCountedToo = choice.words.length > 0 && !isAlone(db, choice)
  const found = await takeIds(db, choice, page, isCountedToo)
  const ids = found.map(({ id }) => id)
  if (isCountedToo && found[0]) return { ids, total: found[0].total }
  const { rows } = await sql<{
    total: number
  }>`select count(*) as total ${source(db, choice)}`.execute(db)
  return { ids, total: rows[0]?.total ?? 0 }
}

/** Whether the index alone says what is found. Else endpoints are read, and better once than twice. */
const isAlone = (db: Db, { words, filters }: EndpointChoice) =>
  filters.length === 0 && (isPostgres(db) || words.every(isIndexed))

/** PostgreSQL believes that hits are spread evenly, and would look for few of them in the order of the list. */
async function findTogether(db: Db, choice: EndpointChoice, page: Page) {
  const { column, index } = orderOf(page.sort)
  const { rows } = await sql<{ total: number; ids: number[] | null }>`
    with found as materialized
      (select hit.id, ${index ? column : sql`hit.id`} as place ${source(db, choice, index)})
    select (select count(*) from found) as total, (select json_agg(id) from
      (select id from found order by ${inOrder(sql`place`, sql`id`, page.sort)} ${part(page)}) as page) as ids`.execute(
    db,
  )
  return { ids: rows[0]?.ids ?? [], total: rows[0]?.total ?? 0 }
}

async function takeIds(db: Db, choice: EndpointChoice, page: Page, isCountedToo: boolean) {
  const { column, index } = orderOf(page.sort)
  const id = choice.words.some(isIndexed) ? hitId(db) : sql`endpoint.id`
  const total = isCountedToo ? sql`count(*) over ()` : sql`0`
  const { rows } = await sql<{
    id: number
    total: number
  }>`select ${id} as id, ${total} as total ${source(db, choice, index)}
    order by ${inOrder(index ? column : id, id, page.sort)} ${part(page)}`.execute(db)
  return rows
}

const part = ({ page, limit }: Page) => sql`limit ${limit} offset ${(page - 1) * limit}`

function inOrder(column: RawBuilder<unknown>, id: RawBuilder<unknown>, sort = '') {
  const direction = sql.raw(sort.startsWith('-') ? 'desc' : 'asc')
  return sql`${column} ${direction}, ${id} ${direction}`
}

/** As migration 0115 has indexed them. */
function orderOf(sort = 'id'): { column: RawBuilder<unknown>; index?: string } {
  switch (sort.replace(/^-/, '')) {
    case 'status':
      return { column: sql`endpoint.status`, index: 'endpoint_by_status' }
    case 'method_type':
      return { column: sql`endpoint.method_type`, index: 'endpoint_by_method' }
    case 'path':
      return { column: beginning('path'), index: 'endpoint_by_path' }
    case 'description':
      return { column: beginning('description'), index: 'endpoint_by_description' }
    default:
      return { column: sql`endpoint.id` }
  }
}

const beginning = (column: string) => sql`substr(lower(${sql.ref(`endpoint.${column}`)}), 1, 100)`

/** From which endpoints a list takes its rows: those that were found, else in the order of an index. */
function source(db: Db, choice: EndpointChoice, index?: string): RawBuilder<unknown> {
  const { words, filters } = choice
  const found = isPostgres(db) ? words : words.filter(isIndexed)
  const short = isPostgres(db) ? [] : words.filter((word) => !isIndexed(word)).map(holdsShort)
  const others = [...filters, ...short]
  if (found.length === 0)
    return sql`from ${index ? readByIndex(db, 'endpoint', index) : sql`endpoint`} ${where(others)}`
  // SQLite's index yields hits in the order of the ids. Endpoints are read where something else is asked.
  const joined =
    isAlone(db, choice) && !index
      ? sql``
      : sql`${sql.raw(isPostgres(db) ? 'join' : 'cross join')} endpoint on endpoint.id = ${hitId(db)}`
  return sql`from endpoint_search as hit ${joined} ${where([hits(db, found), ...others])}`
}

const hitId = (db: Db) => sql.ref(isPostgres(db) ? 'hit.id' : 'hit.rowid')

const where = (conditions: readonly Condition[]) =>
  conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`

/** For the table of the index under the name `hit`. */
function hits(db: Db, words: readonly string[]): Condition {
  if (isPostgres(db))
    return sql`(${sql.join(
      words.map((word) => sql`hit.text like ${`%${literally(word.toLowerCase())}%`}`),
      sql` and `,
    )})`
  // Inside quotes, a doubled quote is the only escape.
  const phrases = words.map((word) => `"${word.replaceAll('"', '""')}"`)
  return sql`endpoint_search match ${phrases.join(' AND ')}`
}

/** True for endpoints that hold every word, as a condition beside others. */
export function holdsWords(db: Db, words: readonly string[]): Condition {
  const found = isPostgres(db) ? words : words.filter(isIndexed)
  const others = isPostgres(db) ? [] : words.filter((word) => !isIndexed(word)).map(holdsShort)
  const inIndex = sql<SqlBool>`endpoint.id in (select ${hitId(db)} from endpoint_search as hit where ${hits(db, found)})`
  return sql`(${sql.join([...(found.length > 0 ? [inIndex] : []), ...others], sql` and `)})`
}

/** For SQLite, where one or two characters have no trigram. Its LIKE makes no difference between letters' cases. */
function holdsShort(word: string): Condition {
  const pattern = `%${literally(word)}%`
  const holds = (column: string) => sql`${sql.ref(column)} like ${pattern} escape '\\'`
  return sql`(${holds('endpoint.description')} or ${holds('endpoint.summary')} or ${holds('endpoint.path')}
    or endpoint.api_id in (select api.id from api where ${holds('api.name')}))`
}

/** `%` and `_` are no wildcards. */
const literally = (text: string) => text.replace(/[\\%_]/g, '\\$&')
