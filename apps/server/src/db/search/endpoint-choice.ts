import { methods } from '@gatehouse/contract'
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { Db } from '../connect.ts'
import { isPostgres } from '../dialect.ts'
import { contains } from '../listing.ts'
import { isIndexed } from './trigrams.ts'

export type Condition = RawBuilder<SqlBool>

export interface EndpointChoice {
  /** Every word has to be in the description, the summary, the path or the name of the API. Case does not count. */
  words: readonly string[]
  /** They name the columns with their table, `endpoint`: `id`, `api_id`, `status` and `method_type`. */
  filters: readonly Condition[]
}

export const wordsOf = (search: string): string[] => [
  ...new Set(search.split(/\s+/).filter((word) => word !== '')),
]

/** The words of a search, where a word may be the method of an endpoint too. */
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

export const conditionsOf = (db: Db, { words, filters }: EndpointChoice): readonly Condition[] =>
  words.length === 0 ? filters : [...filters, holdsWords(db, words)]

export const where = (conditions: readonly Condition[]) =>
  conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`

/** True for endpoints that hold every word, as a condition beside others. */
function holdsWords(db: Db, words: readonly string[]): Condition {
  if (isPostgres(db))
    return allOfThem(words.map((word) => holds('endpoint.text', word.toLowerCase())))
  const found = words.filter(isIndexed)
  const inIndex = sql<SqlBool>`endpoint.id in (select hit.rowid from endpoint_search as hit where ${matches(found)})`
  return allOfThem([...(found.length > 0 ? [inIndex] : []), ...shortOnes(words)])
}

/** True for endpoints whose summary holds the whole text. Case does not count. */
export const isNamed = (db: Db, text: string): Condition =>
  isPostgres(db)
    ? holds('endpoint.summary', text.toLowerCase())
    : contains(text, ['endpoint.summary'])

/** For SQLite's index, under the name `hit`. */
export function matches(words: readonly string[]): Condition {
  // Inside quotes, a doubled quote is the only escape.
  const phrases = words.map((word) => `"${word.replaceAll('"', '""')}"`)
  return sql`endpoint_search match ${phrases.join(' AND ')}`
}

/**
 * For SQLite, where words of one or two characters have no trigram. Its LIKE makes no difference between letters'
 * cases.
 */
export const shortOnes = (words: readonly string[]): Condition[] =>
  words
    .filter((word) => !isIndexed(word))
    .map(
      (word) => sql`(${holds('endpoint.description', word)} or ${holds('endpoint.summary', word)}
        or ${holds('endpoint.path', word)}
        or endpoint.api_id in (select api.id from api where ${holds('api.name', word)}))`,
    )

/** True where the column holds the text at any place; `%` and `_` are no wildcards. */
const holds = (column: string, text: string): Condition =>
  sql`${sql.ref(column)} like ${`%${text.replace(/[\\%_]/g, '\\$&')}%`} escape '\\'`

const allOfThem = (conditions: readonly Condition[]): Condition =>
  sql`(${sql.join(conditions, sql` and `)})`
