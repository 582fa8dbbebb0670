import { referenceKey } from '@gatehouse/contract/reference-key'
import { sql, type Kysely } from 'kysely'
import { byDefault, createIndexes, required } from '../src/db/columns.ts'
import { allowLongStatements, isPostgres } from '../src/db/dialect.ts'
import { quarterOf } from '../src/db/quarters.ts'
import { createSearchTriggers } from '../src/db/text-search.ts'

/**
 * A document is known once in its register, by its reference as it is compared. Everything that is there gets one
 * register, so that what was one number stays one number.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await allowLongStatements(db)
  await db.schema
    .alterTable('api')
    .addColumn('document_register', 'text', byDefault(first))
    .execute()
  await createIndexes(db, 'api', { api_register: ['document_register'] })
  if (isPostgres(db)) await rekeyOnPostgres(db)
  else await rebuildOnSqlite(db)
  await compareReferences(db)
  await createIndexes(db, 'document', {
    document_key: { columns: ['reference_key', 'register', 'kind', 'is_test'], isUnique: true },
    document_original: ['original_key', 'register'],
    document_by_day: ['created_at', 'id', 'api_id', 'register', 'state', 'kind', 'is_test'],
    document_undecided: {
      columns: ['state', 'api_id', 'register', 'created_at'],
      where: "state in ('unknown', 'pending') and is_test = 0",
    },
    document_of_register: ['register', 'id', 'state', 'kind', 'is_test'],
  })
}

const first = 'default'
const register = byDefault(first)

async function rekeyOnPostgres(db: Kysely<unknown>): Promise<void> {
  await sql`alter table document drop constraint document_reference_key,
    add column register text not null default 'default', add column reference_key text not null default '',
    add column original_key text`.execute(db)
  for (const name of ['document_original', 'document_by_day', 'document_undecided'])
    await sql`drop index ${sql.ref(name)}`.execute(db)
  await sql`update document set reference_key = reference, original_key = original_reference`.execute(
    db,
  )
  await sql`alter table document_quarter add column register text not null default 'default',
    drop constraint document_quarter_key,
    add constraint document_quarter_key primary key (at, api_id, register, state)`.execute(db)
  await sql`alter table document_change add column register text not null default 'default'`.execute(
    db,
  )
  await sql`create or replace function note_document_change() returns trigger language plpgsql as $$
    begin
      if tg_op = 'UPDATE' then ${changeColumns} ${less}, ${more};
      elsif ${isCounted} then ${changeColumns} ${less};
      end if;
      return null;
    end $$`.execute(db)
}

/** SQLite can't drop the key of a table: it is made again, and its rows are put back with their ids. */
async function rebuildOnSqlite(db: Kysely<unknown>): Promise<void> {
  // Steps name their documents all the time; at the commit each of these is there again.
  await sql`pragma defer_foreign_keys = on`.execute(db)
  const { rows } = await sql<{
    seq: number
  }>`select seq from sqlite_sequence where name = 'document'`.execute(db)
  await sql`create table document_before as select * from document`.execute(db)
  await sql`drop table document`.execute(db)
  await createDocument(db)
  await sql`insert into document (${kept}, reference_key, original_key)
    select ${kept}, reference, original_reference from document_before`.execute(db)
  await sql`drop table document_before`.execute(db)
  // No id is given twice, also where the last documents were removed.
  await sql`delete from sqlite_sequence where name = 'document'`.execute(db)
  await sql`insert into sqlite_sequence (name, seq) values ('document', ${rows[0]?.seq ?? 0})`.execute(
    db,
  )
  await createIndexes(db, 'document', {
    document_by_state: ['state', 'id', 'kind', 'is_test'],
    document_by_update: ['updated_at', 'id', 'state', 'kind', 'is_test'],
    document_by_reference: ['reference', 'id', 'state', 'kind', 'is_test'],
    document_by_id: ['id', 'state', 'kind', 'is_test'],
    document_of_api: ['api_id', 'id'],
  })
  await createSearchTriggers(db, 'document', [
    'reference',
    'authority_reference',
    'original_reference',
  ])
  await rebuildCounts(db)
}

const kept = sql.raw(
  'id, kind, is_test, reference, state, run_id, original_reference, authority_reference, qr, api_id, created_at, updated_at',
)

