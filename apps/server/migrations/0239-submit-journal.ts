import type { Kysely } from 'kysely'
import { byDefault, createIndexes } from '../src/db/columns.ts'

/** Runs that are known from elsewhere than from their own sending, and parts of a hold that were released. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // `journal`: from the journal of submits, after a restore. Null: the run was carried out here.
  await db.schema.alterTable('run').addColumn('found_in', 'text').execute()
  // 1: healing looks after it although no machine has started it.
  await db.schema.alterTable('run').addColumn('heals', 'integer', byDefault(0)).execute()
  await createIndexes(db, 'run', {
    run_found: { columns: ['found_in', 'id'], where: 'found_in is not null' },
  })
  // Lanes and schedules that send again although the rest is held: {"lanes": […], "schedules": […]}.
  await db.schema.alterTable('installation_hold').addColumn('released_parts', 'text').execute()
}
