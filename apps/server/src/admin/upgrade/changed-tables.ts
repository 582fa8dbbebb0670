import type { KyselyPlugin } from 'kysely'
import type { Db } from '../../db/connect.ts'

const changes = [
  /\b(?:insert\s+(?:or\s+\w+\s+)?into|delete\s+from|alter\s+table|drop\s+table)\s+"?(\w+)"?/gi,
  /\bupdate\s+"?(\w+)"?\s+(?:as\s+\w+\s+)?set\b/gi,
  /\bcreate\s+(?:unique\s+)?index\s[^(]*?\bon\s+"?(\w+)"?/gi,
]

/** The tables that a statement changes or reads whole for an index. */
export const tablesChangedBy = (text: string): string[] =>
  changes.flatMap((pattern) => [...text.matchAll(pattern)].map(([, name = '']) => name))

/** The same database, which tells the tables that each statement changes before it is carried out. */
export function tellingChanges(db: Db, tell: (table: string) => void): Db {
  const plugin: KyselyPlugin = {
    transformQuery: ({ node, queryId }) => {
      const { sql } = db.getExecutor().compileQuery(node, queryId)
      for (const table of tablesChangedBy(sql)) tell(table)
      return node
    },
    transformResult: ({ result }) => Promise.resolve(result),
  }
  return db.withPlugin(plugin)
}
