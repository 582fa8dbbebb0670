import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { DatabaseSync, StatementSync } from 'node:sqlite'

type Methods = Record<string, (...args: unknown[]) => unknown>

/**
 * Calls `before` before each statement that SQLite executes in this thread, and before a file gets a name, another
 * name or none. Returns what ends that.
 */
export function onStatement(before: () => void): () => void {
  const ends = [
    wrap(DatabaseSync.prototype, ['exec'], before),
    wrap(StatementSync.prototype, ['run', 'all', 'get', 'iterate'], before),
    wrap(fs, ['renameSync', 'rmSync', 'linkSync'], before),
    wrap(fs.promises, ['rename', 'rm', 'link', 'mkdtemp'], before),
  ]
  // For those who import the functions by their names.
  syncBuiltinESMExports()
  return () => {
    for (const end of ends) end()
    syncBuiltinESMExports()
  }
}

function wrap(holder: object, names: readonly string[], before: () => void): () => void {
  const methods = holder as Methods
  const originals = Object.fromEntries(names.map((name) => [name, methods[name]!]))
  for (const [name, original] of Object.entries(originals))
    methods[name] = function (this: unknown, ...args: unknown[]) {
      before()
      return original.apply(this, args)
    }
  return () => void Object.assign(methods, originals)
}
