import type { Kysely } from 'kysely'

/** What lists of workflows and of their versions show, so that they need not read definitions. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('workflow')
    .addColumn('steps_count', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  // Names of the fields that differ from the version before, with commas between.
  await db.schema
    .alterTable('workflow_version')
    .addColumn('changes', 'text', (column) => column.notNull().defaultTo(''))
    .execute()
}
