import { PostgresAdapter, PostgresDialect, type Kysely } from 'kysely'
import type { ConnectionPool } from './connection-pool.ts'
import type { DatabaseReach } from '../outages/database-reach.ts'

/** The adapter that shows which pool a database's connections come from. */
export class PooledAdapter extends PostgresAdapter {
  readonly pool: ConnectionPool

  constructor(pool: ConnectionPool) {
    super()
    this.pool = pool
  }
}

export class PooledDialect extends PostgresDialect {
  readonly #pool: ConnectionPool

  constructor(pool: ConnectionPool) {
    super({ pool })
    this.#pool = pool
  }

  override createAdapter(): PooledAdapter {
    return new PooledAdapter(this.#pool)
  }
}

/** The database was away: what has been silent since is cut, and the rest is replaced when it is free. */
export function renewConnections<T>(db: Kysely<T>): void {
  const { adapter } = db.getExecutor()
  if (adapter instanceof PooledAdapter) adapter.pool.renew()
}

/** Whether the database can be reached; SQLite, which is in this process, always can. */
export function reachOf<T>(db: Kysely<T>): DatabaseReach | undefined {
  const { adapter } = db.getExecutor()
  return adapter instanceof PooledAdapter ? adapter.pool.reach : undefined
}
