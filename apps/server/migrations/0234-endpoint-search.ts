import { sql, type Kysely } from 'kysely'
import { isPostgres } from '../src/db/dialect.ts'

// What a search of endpoints looks through, the name of their API among it, so that every word is found at any
// place without reading the endpoints. Triggers keep it up to date, of changes by hand too.

export async function up(db: Kysely<unknown>): Promise<void> {
  await (isPostgres(db) ? onPostgres(db) : onSqlite(db))
}

const searched = ['description', 'summary', 'path', 'api']

/** FTS5 keeps the trigrams alone, not the texts again. */
async function onSqlite(db: Kysely<unknown>): Promise<void> {
  const names = sql.raw(searched.join(', '))
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
  // One index for each filter and each order of the list. Texts count with as many characters as fit an index.
  const first = {
    by_status: 'status',
    by_method: 'method_type',
    by_path: 'substr(lower(path), 1, 100)',
    by_description: 'substr(lower(description), 1, 100)',
  }
  for (const [name, column] of Object.entries(first)) {
    const others = filters.filter((each) => each !== column).join(', ')
    await sql
      .raw(`create index endpoint_${name} on endpoint (${column}, id, ${others})`)
      .execute(db)
  }
}

// PostgreSQL reads no row of an index that orders by an expression without reading the table too. So what a list
// of endpoints is filtered, ordered and searched by is in one narrow table. SQLite needs none. Where pg_trgm can't be
// had, searches read the whole of it: docs/operations.md.

/** Each index has all that a list is filtered by. */
const filters = ['api_id', 'status', 'method_type']

/** What the column holds, from an endpoint and its API. */
const listed = {
  id: 'endpoint.id',
  api_id: 'endpoint.api_id',
  status: 'endpoint.status',
  method_type: 'endpoint.method_type',
  path: 'substr(lower(endpoint.path), 1, 100)',
  description: 'substr(lower(endpoint.description), 1, 100)',
  summary: 'lower(endpoint.summary)',
  text: `lower(endpoint.description || chr(10) || endpoint.summary || chr(10) || endpoint.path
    || chr(10) || api.name)`,
}

async function onPostgres(db: Kysely<unknown>): Promise<void> {
  for (const statement of [table, ...index, ...keep]) await sql.raw(statement).execute(db)
}

const put = (where: string) => `
  insert into endpoint_search (${Object.keys(listed).join(', ')})
  select ${Object.values(listed).join(', ')}
  from endpoint join api on api.id = endpoint.api_id where ${where}
  on conflict (id) do update set ${Object.keys(listed)
    .filter((column) => column !== 'id')
    .map((column) => `${column} = excluded.${column}`)
    .join(', ')};`

const table = `create table endpoint_search (
  id integer primary key,
  api_id integer not null,
  status text not null,
  method_type text not null,
  path text not null,
  description text not null,
  summary text not null,
  text text not null
)`

const index = [
  ...['api_id', 'status', 'method_type', 'path', 'description'].map((first) => {
    const others = filters.filter((each) => each !== first).join(', ')
    return `create index endpoint_search_${first} on endpoint_search (${first}, id, ${others})`
  }),
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

const keep = [
  `create function keep_endpoint_search() returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' then delete from endpoint_search where id = old.id;
      elsif tg_table_name = 'api' then ${put('endpoint.api_id = new.id')}
      else ${put('endpoint.id = new.id')} end if;
      return null;
    end $$`,
  `create trigger endpoint_search_row
    after insert or delete or update of description, summary, path, api_id, status, method_type
    on endpoint for each row execute function keep_endpoint_search()`,
  `create trigger endpoint_search_api after update of name on api
    for each row when (new.name <> old.name) execute function keep_endpoint_search()`,
]
