import { sql } from 'kysely'
import type { RowReader } from '../reading/row-reader.ts'

/** How many statements a connection keeps prepared. The ledger and the checks of callers use some forty. */
const keptMax = 200
/** Longer ones, as inserts of many rows, are hardly ever repeated; BEGIN and COMMIT are parsed at once. */
const characters = { min: 10, max: 8_000 }

const planMark = '/* planned for its values */'

/**
 * Comes first in a statement whose best plan depends on its values, as on how many rows hold a text. PostgreSQL
 * plans a prepared statement once for all values.
 */
export const plannedForItsValues = sql.raw(planMark)

/** What one connection knows of a statement. */
export interface PreparedStatement {
  /** The name to use it by; empty: it is parsed for this one time. */
  name: string
  /** Reads its rows. Undefined until PostgreSQL has described them. */
  reader?: RowReader
}

/** Counts the changes of tables that have made plans useless, on all connections of this process. */
let generation = 0

/** The names of the statements that one connection to PostgreSQL has parsed and planned. */
export class PreparedStatements {
  readonly #known = new Map<string, PreparedStatement>()
  readonly #seen = new Set<string>()
  #generation = generation
  #last = 0

  /** A new statement has to be parsed first. */
  use(text: string): { statement: PreparedStatement; isNew: boolean } {
    if (this.#generation !== generation) {
      this.#known.clear()
      this.#generation = generation
    }
    const known = this.#known.get(text)
    if (known) return { statement: known, isNew: false }
    // What is used a second time is worth the memory on the other side.
    const { length } = text
    const isKept =
      this.#seen.has(text) &&
      this.#known.size < keptMax &&
      length >= characters.min &&
      length <= characters.max &&
      !text.startsWith(planMark)
    if (!isKept) {
      if (this.#seen.size < keptMax * 10) this.#seen.add(text)
      return { statement: { name: '' }, isNew: true }
    }
    const statement = { name: `gatehouse_${++this.#last}` }
    this.#known.set(text, statement)
    return { statement, isNew: true }
  }

  /** These were to be parsed when the error came. Whether they were is not certain: they get new names. */
  forget(statements: readonly string[], error: Error): void {
    if (isStalePlan(error)) generation++
    for (const sql of statements) this.#known.delete(sql)
  }
}

/** True where a table has changed since a statement was prepared, as while a newer server starts. */
export const isStalePlan = (error: Error): boolean =>
  'code' in error && error.code === '0A000' && error.message.startsWith('cached plan')
