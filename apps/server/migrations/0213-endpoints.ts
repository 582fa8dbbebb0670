import type { Kysely } from 'kysely'
import { createIndexes, idColumn, naming, ownedBy, required } from '../src/db/columns.ts'

/** Endpoints, and which of them a role may call. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createEndpoint(db)
  await createRoleEndpoint(db)
}

async function createEndpoint(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('endpoint')
    .addColumn('id', ...idColumn(db))
    // No cascade: an API that still has endpoints is not deleted.
    .addColumn('api_id', 'integer', naming('api.id'))
    .addColumn('method_type', 'text', required)
    .addColumn('status', 'text', required)
    .addColumn('path', 'text', required)
    // The path without the names of its parameters: /a/{id} and /a/{key} are one route.
    .addColumn('path_key', 'text', required)
    .addColumn('summary', 'text', required)
    .addColumn('description', 'text', required)
    .addColumn('custom_output', 'text')
    .addColumn('authentication', 'integer', required)
    .addColumn('static_headers', 'text')
    .addColumn('parameters', 'text')
    .addColumn('validation', 'text')
    .addColumn('transformation', 'text')
    .addColumn('web_socket', 'text')
    // How runs treat it. Null: as its method says.
    .addColumn('run_settings', 'text')
    // Repeats what the settings say, so that the database refuses to delete an endpoint that is asked.
    .addColumn('status_endpoint_id', 'integer', (column) => column.references('endpoint.id'))
    .addColumn('tags', 'text')
    .addColumn('version', 'integer', required)
    .addColumn('created_at', 'text', required)
    .addColumn('updated_at', 'text', required)
    .addUniqueConstraint('endpoint_route_key', ['api_id', 'method_type', 'path_key'])
    .execute()
  await createIndexes(db, 'endpoint', {
    endpoint_status_endpoint: ['status_endpoint_id'],
    endpoint_tagged: { columns: ['tags', 'id'], where: 'tags is not null' },
    // What lists are filtered by: no row is read to skip it.
    endpoint_of_api: ['api_id', 'id', 'status', 'method_type'],
  })
}

async function createRoleEndpoint(db: Kysely<unknown>): Promise<void> {
  // Access, the second axis beside permissions: which endpoints a role may call.
  await db.schema
    .createTable('role_endpoint')
    .addColumn('role_id', 'integer', ownedBy('role.id'))
    .addColumn('endpoint_id', 'integer', ownedBy('endpoint.id'))
    .addPrimaryKeyConstraint('role_endpoint_pk', ['role_id', 'endpoint_id'])
    .execute()
  await createIndexes(db, 'role_endpoint', {
    role_endpoint_of_endpoint: ['endpoint_id', 'role_id'],
  })
}
