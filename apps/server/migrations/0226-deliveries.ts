import type { Kysely } from 'kysely'
import { byDefault, createIndexes, idColumn, required, unique } from '../src/db/columns.ts'

/** What is to be sent to receivers: the rows are written with what causes them, and sent afterwards. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('delivery')
    .addColumn('id', ...idColumn(db))
    // What the receiver sees: the same at every try, and unlike that of any other installation.
    .addColumn('message_id', 'text', unique)
    .addColumn('kind', 'text', required)
    .addColumn('channel', 'text', required)
    // JSON, without secrets.
    .addColumn('target', 'text', required)
    // Deliveries to the same place share a bound of tries at once.
    .addColumn('place', 'text', required)
    .addColumn('subject', 'text', required)
    .addColumn('payload', 'text', required)
    .addColumn('order_key', 'text')
    .addColumn('workflow_id', 'integer')
    .addColumn('run_id', 'integer')
    .addColumn('batch_id', 'integer')
    .addColumn('alarm_id', 'integer')
    .addColumn('state', 'text', byDefault('waiting'))
    .addColumn('tries', 'integer', byDefault(0))
    .addColumn('next_try_at', 'text', required)
    .addColumn('give_up_at', 'text', required)
    .addColumn('lease_owner', 'text')
    .addColumn('lease_until', 'text')
    .addColumn('last_status', 'integer')
    .addColumn('last_error', 'text')
    .addColumn('created_at', 'text', required)
    .addColumn('ended_at', 'text')
    .execute()
  await createIndexes(db, 'delivery', {
    delivery_due: { columns: ['next_try_at', 'id'], where: "state = 'waiting'" },
    delivery_order: { columns: ['order_key', 'id'], where: "state = 'waiting'" },
    delivery_by_state: ['state', 'id'],
    delivery_by_place: ['place', 'id'],
    delivery_by_run: ['run_id', 'id'],
    delivery_by_workflow: ['workflow_id', 'id'],
    delivery_ended: ['ended_at'],
  })
}
