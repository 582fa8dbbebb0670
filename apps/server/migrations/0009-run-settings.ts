import type { Kysely } from 'kysely'

/** How runs treat an endpoint. Null: as its method says. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('endpoint').addColumn('run_settings', 'text').execute()
  // Repeats what the settings say, so that the database refuses to delete an endpoint that is asked.
  await db.schema
    .alterTable('endpoint')
    .addColumn('status_endpoint_id', 'integer', (column) => column.references('endpoint.id'))
    .execute()
  await db.schema
    .createIndex('endpoint_status_endpoint')
    .on('endpoint')
    .column('status_endpoint_id')
    .execute()
}
