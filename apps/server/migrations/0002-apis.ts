import type { Kysely } from 'kysely'
import { idColumn } from '../src/db/columns.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('api')
    .addColumn('id', ...idColumn(db))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('name_key', 'text', (column) => column.notNull().unique())
    .addColumn('context', 'text', (column) => column.notNull().unique())
    .addColumn('api_protocol', 'text', (column) => column.notNull())
    .addColumn('authentication', 'integer', (column) => column.notNull())
    .addColumn('auth_type', 'text')
    .addColumn('gateway_status', 'text', (column) => column.notNull())
    .addColumn('api_access', 'text', (column) => column.notNull())
    .addColumn('api_url', 'text')
    .addColumn('test_api_url', 'text')
    .addColumn('driver', 'text')
    .addColumn('host', 'text')
    .addColumn('port', 'integer')
    .addColumn('database', 'text')
    .addColumn('username', 'text')
    .addColumn('password_encrypted', 'text')
    .addColumn('func_name', 'text')
    .addColumn('upstream_token_encrypted', 'text')
    .addColumn('connect_timeout_ms', 'integer')
    .addColumn('answer_timeout_ms', 'integer')
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .execute()
}
