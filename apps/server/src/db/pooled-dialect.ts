import { PostgresAdapter, PostgresDialect } from 'kysely'
import type { Pool } from 'pg'

/** The adapter that shows which pool a database's connections come from. */
export class PooledAdapter extends PostgresAdapter {
  readonly pool: Pool

  constructor(pool: Pool) {
    super()
    this.pool = pool
  }
}

export class PooledDialect extends PostgresDialect {
  readonly #pool: Pool

  constructor(pool: Pool) {
    super({ pool })
    this.#pool = pool
  }

  override createAdapter(): PooledAdapter {
    return new PooledAdapter(this.#pool)
  }
}
