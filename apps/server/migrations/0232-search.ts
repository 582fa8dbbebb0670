import { sql, type Kysely } from 'kysely'
import { idColumn, key, required } from '../src/db/columns.ts'
import { isPostgres } from '../src/db/dialect.ts'

/**
 * The words of runs, and what has to be put among them. Runs only note their id: a keeper reads their texts
 * afterwards.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('search_todo')
    .addColumn('id', ...idColumn(db))
    .addColumn('run_id', 'integer', required)
    .execute()
  // The words of letters, so that they can be found by their beginning. Compared byte by byte.
  await db.schema
    .createTable('search_word')
    .addColumn('word', isPostgres(db) ? sql`text collate "C"` : 'text', key)
    .execute()
  // One row. Runs from `below` on have their words; `first_below` is where it began.
  await db.schema
    .createTable('search_progress')
    .addColumn('id', 'integer', key)
    .addColumn('below', 'integer', required)
    .addColumn('first_below', 'integer', required)
    .execute()
  await sql`insert into search_progress (id, below, first_below) values (1, 1, 1)`.execute(db)
  await (isPostgres(db) ? createPostgres(db) : createSqlite(db))
}

async function createSqlite(db: Kysely<unknown>): Promise<void> {
  // Only which words a run has: neither the texts nor the places of words in them.
  await sql`create virtual table text_search using fts5(words, content='', contentless_delete=1, detail=none, tokenize='unicode61 remove_diacritics 0')`.execute(
    db,
  )
  // A run that begins at once is noted when it ends: its texts are read once.
  const note = sql`insert into search_todo (run_id) values (new.id);`
  await sql`create trigger run_to_search after insert on run when new.state <> 'running' begin ${note} end`.execute(
    db,
  )
  await sql`create trigger run_to_search_again after update of state on run
    when new.state <> old.state and new.state <> 'running' begin ${note} end`.execute(db)
}

async function createPostgres(db: Kysely<unknown>): Promise<void> {
  await sql`create table text_search (run_id integer primary key, words tsvector not null)`.execute(
    db,
  )
  // New words are collected in a list, which each search reads from end to end, and which a write now and then
  // empties into the index. With 512 kB instead of 4 MB both take less time.
  await sql`create index text_search_words on text_search using gin (words) with (gin_pending_list_limit = 512)`.execute(
    db,
  )
  await sql`create function run_to_search() returns trigger language plpgsql as $$
    begin insert into search_todo (run_id) values (new.id); return null; end $$`.execute(db)
  await sql`create trigger run_to_search after insert on run
    for each row when (new.state <> 'running') execute function run_to_search()`.execute(db)
  await sql`create trigger run_to_search_again after update of state on run
    for each row when (new.state <> old.state and new.state <> 'running')
    execute function run_to_search()`.execute(db)
}
