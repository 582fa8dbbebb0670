import type { Kysely } from 'kysely'

/** How often a token with a quota was used, per day in UTC. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('token_usage')
    .addColumn('token_id', 'integer', (column) =>
      column.notNull().references('personal_token.id').onDelete('cascade'),
    )
    // Like 2026-11-23.
    .addColumn('day', 'text', (column) => column.notNull())
    .addColumn('requests', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('token_usage_key', ['token_id', 'day'])
    .execute()
  // What other servers have counted lately.
  await db.schema.createIndex('token_usage_new').on('token_usage').column('updated_at').execute()
  await db.schema.createIndex('token_usage_day').on('token_usage').column('day').execute()
}
