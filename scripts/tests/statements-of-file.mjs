// A set-up file of the suite `server` in the whole gate: notes which statements a test file has SQLite prepare, and
// which of them SQLite refuses. `one-database-reporter.mjs` compares the files.

import { DatabaseSync, StatementSync } from 'node:sqlite'
import { afterAll, beforeAll } from 'vitest'
import { statementKeys } from './statement-keys.mjs'

/** SQLITE_CONSTRAINT, the low byte of all its kinds. */
const constraintViolated = 19

/** Of the file that runs: the files of the suite share processes, and each loads this module again. */
const shared = /** @type {{ gatehouseStatements?: Set<string> }} */ (globalThis)
shared.gatehouseStatements ??= watchStatements()
const noted = shared.gatehouseStatements

/** @returns {Set<string>} what has been seen so far */
function watchStatements() {
  /** @type {Set<string>} */
  const seen = new Set()
  /** @type {typeof DatabaseSync.prototype.prepare} */
  const prepare = Reflect.get(DatabaseSync.prototype, 'prepare')
  DatabaseSync.prototype.prepare = function (sql, ...rest) {
    seen.add(sql)
    return prepare.call(this, sql, ...rest)
  }
  for (const name of /** @type {const} */ (['run', 'all', 'get', 'iterate'])) {
    const execute = /** @type {(...values: unknown[]) => any} */ (StatementSync.prototype[name])
    /** @this {StatementSync} @param {unknown[]} values */
    StatementSync.prototype[name] = function (...values) {
      try {
        return execute.apply(this, values)
      } catch (error) {
        // Another database refuses with another error. Only a file is ever busy, and not each time.
        const { errcode = 0 } = /** @type {{ errcode?: number }} */ (error)
        if (errcode % 256 === constraintViolated) seen.add(`-- refused: ${this.sourceSQL}`)
        throw error
      }
    }
  }
  return seen
}

beforeAll(() => noted.clear())
// oxlint-disable-next-line no-empty-pattern -- it reads the names of the first argument
afterAll(({}, file) => {
  Object.assign(file.meta, { statements: [...new Set([...noted].flatMap(statementKeys))] })
})
