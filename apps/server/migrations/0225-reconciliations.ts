import type { Kysely } from 'kysely'
import { byDefault, createIndexes, idColumn, ownedBy, required } from '../src/db/columns.ts'

/** Comparisons of lists with the ledger, their results, and what differs. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createReconciliation(db)
  await createReconciliationResult(db)
  await createReconciliationLine(db)
}

async function createReconciliation(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('reconciliation')
    .addColumn('id', ...idColumn(db))
    .addColumn('name', 'text', required)
    // JSON: what is compared.
    .addColumn('definition', 'text', required)
    .addColumn('cron', 'text', required)
    .addColumn('time_zone', 'text', required)
    .addColumn('next_run_at', 'text')
    .addColumn('user_id', 'integer', required)
    .addColumn('user_name', 'text', required)
    .addColumn('version', 'integer', byDefault(1))
    .addColumn('updated_at', 'text', required)
    .execute()
}

async function createReconciliationResult(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('reconciliation_result')
    .addColumn('id', ...idColumn(db))
    .addColumn('reconciliation_id', 'integer', ownedBy('reconciliation.id'))
    .addColumn('planned_for', 'text', required)
    .addColumn('from_day', 'text', required)
    .addColumn('to_day', 'text', required)
    .addColumn('state', 'text', required)
    .addColumn('is_by_hand', 'integer', required)
    .addColumn('created_at', 'text', required)
    .addColumn('ended_at', 'text')
    .addColumn('message', 'text')
    // JSON: how many there are, and how many of each difference.
    .addColumn('counts', 'text')
    .addColumn('differences', 'text')
    .addUniqueConstraint('reconciliation_moment', ['reconciliation_id', 'planned_for'])
    .execute()
  await createIndexes(db, 'reconciliation_result', {
    reconciliation_result_by_state: ['state'],
  })
}

async function createReconciliationLine(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('reconciliation_line')
    .addColumn('id', ...idColumn(db))
    .addColumn('result_id', 'integer', ownedBy('reconciliation_result.id'))
    .addColumn('kind', 'text', required)
    .addColumn('reference', 'text', required)
    .addColumn('erp_amount', 'text')
    .addColumn('ledger_amount', 'text')
    .addColumn('authority_amount', 'text')
    .addColumn('state', 'text')
    .addColumn('document_id', 'integer')
    .addColumn('run_id', 'integer')
    .execute()
  await createIndexes(db, 'reconciliation_line', {
    reconciliation_line_by_result: ['result_id', 'kind'],
  })
}
