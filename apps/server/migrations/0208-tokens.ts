import type { Kysely } from 'kysely'
import { byDefault, createIndexes, idColumn, ownedBy, required, unique } from '../src/db/columns.ts'

/** Personal tokens for the gateway, how often they were used, and tokens with which programs call the admin API. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createPersonalToken(db)
  await createTokenUsage(db)
  await createAdminToken(db)
}

async function createPersonalToken(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('personal_token')
    .addColumn('id', ...idColumn(db))
    .addColumn('user_id', 'integer', ownedBy('user.id'))
    .addColumn('name', 'text', required)
    .addColumn('token_hash', 'text', unique)
    .addColumn('ending', 'text', required)
    // Without a foreign key: the token outlives the account that made it.
    .addColumn('created_by_id', 'integer', required)
    .addColumn('created_by_name', 'text', required)
    .addColumn('created_at', 'text', required)
    .addColumn('expires_at', 'text', required)
    .addColumn('last_used_at', 'text')
    .addColumn('revoked_at', 'text')
    .addColumn('limits', 'text')
    .addColumn('signing_secret', 'text')
    .addColumn('signing_since', 'text')
    .addColumn('version', 'integer', byDefault(1))
    .execute()
  await createIndexes(db, 'personal_token', {
    personal_token_user: ['user_id'],
  })
}

async function createTokenUsage(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('token_usage')
    .addColumn('token_id', 'integer', ownedBy('personal_token.id'))
    // Like 2026-11-23.
    .addColumn('day', 'text', required)
    .addColumn('requests', 'bigint', required)
    .addColumn('updated_at', 'text', required)
    .addPrimaryKeyConstraint('token_usage_key', ['token_id', 'day'])
    .execute()
  await createIndexes(db, 'token_usage', {
    token_usage_new: ['updated_at'],
    token_usage_day: ['day'],
  })
}

async function createAdminToken(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('admin_token')
    .addColumn('id', ...idColumn(db))
    .addColumn('user_id', 'integer', ownedBy('user.id'))
    .addColumn('name', 'text', required)
    // SHA-256 of the token, in hex: the token itself is stored nowhere.
    .addColumn('token_hash', 'text', unique)
    .addColumn('ending', 'text', required)
    // Names with spaces between. A name that a later release does not know opens nothing.
    .addColumn('permissions', 'text', required)
    .addColumn('created_at', 'text', required)
    .addColumn('expires_at', 'text', required)
    .addColumn('last_used_at', 'text')
    .addColumn('revoked_at', 'text')
    .execute()
  await createIndexes(db, 'admin_token', {
    admin_token_user: ['user_id', 'revoked_at'],
  })
}
