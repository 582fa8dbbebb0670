import { sql, type Kysely } from 'kysely'
import { createIndexes, idColumn, naming, required } from '../src/db/columns.ts'
import { isPostgres } from '../src/db/dialect.ts'
import { quarterOf } from '../src/db/quarters.ts'
import { createTextSearch } from '../src/db/text-search.ts'

/** The document ledger: one row per reference, which steps of which runs carried it, and how many there are. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createDocument(db)
  await createDocumentStep(db)
  await createDocumentQuarter(db)
  await createDocumentChange(db)
  await createTextSearch(db, 'document', ['reference', 'authority_reference', 'original_reference'])
}

async function createDocument(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('document')
    .addColumn('id', ...idColumn(db))
    .addColumn('kind', 'text', required)
    .addColumn('is_test', 'integer', required)
    .addColumn('reference', 'text', required)
    .addColumn('state', 'text', required)
    // The run that holds the document: two claims at once are decided by this row.
    .addColumn('run_id', 'integer', (column) => column.references('run.id'))
    .addColumn('original_reference', 'text')
    .addColumn('authority_reference', 'text')
    .addColumn('qr', 'text')
    // The API that it is sent to: that of the step which claimed it last.
    .addColumn('api_id', 'integer')
    .addColumn('created_at', 'text', required)
    .addColumn('updated_at', 'text', required)
    .addUniqueConstraint('document_reference_key', ['reference', 'kind', 'is_test'])
    .execute()
  await createIndexes(db, 'document', {
    document_original: ['original_reference'],
    document_by_state: ['state', 'id', 'kind', 'is_test'],
    document_by_update: ['updated_at', 'id', 'state', 'kind', 'is_test'],
    document_by_reference: ['reference', 'id', 'state', 'kind', 'is_test'],
    document_by_id: ['id', 'state', 'kind', 'is_test'],
    document_by_day: ['created_at', 'id', 'api_id', 'state', 'kind', 'is_test'],
    document_undecided: {
      columns: ['state', 'api_id', 'created_at'],
      where: "state in ('unknown', 'pending') and is_test = 0",
    },
    document_of_api: ['api_id', 'id'],
  })
}

async function createDocumentStep(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('document_step')
    .addColumn('document_id', 'integer', naming('document.id'))
    .addColumn('run_id', 'integer', naming('run.id'))
    .addColumn('position', 'integer', required)
    .addColumn('state', 'text', required)
    .addColumn('message', 'text')
    .addPrimaryKeyConstraint('document_step_each_key', ['run_id', 'position', 'document_id'])
    .execute()
  await createIndexes(db, 'document_step', {
    document_step_document: ['document_id', 'run_id'],
  })
}

async function createDocumentQuarter(db: Kysely<unknown>): Promise<void> {
  // Real documents that were created in a quarter of an hour that is over.
  await db.schema
    .createTable('document_quarter')
    .addColumn('at', 'text', required)
    // 0: the API is not known.
    .addColumn('api_id', 'integer', required)
    .addColumn('state', 'text', required)
    .addColumn('documents', 'integer', required)
    .addPrimaryKeyConstraint('document_quarter_key', ['at', 'api_id', 'state'])
    .execute()
}

/**
 * A change to a document of a quarter of an hour that was counted is noted as what it adds to the counts and takes
 * from them.
 */
async function createDocumentChange(db: Kysely<unknown>): Promise<void> {
  // Rows are only added, so that no change waits for another.
  await db.schema
    .createTable('document_change')
    .addColumn('id', ...idColumn(db))
    .addColumn('at', 'text', required)
    .addColumn('api_id', 'integer', required)
    .addColumn('state', 'text', required)
    // 1 or -1.
    .addColumn('documents', 'integer', required)
    .execute()
  await createIndexes(db, 'document_change', {
    document_change_at: ['at'],
  })
  await (isPostgres(db) ? noteOnPostgres(db) : noteOnSqlite(db))
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
