import type { Kysely } from 'kysely'

/**
 * Accounts of PostgreSQL for gateways that run alone, and what they read: the configuration and tokens of
 * authorities, sealed with the key of the account. They read nothing else.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('gateway_account')
    // As PostgreSQL knows it.
    .addColumn('name', 'text', (column) => column.primaryKey())
    // The key that its gateways have, sealed with the key of the control plane.
    .addColumn('key_encrypted', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('gateway_config')
    .addColumn('account', 'text', (column) =>
      column.primaryKey().references('gateway_account.name').onDelete('cascade'),
    )
    .addColumn('revision', 'integer', (column) => column.notNull())
    .addColumn('mark', 'text', (column) => column.notNull())
    .addColumn('sealed', 'text', (column) => column.notNull())
    .addColumn('written_at', 'text', (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('gateway_token')
    .addColumn('account', 'text', (column) =>
      column.notNull().references('gateway_account.name').onDelete('cascade'),
    )
    .addColumn('api_id', 'integer', (column) =>
      column.notNull().references('api.id').onDelete('cascade'),
    )
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('sealed', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('gateway_token_key', ['account', 'api_id'])
    .execute()
}
