import type { Kysely } from 'kysely'
import { byDefault, createIndexes, required } from '../src/db/columns.ts'

/** Steps whose outcome is unknown, and when the healing keeper looks at them next. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('healing_step')
    .addColumn('step_id', 'integer', (column) => column.primaryKey().references('run_step.id'))
    .addColumn('run_id', 'integer', (column) => column.notNull().references('run.id'))
    // When the outcome became unknown.
    .addColumn('since', 'text', required)
    // Questions and repetitions so far.
    .addColumn('tries', 'integer', byDefault(0))
    // Null: it was given up, and a person decides.
    .addColumn('next_at', 'text')
    // What the next look is for, or why nothing is done.
    .addColumn('plan', 'text', required)
    .execute()
  await createIndexes(db, 'healing_step', {
    healing_step_next: ['next_at', 'step_id'],
    healing_step_run: ['run_id'],
  })
}
