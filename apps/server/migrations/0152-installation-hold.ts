import type { Kysely } from 'kysely'

/** Whether everything that is sent without a person waits, in one row at most; and the alarm about it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('installation_hold')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('reason', 'text', (column) => column.notNull())
    .addColumn('backup_made_at', 'text', (column) => column.notNull())
    .addColumn('held_since', 'text', (column) => column.notNull())
    .addColumn('released_at', 'text')
    .execute()
  await db
    .insertInto('alarm_rule' as never)
    .values({
      kind: 'held',
      name: 'Held after a restore',
      is_on: 1,
      settings: JSON.stringify({ limits: {} }),
    })
    .execute()
}
