import type { Kysely } from 'kysely'

/** When a code was refused first during the pause that wrong codes began; null: none was. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('code_failure').addColumn('refused_at', 'text').execute()
}
