import type { Kysely } from 'kysely'
import { idColumn } from '../src/db/columns.ts'

/** The document ledger: one row per reference, and which steps of which runs carried it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('document')
    .addColumn('id', ...idColumn(db))
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('is_test', 'integer', (column) => column.notNull())
    .addColumn('reference', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    // The run that holds the document: two claims at once are decided by this row.
    .addColumn('run_id', 'integer', (column) => column.references('run.id'))
    .addColumn('original_reference', 'text')
    .addColumn('authority_reference', 'text')
    .addColumn('qr', 'text')
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .addUniqueConstraint('document_reference_key', ['reference', 'kind', 'is_test'])
    .execute()
  await db.schema
    .createIndex('document_original')
    .on('document')
    .column('original_reference')
    .execute()
  await db.schema.createIndex('document_state').on('document').column('state').execute()

  await db.schema
    .createTable('document_step')
    .addColumn('document_id', 'integer', (column) => column.notNull().references('document.id'))
    .addColumn('run_id', 'integer', (column) => column.notNull().references('run.id'))
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    // One document per step.
    .addPrimaryKeyConstraint('document_step_key', ['run_id', 'position'])
    .execute()
  await db.schema
    .createIndex('document_step_document')
    .on('document_step')
    .columns(['document_id', 'run_id'])
    .execute()
}
