import type { Kysely } from 'kysely'
import { idColumn } from '../src/db/columns.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('endpoint')
    .addColumn('id', ...idColumn(db))
    // No cascade: an API that still has endpoints is not deleted.
    .addColumn('api_id', 'integer', (column) => column.notNull().references('api.id'))
    .addColumn('method_type', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('path', 'text', (column) => column.notNull())
    // The path without the names of its parameters: /a/{id} and /a/{key} are one route.
    .addColumn('path_key', 'text', (column) => column.notNull())
    .addColumn('summary', 'text', (column) => column.notNull())
    .addColumn('description', 'text', (column) => column.notNull())
    .addColumn('custom_output', 'text')
    .addColumn('authentication', 'integer', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .addUniqueConstraint('endpoint_route_key', ['api_id', 'method_type', 'path_key'])
    .execute()

  // Access, the second axis beside permissions: which endpoints a role may call.
  await db.schema
    .createTable('role_endpoint')
    .addColumn('role_id', 'integer', (column) =>
      column.notNull().references('role.id').onDelete('cascade'),
    )
    .addColumn('endpoint_id', 'integer', (column) =>
      column.notNull().references('endpoint.id').onDelete('cascade'),
    )
    .addPrimaryKeyConstraint('role_endpoint_pk', ['role_id', 'endpoint_id'])
    .execute()
}
