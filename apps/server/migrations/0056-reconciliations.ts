import type { Kysely } from 'kysely'
import { idColumn } from '../src/db/columns.ts'

/** Comparisons of lists with the ledger, their results, and what differs. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('reconciliation')
    .addColumn('id', ...idColumn(db))
    .addColumn('name', 'text', (column) => column.notNull())
    // JSON: what is compared.
    .addColumn('definition', 'text', (column) => column.notNull())
    .addColumn('cron', 'text', (column) => column.notNull())
    .addColumn('time_zone', 'text', (column) => column.notNull())
    .addColumn('next_run_at', 'text')
    .addColumn('user_id', 'integer', (column) => column.notNull())
    .addColumn('user_name', 'text', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull().defaultTo(1))
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('reconciliation_result')
    .addColumn('id', ...idColumn(db))
    .addColumn('reconciliation_id', 'integer', (column) =>
      column.notNull().references('reconciliation.id').onDelete('cascade'),
    )
    .addColumn('planned_for', 'text', (column) => column.notNull())
    .addColumn('from_day', 'text', (column) => column.notNull())
    .addColumn('to_day', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('is_by_hand', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('ended_at', 'text')
    .addColumn('message', 'text')
    // JSON: how many there are, and how many of each difference.
    .addColumn('counts', 'text')
    .addColumn('differences', 'text')
    .addUniqueConstraint('reconciliation_moment', ['reconciliation_id', 'planned_for'])
    .execute()
  await db.schema
    .createIndex('reconciliation_result_by_state')
    .on('reconciliation_result')
    .column('state')
    .execute()
  await db.schema
    .createTable('reconciliation_line')
    .addColumn('id', ...idColumn(db))
    .addColumn('result_id', 'integer', (column) =>
      column.notNull().references('reconciliation_result.id').onDelete('cascade'),
    )
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('reference', 'text', (column) => column.notNull())
    .addColumn('erp_amount', 'text')
    .addColumn('ledger_amount', 'text')
    .addColumn('authority_amount', 'text')
    .addColumn('state', 'text')
    .addColumn('document_id', 'integer')
    .addColumn('run_id', 'integer')
    .execute()
  await db.schema
    .createIndex('reconciliation_line_by_result')
    .on('reconciliation_line')
    .columns(['result_id', 'kind'])
    .execute()
}
