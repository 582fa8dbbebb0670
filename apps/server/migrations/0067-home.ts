import { sql, type Kysely } from 'kysely'
import { idColumn } from '../src/db/columns.ts'
import { allowLongStatements, isPostgres } from '../src/db/dialect.ts'
import { quarterOf } from '../src/db/quarters.ts'

/** What the home screen counts: documents by authority and day, open work by state, deadlines by lane. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await allowLongStatements(db)
  await addAuthority(db)
  await createCounts(db)
  await (isPostgres(db) ? markOnPostgres(db) : markOnSqlite(db))
  await db.schema
    .createIndex('run_open_by_state')
    .on('run')
    .columns(['state', 'created_at', 'id'])
    .where(
      sql<boolean>`state not in ('running', 'succeeded', 'queued', 'pending', 'cancelled') and overtaken_by is null and closed_at is null`,
    )
    .execute()
  await db.schema
    .createIndex('lane_entry_by_deadline')
    .on('lane_entry')
    .columns(['lane_id', 'deadline_at'])
    .where(sql.ref('deadline_at'), 'is not', null)
    .execute()
}

/** The API that a document is sent to: that of the step which claimed it last. */
async function addAuthority(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('document').addColumn('api_id', 'integer').execute()
  await sql`update document set api_id = (
    select endpoint.api_id from document_step
    join run_step on run_step.run_id = document_step.run_id and run_step.position = document_step.position
    join endpoint on endpoint.id = run_step.endpoint_id
    where document_step.document_id = document.id
    order by document_step.run_id desc, document_step.position limit 1)`.execute(db)
  await db.schema
    .createIndex('document_by_day')
    .on('document')
    .columns(['created_at', 'id', 'api_id', 'state', 'kind', 'is_test'])
    .execute()
  await db.schema
    .createIndex('document_undecided')
    .on('document')
    .columns(['state', 'api_id', 'created_at'])
    .where(sql<boolean>`state in ('unknown', 'pending') and is_test = 0`)
    .execute()
}

async function createCounts(db: Kysely<unknown>): Promise<void> {
  // Real documents that were created in a quarter of an hour that is over.
  await db.schema
    .createTable('document_quarter')
    .addColumn('at', 'text', (column) => column.notNull())
    // 0: the API is not known.
    .addColumn('api_id', 'integer', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('documents', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('document_quarter_key', ['at', 'api_id', 'state'])
    .execute()
  // Quarters with a document that has changed since. Rows are only added, so that no change waits for another.
  await db.schema
    .createTable('document_recount')
    .addColumn('id', ...idColumn(db))
    .addColumn('at', 'text', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('document_recount_at').on('document_recount').column('at').execute()
}

/**
 * A change within ten minutes needs no mark: a quarter is counted later than that. The first 15
 * characters of a moment name ten minutes.
 */
const isLateChange = sql`(old.state <> new.state or old.api_id is distinct from new.api_id)
  and old.is_test = 0 and substr(new.updated_at, 1, 15) <> substr(old.created_at, 1, 15)`
const mark = sql`insert into document_recount (at) values (${quarterOf('old.created_at')});`
const isCounted = sql`old.is_test = 0
  and exists (select 1 from document_quarter where at = ${quarterOf('old.created_at')})`

async function markOnSqlite(db: Kysely<unknown>): Promise<void> {
  await sql`create trigger document_changed after update of state, api_id on document
    when ${isLateChange} begin ${mark} end`.execute(db)
  await sql`create trigger document_removed after delete on document
    when ${isCounted} begin ${mark} end`.execute(db)
}

async function markOnPostgres(db: Kysely<unknown>): Promise<void> {
  await sql`create function mark_document_quarter() returns trigger language plpgsql as $$
    begin
      if tg_op = 'UPDATE' or (${isCounted}) then ${mark} end if;
      return null;
    end $$`.execute(db)
  await sql`create trigger document_changed after update of state, api_id on document
    for each row when (${isLateChange}) execute function mark_document_quarter()`.execute(db)
  await sql`create trigger document_removed after delete on document
    for each row execute function mark_document_quarter()`.execute(db)
}
