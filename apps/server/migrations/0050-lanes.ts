import { sql, type Kysely } from 'kysely'

/** What a lane keeps for its limits, and indexes for what waits in it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Apart from the lane, so that counting calls does not wait for a claim of runs.
  await db.schema
    .createTable('lane_rate')
    .addColumn('lane_id', 'integer', (column) =>
      column.primaryKey().references('lane.id').onDelete('cascade'),
    )
    // JSON: the calls under way by server, and those that ended, in buckets.
    .addColumn('state', 'text', (column) => column.notNull())
    .execute()
  // Sign-ins of this run that were refused, one after the other.
  await db.schema
    .alterTable('lane_entry')
    .addColumn('refusals', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  // 1: somebody was alarmed that the lane has paused itself.
  await db.schema
    .alterTable('lane')
    .addColumn('is_alarmed', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  for (const name of ['deadline_at', 'next_try_at'])
    await db.schema
      .createIndex(`lane_entry_${name}`)
      .on('lane_entry')
      .columns(['state', name])
      .where(sql.ref(name), 'is not', null)
      .execute()
}
