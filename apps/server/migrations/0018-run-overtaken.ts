import { sql, type Kysely } from 'kysely'

/** Runs that need no further action: another run took their place, or a user closed them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of ['overtaken_by', 'closed_by_id'])
    await db.schema.alterTable('run').addColumn(column, 'integer').execute()
  for (const column of ['closed_at', 'closed_by_name', 'closed_reason'])
    await db.schema.alterTable('run').addColumn(column, 'text').execute()
  // The run that holds the document which a step carries.
  await db.schema.alterTable('run_step').addColumn('blocked_by', 'integer').execute()
  await sql`update run set overtaken_by = (select successor.id from run as successor where successor.retry_of = run.id)`.execute(
    db,
  )
}
