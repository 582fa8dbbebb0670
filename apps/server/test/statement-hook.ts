import { DatabaseSync, StatementSync } from 'node:sqlite'

type Methods = Record<string, (...args: unknown[]) => unknown>

/** Calls `before` before each statement that SQLite executes in this thread. Returns what ends that. */
export function onStatement(before: () => void): () => void {
  const ends = [
    wrap(DatabaseSync.prototype, ['exec'], before),
    wrap(StatementSync.prototype, ['run', 'all', 'get', 'iterate'], before),
  ]
  return () => {
    for (const end of ends) end()
  }
}

function wrap(prototype: object, names: readonly string[], before: () => void): () => void {
  const methods = prototype as Methods
  const originals = Object.fromEntries(names.map((name) => [name, methods[name]!]))
  for (const [name, original] of Object.entries(originals))
    methods[name] = function (this: unknown, ...args: unknown[]) {
      before()
      return original.apply(this, args)
    }
  return () => void Object.assign(methods, originals)
}
