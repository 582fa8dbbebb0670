import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { readImports } from '../checks/import-graph.mjs'
import { root } from '../lib/places.mjs'

const drivers = ['npm:kysely', 'npm:pg', 'node:sqlite']

/** The first line of a test whose results no database decides; `one-database-reporter.mjs` holds it against that. */
const head = '// Databases: SQLite.'

/**
 * The test files of the server that say so, and those that reach no database.
 *
 * @returns {string[]} relative to the repository
 */
export function testsOnSqliteAlone() {
  const tests = globSync('apps/server/**/*.test.ts', {
    cwd: root,
    exclude: (name) => name.endsWith('node_modules'),
  }).map((file) => file.replaceAll('\\', '/'))
  const saying = tests.filter((file) =>
    readFileSync(path.join(root, file), 'utf8').startsWith(head),
  )
  return [...new Set([...saying, ...testsWithoutDatabase()])]
}

/**
 * The test files of the server from which no import leads to a driver of a database: a second run on another
 * database would prove what the first has proved.
 *
 * @returns {string[]} relative to the repository
 */
export function testsWithoutDatabase() {
  const files = globSync('apps/server/{src,test}/**/*.ts', { cwd: root }).map((file) =>
    file.replaceAll('\\', '/'),
  )
  const imports = readImports(root, files).filter(({ isType }) => !isType)
  return withoutDatabase(files, imports)
}

/**
 * @param {readonly string[]} files
 * @param {readonly Pick<import('../checks/import-graph.mjs').Import, 'from' | 'to'>[]} imports
 * @returns {string[]} those of the files that are tests and reach no driver
 */
export function withoutDatabase(files, imports) {
  const byFile = Map.groupBy(imports, ({ from }) => from)
  /** @param {string} test */
  const reachesDriver = (test) => {
    const seen = new Set([test])
    for (const file of seen) for (const { to } of byFile.get(file) ?? []) seen.add(to)
    return drivers.some((driver) => seen.has(driver))
  }
  return files.filter((file) => file.endsWith('.test.ts') && !reachesDriver(file))
}
