import type { Kysely } from 'kysely'
import { key, oneFor, ownedBy, required } from '../src/db/columns.ts'

/** Accounts of PostgreSQL for gateways that run alone, and what they read: the configuration and tokens of authorities, sealed with the key of the account. They read nothing else. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('gateway_account')
    // As PostgreSQL knows it.
    .addColumn('name', 'text', key)
    // The key that its gateways have, sealed with the key of the control plane.
    .addColumn('key_encrypted', 'text', required)
    .addColumn('created_at', 'text', required)
    .execute()
  await db.schema
    .createTable('gateway_config')
    .addColumn('account', 'text', oneFor('gateway_account.name'))
    .addColumn('revision', 'integer', required)
    .addColumn('mark', 'text', required)
    .addColumn('sealed', 'text', required)
    .addColumn('written_at', 'text', required)
    .execute()
  await db.schema
    .createTable('gateway_token')
    .addColumn('account', 'text', ownedBy('gateway_account.name'))
    .addColumn('api_id', 'integer', ownedBy('api.id'))
    .addColumn('version', 'integer', required)
    .addColumn('sealed', 'text', required)
    .addPrimaryKeyConstraint('gateway_token_key', ['account', 'api_id'])
    .execute()
}
