import type { Kysely } from 'kysely'

/** The inputs of batches whose runs take several each (spec: batches). */
export async function up(db: Kysely<unknown>): Promise<void> {
  // 1: each input is a run, and has no row of its own.
  await db.schema
    .alterTable('batch')
    .addColumn('inputs_per_run', 'integer', (column) => column.notNull().defaultTo(1))
    .execute()
  await db.schema
    .createTable('batch_input')
    .addColumn('batch_id', 'integer', (column) => column.notNull().references('batch.id'))
    .addColumn('line', 'integer', (column) => column.notNull())
    // The latest run that takes it, and its place in the list that is the input of that run.
    .addColumn('run_id', 'integer', (column) => column.notNull().references('run.id'))
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('reference', 'text')
    .addPrimaryKeyConstraint('batch_input_pk', ['batch_id', 'line'])
    .execute()
  await db.schema
    .createIndex('batch_input_by_run')
    .on('batch_input')
    .columns(['run_id', 'position'])
    .execute()
}
