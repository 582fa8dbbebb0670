import type { Kysely } from 'kysely'

/**
 * What a status query said, and whether it settled its step: a single "not received" does not. Those
 * that earlier versions asked are left without a word, so that none of them counts.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('run_attempt').addColumn('verdict', 'text').execute()
  await db.schema
    .alterTable('run_attempt')
    .addColumn('has_settled', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
}
