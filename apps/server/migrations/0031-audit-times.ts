import type { Kysely } from 'kysely'

/** Repeats of a refusal share one row, which says how many they were. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('audit_event')
    .addColumn('times', 'integer', (column) => column.notNull().defaultTo(1))
    .execute()
}
