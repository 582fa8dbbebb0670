import { sql, type Kysely } from 'kysely'

/** Secrets of callbacks, and which batches were reported. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('workflow_callback')
    .addColumn('workflow_id', 'integer', (column) => column.primaryKey().references('workflow.id'))
    .addColumn('host', 'text', (column) => column.notNull())
    // Sealed: see secret-box.ts.
    .addColumn('secret', 'text', (column) => column.notNull())
    .addColumn('set_at', 'text', (column) => column.notNull())
    .addColumn('old_secret', 'text')
    .addColumn('old_until', 'text')
    .execute()
  await db.schema.alterTable('batch').addColumn('reported_at', 'text').execute()
  await sql`update batch set reported_at = created_at`.execute(db)
  await db.schema
    .createIndex('batch_unreported')
    .on('batch')
    .columns(['workflow_id', 'id'])
    .where(sql.ref('reported_at'), 'is', null)
    .execute()
}
