import { sql, type Kysely } from 'kysely'
import { allowLongStatements, isPostgres } from '../src/db/dialect.ts'

// What a search of endpoints looks through, the name of their API among it, so that every word is found at any
// place without reading the endpoints. Triggers keep it up to date, of changes by hand too.

const columns = ['description', 'summary', 'path', 'api']

export async function up(db: Kysely<unknown>): Promise<void> {
  await allowLongStatements(db)
  await (isPostgres(db) ? onPostgres(db) : onSqlite(db))
}

/** FTS5 keeps the trigrams alone, not the texts again. */
async function onSqlite(db: Kysely<unknown>): Promise<void> {
  const names = sql.raw(columns.join(', '))
  const texts = sql.raw(
    'endpoint.id, endpoint.description, endpoint.summary, endpoint.path, api.name',
  )
  const put = (where: string) =>
    sql`insert into endpoint_search (rowid, ${names}) select ${texts}
      from endpoint join api on api.id = endpoint.api_id where ${sql.raw(where)};`
  const remove = (ids: string) => sql`delete from endpoint_search where rowid in (${sql.raw(ids)});`
  await sql`create virtual table endpoint_search using fts5(${names}, content='', contentless_delete=1, tokenize='trigram')`.execute(
    db,
  )
  await put('1 = 1').execute(db)
  const ofApi = 'select id from endpoint where api_id = new.id'
  const triggers = [
    ['endpoint_search_insert', 'insert on endpoint', put('endpoint.id = new.id')],
    [
      'endpoint_search_update',
      'update of description, summary, path, api_id on endpoint',
      sql`${remove('old.id')} ${put('endpoint.id = new.id')}`,
    ],
    ['endpoint_search_delete', 'delete on endpoint', remove('old.id')],
    [
      'endpoint_search_api',
      'update of name on api when new.name <> old.name',
      sql`${remove(ofApi)} ${put('endpoint.api_id = new.id')}`,
    ],
  ] as const
  for (const [name, event, work] of triggers)
    await sql`create trigger ${sql.ref(name)} after ${sql.raw(event)} begin ${work} end`.execute(db)
}

/** Where pg_trgm can't be had, searches read the whole of this narrow table: docs/operations.md. */
async function onPostgres(db: Kysely<unknown>): Promise<void> {
  const put = (where: string) =>
    `insert into endpoint_search (id, text)
      select endpoint.id, lower(endpoint.description || chr(10) || endpoint.summary || chr(10) || endpoint.path
        || chr(10) || api.name)
      from endpoint join api on api.id = endpoint.api_id where ${where}
      on conflict (id) do update set text = excluded.text;`
  const statements = [
    'create table endpoint_search (id integer primary key, text text not null)',
    put('true'),
    `create function keep_endpoint_search() returns trigger language plpgsql as $$
      begin
        if tg_op = 'DELETE' then delete from endpoint_search where id = old.id;
        elsif tg_table_name = 'api' then ${put('endpoint.api_id = new.id')}
        else ${put('endpoint.id = new.id')} end if;
        return null;
      end $$`,
    `create trigger endpoint_search_row after insert or delete or update of description, summary, path, api_id
      on endpoint for each row execute function keep_endpoint_search()`,
    `create trigger endpoint_search_api after update of name on api
      for each row when (new.name <> old.name) execute function keep_endpoint_search()`,
    `do $$
      declare trigrams text;
      begin
        select quote_ident(nspname) || '.gin_trgm_ops' into trigrams
          from pg_extension join pg_namespace on pg_namespace.oid = extnamespace where extname = 'pg_trgm';
        if trigrams is not null then
          execute 'create index endpoint_search_text on endpoint_search using gin (text ' || trigrams || ')';
        end if;
      end $$`,
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
}
