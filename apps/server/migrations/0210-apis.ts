import type { Kysely } from 'kysely'
import { createIndexes, idColumn, oneFor, required, unique } from '../src/db/columns.ts'

/** APIs, and settings of them that only chosen personal tokens reach. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createApi(db)
  await createApiDraft(db)
}

async function createApi(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('api')
    .addColumn('id', ...idColumn(db))
    .addColumn('name', 'text', required)
    .addColumn('name_key', 'text', unique)
    .addColumn('context', 'text', unique)
    .addColumn('api_protocol', 'text', required)
    .addColumn('authentication', 'integer', required)
    .addColumn('auth_type', 'text')
    .addColumn('gateway_status', 'text', required)
    .addColumn('api_access', 'text', required)
    .addColumn('api_url', 'text')
    .addColumn('test_api_url', 'text')
    .addColumn('driver', 'text')
    .addColumn('host', 'text')
    .addColumn('port', 'integer')
    .addColumn('database', 'text')
    .addColumn('username', 'text')
    .addColumn('password_encrypted', 'text')
    .addColumn('func_name', 'text')
    .addColumn('db_tls', 'text')
    .addColumn('db_ca', 'text')
    .addColumn('credential', 'text')
    .addColumn('upstream_token_encrypted', 'text')
    .addColumn('test_credential', 'text')
    .addColumn('test_credential_encrypted', 'text')
    .addColumn('tls', 'text')
    .addColumn('tls_encrypted', 'text')
    .addColumn('static_headers', 'text')
    .addColumn('connect_timeout_ms', 'integer')
    .addColumn('answer_timeout_ms', 'integer')
    .addColumn('traffic_policy', 'text')
    .addColumn('tags', 'text')
    .addColumn('version', 'integer', required)
    .addColumn('created_at', 'text', required)
    .addColumn('updated_at', 'text', required)
    .execute()
  await createIndexes(db, 'api', {
    api_tagged: { columns: ['tags', 'id'], where: 'tags is not null' },
  })
}

async function createApiDraft(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('api_draft')
    .addColumn('api_id', 'integer', oneFor('api.id'))
    // JSON: the columns of the API that the draft changes, without those of its sign-in.
    .addColumn('columns', 'text', required)
    .addColumn('credential', 'text')
    // Sealed as the column of the same name of the API is.
    .addColumn('upstream_token_encrypted', 'text')
    .addColumn('test_credential', 'text')
    .addColumn('test_credential_encrypted', 'text')
    .addColumn('tls', 'text')
    .addColumn('tls_encrypted', 'text')
    // JSON: ids of personal tokens.
    .addColumn('token_ids', 'text', required)
    .addColumn('base_version', 'integer', required)
    .addColumn('version', 'integer', required)
    .addColumn('saved_at', 'text', required)
    .addColumn('saved_by', 'text', required)
    .execute()
}
