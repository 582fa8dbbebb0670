import { PostgresAdapter, PostgresDialect } from 'kysely'
import type { ConnectionPool } from './connection-pool.ts'

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
