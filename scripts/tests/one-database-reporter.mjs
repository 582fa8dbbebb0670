import { testsOnSqliteAlone } from './without-database.mjs'

/**
 * In the whole gate: fails it where a statement that databases may understand differently runs on SQLite alone,
 * because each file that has it says so.
 *
 * @type {new () => import('vitest/node').Reporter}
 */
export default class OneDatabaseReporter {
  /** @param {readonly import('vitest/node').TestModule[]} modules */
  onTestRunEnd(modules) {
    const files = modules
      .filter(({ project }) => project.name === 'server')
      .map((module) => ({
        file: module.relativeModuleId,
        statements: /** @type {{ statements?: string[] }} */ (module.meta()).statements ?? [],
      }))
    const alone = statementsOnOneDatabase(files, new Set(testsOnSqliteAlone()))
    if (alone.length === 0) return
    process.exitCode = 1
    console.error('These statements run on SQLite alone. Take "Databases: SQLite" out of a file:')
    for (const { file, statement } of alone) console.error(`  ${file}: ${statement}`)
  }
}

/**
 * @param {readonly { file: string, statements: readonly string[] }[]} files
 * @param {ReadonlySet<string>} onSqliteAlone which of them
 * @returns {{ file: string, statement: string }[]} what no other file has
 */
export function statementsOnOneDatabase(files, onSqliteAlone) {
  const onBoth = new Set(
    files.filter(({ file }) => !onSqliteAlone.has(file)).flatMap(({ statements }) => statements),
  )
  return files
    .filter(({ file }) => onSqliteAlone.has(file))
    .flatMap(({ file, statements }) =>
      statements.filter((each) => !onBoth.has(each)).map((statement) => ({ file, statement })),
    )
}
