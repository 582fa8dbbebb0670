import { sql, type Kysely } from 'kysely'
import { idColumn } from '../src/db/columns.ts'

/** What is to be sent to receivers: the rows are written with what causes them, and sent afterwards. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('delivery')
    .addColumn('id', ...idColumn(db))
    // What the receiver sees: the same at every try, and unlike that of any other installation.
    .addColumn('message_id', 'text', (column) => column.notNull().unique())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('channel', 'text', (column) => column.notNull())
    // JSON, without secrets.
    .addColumn('target', 'text', (column) => column.notNull())
    // Deliveries to the same place share a bound of tries at once.
    .addColumn('place', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('payload', 'text', (column) => column.notNull())
    .addColumn('order_key', 'text')
    .addColumn('workflow_id', 'integer')
    .addColumn('run_id', 'integer')
    .addColumn('batch_id', 'integer')
    .addColumn('alarm_id', 'integer')
    .addColumn('state', 'text', (column) => column.notNull().defaultTo('waiting'))
    .addColumn('tries', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('next_try_at', 'text', (column) => column.notNull())
    .addColumn('give_up_at', 'text', (column) => column.notNull())
    .addColumn('lease_owner', 'text')
    .addColumn('lease_until', 'text')
    .addColumn('last_status', 'integer')
    .addColumn('last_error', 'text')
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('ended_at', 'text')
    .execute()
  const waiting = {
    delivery_due: ['next_try_at', 'id'],
    delivery_order: ['order_key', 'id'],
  }
  for (const [name, columns] of Object.entries(waiting))
    await db.schema
      .createIndex(name)
      .on('delivery')
      .columns(columns)
      .where(sql.ref('state'), '=', sql.lit('waiting'))
      .execute()
  const all = {
    delivery_by_state: ['state', 'id'],
    delivery_by_place: ['place', 'id'],
    delivery_by_run: ['run_id', 'id'],
    delivery_by_workflow: ['workflow_id', 'id'],
    delivery_ended: ['ended_at'],
  }
  for (const [name, columns] of Object.entries(all))
    await db.schema.createIndex(name).on('delivery').columns(columns).execute()
}
