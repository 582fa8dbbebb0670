import type { Kysely } from 'kysely'

/** The trace that a run belongs to (W3C Trace Context); all null where spans of runs are off. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const name of ['trace_id', 'trace_parent_id', 'taken_at'])
    await db.schema.alterTable('run').addColumn(name, 'text').execute()
  await db.schema
    .alterTable('run')
    .addColumn('is_trace_sampled', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
}
