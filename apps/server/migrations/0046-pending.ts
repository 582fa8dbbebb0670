import { sql, type Kysely } from 'kysely'
import { idColumn } from '../src/db/columns.ts'
import { allowLongStatements } from '../src/db/dialect.ts'

/** Steps that an authority has taken and decides later, and the polls that ask for the decisions. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createPolls(db)
  await letStepsCarrySeveral(db)
}

/** A step may carry several documents, and the authority says something about each. */
async function letStepsCarrySeveral(db: Kysely<unknown>): Promise<void> {
  await allowLongStatements(db)
  await db.schema
    .createTable('document_step_of_several')
    .addColumn('document_id', 'integer', (column) => column.notNull().references('document.id'))
    .addColumn('run_id', 'integer', (column) => column.notNull().references('run.id'))
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('message', 'text')
    .addPrimaryKeyConstraint('document_step_each_key', ['run_id', 'position', 'document_id'])
    .execute()
  await sql`insert into document_step_of_several (document_id, run_id, position, state)
    select document_id, run_id, position, state from document_step`.execute(db)
  await db.schema.dropTable('document_step').execute()
  await db.schema.alterTable('document_step_of_several').renameTo('document_step').execute()
  await db.schema
    .createIndex('document_step_document')
    .on('document_step')
    .columns(['document_id', 'run_id'])
    .execute()
}

async function createPolls(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('pending_poll')
    .addColumn('id', ...idColumn(db))
    // What is asked about: steps of the same submission share a poll.
    .addColumn('submission', 'text', (column) => column.notNull().unique())
    // The value from the authority's answer; null: the document's reference is asked by.
    .addColumn('ask_by', 'text')
    .addColumn('tries', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('next_at', 'text', (column) => column.notNull())
    .addColumn('asked_at', 'text')
    // Why the last question brought no answer.
    .addColumn('problem', 'text')
    .addColumn('lease_owner', 'text')
    .addColumn('lease_until', 'text')
    .execute()
  await db.schema
    .createIndex('pending_poll_next')
    .on('pending_poll')
    .columns(['next_at', 'id'])
    .execute()
  await db.schema
    .createTable('pending_step')
    .addColumn('step_id', 'integer', (column) => column.primaryKey().references('run_step.id'))
    .addColumn('run_id', 'integer', (column) => column.notNull().references('run.id'))
    // Null: it was accepted, and the run goes on with its next step.
    .addColumn('poll_id', 'integer', (column) => column.references('pending_poll.id'))
    .addColumn('since', 'text', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('pending_step_poll').on('pending_step').column('poll_id').execute()
  await db.schema
    .createIndex('pending_step_going_on')
    .on('pending_step')
    .column('run_id')
    .where(sql.ref('poll_id'), 'is', null)
    .execute()
}
