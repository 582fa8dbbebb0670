import { sql, type Kysely } from 'kysely'
import { createIndexes, naming, required } from '../src/db/columns.ts'

/** What an authority says after a person has said that it did not receive a document. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // When the authority last said that it has what counts as not received.
  await db.schema.alterTable('run').addColumn('contradicted_at', 'text').execute()
  await createIndexes(db, 'run', {
    run_contradicted: { columns: ['contradicted_at', 'id'], where: 'contradicted_at is not null' },
  })
  // Steps that a person called not received, and the polls that go on asking about them.
  await db.schema
    .createTable('verdict_watch')
    .addColumn('step_id', 'integer', naming('run_step.id'))
    .addColumn('poll_id', 'integer', naming('pending_poll.id'))
    .addColumn('run_id', 'integer', naming('run.id'))
    // When the person said so.
    .addColumn('since', 'text', required)
    .addPrimaryKeyConstraint('verdict_watch_pk', ['poll_id', 'step_id'])
    .execute()
  await createIndexes(db, 'verdict_watch', { verdict_watch_step: ['step_id'] })
  await sql`insert into alarm_rule (kind, name, is_on, settings)
    values ('contradicted', 'Verdict contradicted', 1, '{"limits":{}}')`.execute(db)
}
