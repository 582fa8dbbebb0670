import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import type { SqliteDatabase, SqliteStatement } from 'kysely'
import { markDatabaseError } from './outages/database-away.ts'

/** How many prepared statements are kept; list queries with their filters make a few dozen. */
const statementsKept = 200

/**
 * Opens a SQLite file (or `:memory:`) as Kysely's SQLite dialect expects it. WAL with
 * `synchronous=FULL`: what was committed survives a crash of the process and of the machine.
 * `content`: the bytes of a SQLite file, which a database in memory begins with.
 */
export function openSqlite(path: string, content?: Uint8Array): SqliteDatabase {
  const database = new DatabaseSync(path)
  if (content) database.deserialize(content)
  database.exec(`
    pragma journal_mode = wal;
    pragma synchronous = full;
    pragma foreign_keys = on;
    pragma busy_timeout = 5000;
    pragma trusted_schema = off;
  `)
  const statements = new Map<string, SqliteStatement>()
  return {
    prepare(sql) {
      if (sql === 'rollback') return rollbackOf(database)
      const known = statements.get(sql)
      if (known) return known
      const statement = toKyselyStatement(marking(() => database.prepare(sql)))
      // Schema changes run once; keeping their statements would keep their locks.
      if (/^\s*(select|insert|update|delete|with|begin|commit|savepoint|release)/i.test(sql)) {
        if (statements.size >= statementsKept)
          statements.delete(statements.keys().next().value ?? '')
        statements.set(sql, statement)
      }
      return statement
    },
    close() {
      statements.clear()
      database.close()
    },
  }
}

/**
 * When the disk is full, SQLite ends the transaction itself. A second ROLLBACK would fail, and its error
 * would hide the reason.
 */
function rollbackOf(database: DatabaseSync): SqliteStatement {
  const statement = toKyselyStatement(database.prepare('rollback'))
  const nothing = { changes: 0, lastInsertRowid: 0 }
  return {
    ...statement,
    run: (parameters) => (database.isTransaction ? statement.run(parameters) : nothing),
  }
}

function toKyselyStatement(statement: StatementSync): SqliteStatement {
  const values = (parameters: readonly unknown[]) => parameters as SQLInputValue[]
  const reader = statement.columns().length > 0
  // After a delete from a full-text index, SQLite may report the id of a row of the index, beyond 2^53.
  if (!reader) statement.setReadBigInts(true)
  return {
    reader,
    all: (parameters) => marking(() => statement.all(...values(parameters))),
    run: (parameters) => marking(() => statement.run(...values(parameters))),
    iterate: (parameters) => statement.iterate(...values(parameters)) as IterableIterator<unknown>,
  }
}

function marking<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw markDatabaseError(error)
  }
}
