import {
  CompiledQuery,
  Kysely,
  PostgresAdapter,
  PostgresQueryCompiler,
  SqliteQueryCompiler,
  type DatabaseConnection,
  type Driver,
} from 'kysely'
import { allOf } from '../all-of.ts'
import { BatchedConnection } from '../postgres/batched-connection.ts'
import { CommitGroup } from './commit-group.ts'
import type { Db } from '../connect.ts'
import type { ConnectionPool } from '../postgres/connection-pool.ts'
import { databaseTroubleOf } from '../outages/database-away.ts'
import { noteLost } from './repeat-on-conflict.ts'
import { PooledAdapter } from '../postgres/pooled-dialect.ts'
import { OwnConnectionAdapter, SingleConnection } from '../postgres/single-connection.ts'
import type { Database } from '../tables.ts'

/** A transaction's database, and the writes that its commit waits for. */
export interface OpenTransaction {
  db: Db
  /**
   * Hands over a write whose result nothing needs: the commit waits for it, and fails where it
   * fails. It is one statement. On PostgreSQL it shares the round trip of the commit.
   */
  withCommit: (write: Promise<unknown>) => void
}

type Work<T> = (open: OpenTransaction) => Promise<T>

/**
 * Commits all that the work has written, or nothing. On PostgreSQL, statements that do not wait for
 * each other share a round trip, in the order of the calls. On SQLite, works with `sharesCommit`
 * that wait at the same time share one write to the disk; on PostgreSQL the database does so itself.
 * `isChange`: it may wait for other transactions, and takes no connection that reads and runs need.
 */
export function transact<T>(
  db: Db,
  work: Work<T>,
  { sharesCommit = false, isChange = false } = {},
): Promise<T> {
  const { adapter } = db.getExecutor()
  if (adapter instanceof PooledAdapter) return transactInBatches(db, adapter.pool, work, isChange)
  if (!sharesCommit) return transactOnOne(db, work)
  const group = groups.get(adapter) ?? new CommitGroup(db.getExecutor())
  groups.set(adapter, group)
  return group.add((connection) => onConnection(connection, work))
}

/** By the database that they commit to. */
const groups = new WeakMap<object, CommitGroup>()

/**
 * Reads on one connection, without a transaction: on PostgreSQL, reads that do not wait for each
 * other share a round trip. Each sees what is committed when it begins.
 */
export async function readTogether<T>(db: Db, work: (db: Db) => Promise<T>): Promise<T> {
  const { adapter } = db.getExecutor()
  if (!(adapter instanceof PooledAdapter)) return work(db)
  const client = await adapter.pool.connect()
  const connection = new BatchedConnection(client, { isTransaction: false })
  try {
    return await work(boundTo(connection))
  } finally {
    // Where the work has failed, others of its reads may still be under way.
    await connection.rest()
    client.release()
  }
}

async function transactInBatches<T>(
  db: Db,
  pool: ConnectionPool,
  work: Work<T>,
  isChange: boolean,
): Promise<T> {
  const client = await pool.connect({ isChange })
  let isBroken = false
  try {
    const connection = new BatchedConnection(client)
    const writes = new Writes()
    try {
      const result = await work({ db: boundTo(connection), withCommit: writes.add })
      // A write that failed says more than the commit that failed for it.
      await allOf([writes.all(), connection.commit()])
      return result
    } catch (thrown) {
      // PostgreSQL ended it while nothing was under way: that says more than the statement that failed then.
      const error = client.fault ?? thrown
      if (connection.isUncommitted && databaseTroubleOf(error) === 'away') noteLost(error)
      if (isReadOnly(error)) pool.leaveReadOnly()
      await connection.rollback().catch(() => (isBroken = true))
      throw error
    }
  } finally {
    client.release(isBroken)
  }
}

/** read_only_sql_transaction: this server became a standby, or was made read only. */
const isReadOnly = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === '25006'

function transactOnOne<T>(db: Db, work: Work<T>): Promise<T> {
  return db.getExecutor().provideConnection(async (connection) => {
    await connection.executeQuery(CompiledQuery.raw('begin'))
    try {
      const result = await onConnection(connection, work)
      await connection.executeQuery(CompiledQuery.raw('commit'))
      return result
    } catch (error) {
      await connection.executeQuery(CompiledQuery.raw('rollback'))
      throw error
    }
  })
}

/** Does the work with all of its writes; no statement of it comes later. */
async function onConnection<T>(shared: DatabaseConnection, work: Work<T>): Promise<T> {
  const connection = new SingleConnection(shared)
  const writes = new Writes()
  try {
    const result = await work({ db: boundTo(connection), withCommit: writes.add })
    await writes.all()
    return result
  } finally {
    connection.end()
  }
}

/**
 * The database on this connection alone. Each statement reaches the connection within its call: in the order of the
 * calls, and without what Kysely does to find a connection, which is a twentieth of a run.
 */
function boundTo(connection: DatabaseConnection): Db {
  const isBatched = connection instanceof BatchedConnection
  const dialect = {
    createAdapter: () => (isBatched ? new PostgresAdapter() : new OwnConnectionAdapter()),
    createDriver: (): Driver => ({
      init: async () => {},
      acquireConnection: async () => connection,
      releaseConnection: async () => {},
      beginTransaction: refuse,
      commitTransaction: refuse,
      rollbackTransaction: refuse,
      destroy: async () => {},
    }),
    createIntrospector: refuse,
    createQueryCompiler: () =>
      isBatched ? new PostgresQueryCompiler() : new SqliteQueryCompiler(),
  }
  const bound = new Kysely<Database>({ dialect })
  Object.assign(bound.getExecutor(), {
    executeQuery: (query: CompiledQuery) => connection.executeQuery(query),
  })
  return bound
}

const refuse = (): never => {
  throw new Error('This is not possible inside a transaction.')
}

class Writes {
  readonly #writes: Promise<unknown>[] = []

  readonly add = (write: Promise<unknown>): void => {
    // It is awaited at the commit; a failure before must not count as unhandled.
    write.catch(() => {})
    this.#writes.push(write)
  }

  async all(): Promise<void> {
    await allOf(this.#writes)
  }
}
