import { sql, type Kysely } from 'kysely'
import { idColumn } from '../src/db/columns.ts'
import { allowLongStatements, isPostgres } from '../src/db/dialect.ts'
import { quarterOf } from '../src/db/quarters.ts'

/**
 * A change to a document of a quarter of an hour that was counted is noted as what it adds to the counts and takes
 * from them. Before, it marked the quarter, and all documents of marked quarters were counted with each read.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await allowLongStatements(db)
  await removeMarks(db)
  // Rows are only added, so that no change waits for another.
  await db.schema
    .createTable('document_change')
    .addColumn('id', ...idColumn(db))
    .addColumn('at', 'text', (column) => column.notNull())
    .addColumn('api_id', 'integer', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    // 1 or -1.
    .addColumn('documents', 'integer', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('document_change_at').on('document_change').column('at').execute()
  await (isPostgres(db) ? noteOnPostgres(db) : noteOnSqlite(db))
  // Marks of before are gone: all quarters are counted again in the background.
  await sql`delete from document_quarter`.execute(db)
}

async function removeMarks(db: Kysely<unknown>): Promise<void> {
  const ofTable = sql.raw(isPostgres(db) ? 'on document' : '')
  await sql`drop trigger document_changed ${ofTable}`.execute(db)
  await sql`drop trigger document_removed ${ofTable}`.execute(db)
  if (isPostgres(db)) await sql`drop function mark_document_quarter()`.execute(db)
  await db.schema.dropTable('document_recount').execute()
}

/**
 * A change within ten minutes needs no note: a quarter is counted later than that. The first 15
 * characters of a moment name ten minutes.
 */
const isLateChange = sql`(old.state <> new.state or old.api_id is distinct from new.api_id)
  and old.is_test = 0 and substr(new.updated_at, 1, 15) <> substr(old.created_at, 1, 15)`
/** Retention removes documents that are older than everything that was counted. */
const isCounted = sql`old.is_test = 0
  and exists (select 1 from document_quarter where at <= ${quarterOf('old.created_at')})`
const columns = sql.raw('insert into document_change (at, api_id, state, documents) values')
const quarter = quarterOf('old.created_at')
const less = sql`(${quarter}, coalesce(old.api_id, 0), old.state, -1)`
const more = sql`(${quarter}, coalesce(new.api_id, 0), new.state, 1)`

async function noteOnSqlite(db: Kysely<unknown>): Promise<void> {
  await sql`create trigger document_changed after update of state, api_id on document
    when ${isLateChange} begin ${columns} ${less}, ${more}; end`.execute(db)
  await sql`create trigger document_removed after delete on document
    when ${isCounted} begin ${columns} ${less}; end`.execute(db)
}

async function noteOnPostgres(db: Kysely<unknown>): Promise<void> {
  await sql`create function note_document_change() returns trigger language plpgsql as $$
    begin
      if tg_op = 'UPDATE' then ${columns} ${less}, ${more};
      elsif ${isCounted} then ${columns} ${less};
      end if;
      return null;
    end $$`.execute(db)
  await sql`create trigger document_changed after update of state, api_id on document
    for each row when (${isLateChange}) execute function note_document_change()`.execute(db)
  await sql`create trigger document_removed after delete on document
    for each row execute function note_document_change()`.execute(db)
}
