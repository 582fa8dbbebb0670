import { sql, type Kysely } from 'kysely'

/** How far a batch is stored and queued, and its progress by index alone. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const batch = () => db.schema.alterTable('batch')
  // The server that stores it. Null once it is stored.
  await batch().addColumn('stored_by', 'text').execute()
  // 0: its entries in the lane do not yet follow `is_paused` and `cancelled_at`.
  await batch()
    .addColumn('is_settled', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  const indexes = {
    run_by_batch_state: ['batch_id', 'overtaken_by', 'state'],
    run_by_batch_end: ['batch_id', 'finished_at'],
  }
  for (const [name, columns] of Object.entries(indexes))
    await db.schema
      .createIndex(name)
      .on('run')
      .columns(columns)
      .where(sql.ref('batch_id'), 'is not', null)
      .execute()
  await db.schema
    .createIndex('batch_by_workflow')
    .on('batch')
    .columns(['workflow_id', 'id'])
    .execute()
}
