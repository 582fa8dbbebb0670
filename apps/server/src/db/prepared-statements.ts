/** How many statements a connection keeps prepared. The ledger and the checks of callers use some forty. */
const keptMax = 200
/** Longer ones, as inserts of many rows, are hardly ever repeated; BEGIN and COMMIT are parsed at once. */
const characters = { min: 10, max: 8_000 }

/** Counts the changes of tables that have made plans useless, on all connections of this process. */
let generation = 0

/** The names of the statements that one connection to PostgreSQL has parsed and planned. */
export class PreparedStatements {
  readonly #names = new Map<string, string>()
  readonly #seen = new Set<string>()
  #generation = generation
  #last = 0

  /** The name to use it by; an empty one prepares nothing. A new one has to be parsed first. */
  use(sql: string): { name: string; isNew: boolean } {
    if (this.#generation !== generation) {
      this.#names.clear()
      this.#generation = generation
    }
    const known = this.#names.get(sql)
    if (known !== undefined) return { name: known, isNew: false }
    // What is used a second time is worth the memory on the other side.
    const { length } = sql
    const isKept =
      this.#seen.has(sql) &&
      this.#names.size < keptMax &&
      length >= characters.min &&
      length <= characters.max
    if (!isKept) {
      if (this.#seen.size < keptMax * 10) this.#seen.add(sql)
      return { name: '', isNew: true }
    }
    const name = `gatehouse_${++this.#last}`
    this.#names.set(sql, name)
    return { name, isNew: true }
  }

  /** These were to be parsed when the error came. Whether they were is not certain: they get new names. */
  forget(statements: readonly string[], error: Error): void {
    if (isStalePlan(error)) generation++
    for (const sql of statements) this.#names.delete(sql)
  }
}

/** True where a table has changed since a statement was prepared, as while a newer server starts. */
export const isStalePlan = (error: Error): boolean =>
  'code' in error && error.code === '0A000' && error.message.startsWith('cached plan')
