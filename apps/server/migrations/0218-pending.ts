import type { Kysely } from 'kysely'
import { byDefault, createIndexes, idColumn, naming, required, unique } from '../src/db/columns.ts'

/** Steps that an authority has taken and decides later, and the polls that ask for the decisions. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('pending_poll')
    .addColumn('id', ...idColumn(db))
    // What is asked about: steps of the same submission share a poll.
    .addColumn('submission', 'text', unique)
    // The value from the authority's answer; null: the document's reference is asked by.
    .addColumn('ask_by', 'text')
    .addColumn('tries', 'integer', byDefault(0))
    .addColumn('next_at', 'text', required)
    .addColumn('asked_at', 'text')
    // Why the last question brought no answer.
    .addColumn('problem', 'text')
    .addColumn('lease_owner', 'text')
    .addColumn('lease_until', 'text')
    .execute()
  await createIndexes(db, 'pending_poll', {
    pending_poll_next: ['next_at', 'id'],
  })
  await db.schema
    .createTable('pending_step')
    .addColumn('step_id', 'integer', (column) => column.primaryKey().references('run_step.id'))
    .addColumn('run_id', 'integer', naming('run.id'))
    // Null: it was accepted, and the run goes on with its next step.
    .addColumn('poll_id', 'integer', (column) => column.references('pending_poll.id'))
    .addColumn('since', 'text', required)
    .execute()
  await createIndexes(db, 'pending_step', {
    pending_step_poll: ['poll_id'],
    pending_step_going_on: { columns: ['run_id'], where: 'poll_id is null' },
    pending_step_since: { columns: ['since', 'run_id'], where: 'poll_id is not null' },
  })
}
