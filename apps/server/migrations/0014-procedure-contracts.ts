import type { Kysely } from 'kysely'

/** Stored procedures: TLS to their database, and what their callers were promised (the contract lock). */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of ['db_tls', 'db_ca'])
    await db.schema.alterTable('api').addColumn(column, 'text').execute()
  await db.schema
    .createTable('procedure_contract')
    .addColumn('api_id', 'integer', (column) =>
      column.primaryKey().references('api.id').onDelete('cascade'),
    )
    .addColumn('method', 'text', (column) => column.notNull())
    // JSON. Signature and shapes as locked; shapes are null until a call has shown them.
    .addColumn('signature', 'text')
    .addColumn('shapes', 'text')
    .addColumn('locked_at', 'text')
    // What was found instead, JSON, and whether callers may notice.
    .addColumn('drift', 'text')
    .addColumn('drift_kind', 'text')
    .addColumn('drift_seen_at', 'text')
    .addColumn('checked_at', 'text')
    .addColumn('check_failure', 'text')
    .execute()
}
