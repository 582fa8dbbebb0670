import { Kysely, SqliteDialect } from 'kysely'
import pg from 'pg'
import { ConnectionPool } from './postgres/connection-pool.ts'
import { PooledDialect } from './postgres/pooled-dialect.ts'
import { readPostgresAddress } from './postgres/postgres-hosts.ts'
import { postgresTimeouts } from './postgres/postgres-timeouts.ts'
import { openSqlite } from './sqlite-database.ts'
import { connectToFile, databaseFile } from './sqlite-file.ts'
import type { Database } from './tables.ts'

export type Db = Kysely<Database>

/**
 * `file`: SQLite in that folder; `memory`: SQLite for one test, with the content of a file or empty;
 * `postgres`: a connection string.
 */
export type DatabaseSource =
  | { kind: 'file'; folder: string }
  | { kind: 'memory'; content?: Uint8Array }
  | { kind: 'postgres'; url: string; schema?: string; connections?: number }

/** PostgreSQL where an address is set, otherwise a file in the folder. */
export const sourceOf = (
  databaseUrl: string | undefined,
  folder: string,
  connections?: number,
): DatabaseSource =>
  databaseUrl
    ? { kind: 'postgres', url: databaseUrl, ...(connections ? { connections } : {}) }
    : { kind: 'file', folder }

const int8 = 20
// Counts and ids come back as numbers on both databases; ours stay below 2^53.
pg.types.setTypeParser(int8, Number)

export { databaseFile }

/** To PostgreSQL at most, of each server, unless it is set; one more listens for changes. */
const connectionsDefault = 10
/** Calls that may wait for each connection. */
const waitingPerConnection = 50
const idleMs = 10_000

/** Connects lazily for PostgreSQL, at once for SQLite. The caller ends it with `db.destroy()`. */
export function connect(source: DatabaseSource): Db {
  if (source.kind === 'postgres')
    return new Kysely<Database>({ dialect: new PooledDialect(openPool(source)) })
  if (source.kind === 'file') return connectToFile(source.folder)
  const database = openSqlite(':memory:', source.content)
  return new Kysely<Database>({ dialect: new SqliteDialect({ database }) })
}

function openPool(source: DatabaseSource & { kind: 'postgres' }): ConnectionPool {
  const { url, schema, connections: size = connectionsDefault } = source
  const address = readPostgresAddress(url)
  if (!address) throw new Error('The address of the database can’t be read.')
  const bounds = { size, waitingMax: size * waitingPerConnection, idleMs }
  return new ConnectionPool({ ...address, schema }, { ...bounds, waitMs: postgresTimeouts.waitMs })
}
