import { join } from 'node:path'
import { Kysely, SqliteDialect } from 'kysely'
import pg from 'pg'
import { PooledDialect } from './pooled-dialect.ts'
import { openSqlite } from './sqlite-database.ts'
import type { Database } from './tables.ts'

export type Db = Kysely<Database>

/**
 * `file`: SQLite in that folder; `memory`: SQLite for one test, with the content of a file or empty;
 * `postgres`: a connection string.
 */
export type DatabaseSource =
  | { kind: 'file'; folder: string }
  | { kind: 'memory'; content?: Uint8Array }
  | { kind: 'postgres'; url: string; schema?: string }

/** PostgreSQL where an address is set, otherwise a file in the folder. */
export const sourceOf = (databaseUrl: string | undefined, folder: string): DatabaseSource =>
  databaseUrl ? { kind: 'postgres', url: databaseUrl } : { kind: 'file', folder }

const int8 = 20
// Counts and ids come back as numbers on both databases; ours stay below 2^53.
pg.types.setTypeParser(int8, Number)

/** Where SQLite keeps the database. */
export const databaseFile = (folder: string): string => join(folder, 'gatehouse.sqlite')

/** To PostgreSQL at most, of each server; one more listens for changes of the configuration. */
const postgresConnections = 10

// By default PostgreSQL expects spinning disks (4). It then scans a whole table of wide rows although
// an index could answer. A value that the operator has set is kept.
const lowerRandomPageCost = `select set_config('random_page_cost', '1.1', false)
  where current_setting('random_page_cost') = '4'`

/** Connects lazily for PostgreSQL, at once for SQLite. The caller ends it with `db.destroy()`. */
export function connect(source: DatabaseSource): Db {
  if (source.kind === 'postgres') {
    const pool = new pg.Pool({
      connectionString: source.url,
      max: postgresConnections,
      connectionTimeoutMillis: 10_000,
      statement_timeout: 30_000,
      ...(source.schema ? { options: `-c search_path=${source.schema}` } : {}),
    })
    // A connection that breaks while idle is replaced by the pool; without a listener it would end the process.
    pool.on('error', () => {})
    // The same holds for one that breaks between two statements of a transaction; the next statement fails.
    pool.on('connect', (client) => {
      client.on('error', () => {})
      // It goes out before the first statement; where it fails, that one fails too.
      client.query(lowerRandomPageCost).catch(() => {})
    })
    return new Kysely<Database>({ dialect: new PooledDialect(pool) })
  }
  const database =
    source.kind === 'memory'
      ? openSqlite(':memory:', source.content)
      : openSqlite(databaseFile(source.folder))
  return new Kysely<Database>({ dialect: new SqliteDialect({ database }) })
}