const createDocument = (db: Kysely<unknown>) =>
  db.schema
    .createTable('document')
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
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
    .addColumn('register', 'text', register)
    // The references as they are compared.
    .addColumn('reference_key', 'text', byDefault(''))
    .addColumn('original_key', 'text')
    .execute()

async function rebuildCounts(db: Kysely<unknown>): Promise<void> {
  await sql`alter table document_quarter rename to document_quarter_before`.execute(db)
  await db.schema
    .createTable('document_quarter')
    .addColumn('at', 'text', required)
    // 0: the API is not known.
    .addColumn('api_id', 'integer', required)
    .addColumn('state', 'text', required)
    .addColumn('documents', 'integer', required)
    .addColumn('register', 'text', register)
    .addPrimaryKeyConstraint('document_quarter_key', ['at', 'api_id', 'register', 'state'])
    .execute()
  await sql`insert into document_quarter (at, api_id, state, documents)
    select at, api_id, state, documents from document_quarter_before`.execute(db)
  await sql`drop table document_quarter_before`.execute(db)
  await db.schema.alterTable('document_change').addColumn('register', 'text', register).execute()
  // They went with the table.
  await sql`create trigger document_changed after update of state, api_id on document
    when ${isLateChange} begin ${changeColumns} ${less}, ${more}; end`.execute(db)
  await sql`create trigger document_removed after delete on document
    when ${isCounted} begin ${changeColumns} ${less}; end`.execute(db)
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
const changeColumns = sql.raw(
  'insert into document_change (at, api_id, register, state, documents) values',
)
const quarter = quarterOf('old.created_at')
const less = sql`(${quarter}, coalesce(old.api_id, 0), old.register, old.state, -1)`
const more = sql`(${quarter}, coalesce(new.api_id, 0), new.register, new.state, 1)`

interface Known {
  id: number
  kind: string
  is_test: number
  reference: string
  original_reference: string | null
  state: string
}

/** The first of two documents that are the same now goes on to guard the number. */
const severity = ['accepted', 'unknown', 'pending', 'sending', 'not_accepted', 'open']

/**
 * Stores how references are compared, where that is not how they are written. Of two documents that were two
 * and now are compared as one, the most severe is found by the number; the other keeps its row, with a key that
 * no reference has.
 */
async function compareReferences(db: Kysely<unknown>): Promise<void> {
  // Plain letters, digits and signs are compared as they are.
  const isPlain = (column: string) =>
    isPostgres(db)
      ? sql`${sql.ref(column)} ~ '^[!-~]([ -~]*[!-~])?$'`
      : sql`(${sql.ref(column)} not glob '*[^ -~]*' and ${sql.ref(column)} = trim(${sql.ref(column)}))`
  for (let after = 0; ;) {
    const { rows } = await sql<Known>`select id, kind, is_test, reference, original_reference, state
      from document where id > ${after} and (not ${isPlain('reference')} or not ${isPlain('original_reference')})
      order by id limit 5000`.execute(db)
    for (const row of rows) await compareReference(db, row)
    const last = rows.at(-1)
    if (!last) return
    after = last.id
  }
}

async function compareReference(db: Kysely<unknown>, row: Known): Promise<void> {
  const original = row.original_reference === null ? null : referenceKey(row.original_reference)
  if (original !== row.original_reference)
    await sql`update document set original_key = ${original} where id = ${row.id}`.execute(db)
  const key = referenceKey(row.reference)
  if (key !== row.reference) await takeKey(db, row, key)
}

async function takeKey(db: Kysely<unknown>, row: Known, key: string): Promise<void> {
  const { rows } =
    await sql<Known>`select id, kind, is_test, reference, original_reference, state from document
    where reference_key = ${key} and kind = ${row.kind} and is_test = ${row.is_test}`.execute(db)
  const [guarding] = rows
  const isMoreSevere = guarding && severity.indexOf(row.state) < severity.indexOf(guarding.state)
  if (isMoreSevere) await putKey(db, guarding.id, aside(guarding))
  await putKey(db, row.id, guarding && !isMoreSevere ? aside(row) : key)
}

const putKey = (db: Kysely<unknown>, id: number, key: string) =>
  sql`update document set reference_key = ${key} where id = ${id}`.execute(db)

/** Begins with a sign that is taken out of references. */
const aside = ({ id, reference }: Known) => `\ufeff${id} ${reference}`
