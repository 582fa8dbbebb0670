import { sql, type Kysely } from 'kysely'
import { allowLongStatements, isPostgres } from '../src/db/dialect.ts'

// PostgreSQL reads no row of an index that orders by an expression without reading the table too. So what a list
// of endpoints is filtered, ordered and searched by is in one narrow table. SQLite needs none.

/** Each index has all that a list is filtered by. */
const filters = ['api_id', 'status', 'method_type']

/** What the column holds, from an endpoint and its API. */
const columns = {
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

export async function up(db: Kysely<unknown>): Promise<void> {
  if (!isPostgres(db)) return
  await allowLongStatements(db)
  for (const statement of [...fill, ...index, ...keep]) await sql.raw(statement).execute(db)
}

const put = (where: string) => `
  insert into endpoint_search (${Object.keys(columns).join(', ')})
  select ${Object.values(columns).join(', ')}
  from endpoint join api on api.id = endpoint.api_id where ${where}
  on conflict (id) do update set ${Object.keys(columns)
    .filter((column) => column !== 'id')
    .map((column) => `${column} = excluded.${column}`)
    .join(', ')};`

const fill = [
  'drop table endpoint_search',
  `create table endpoint_search (
    id integer primary key,
    api_id integer not null,
    status text not null,
    method_type text not null,
    path text not null,
    description text not null,
    summary text not null,
    text text not null
  )`,
  put('true'),
]

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
  ...['by_status', 'by_method', 'by_path', 'by_description'].map(
    (name) => `drop index endpoint_${name}`,
  ),
  'analyze endpoint_search',
]

const keep = [
  `create or replace function keep_endpoint_search() returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' then delete from endpoint_search where id = old.id;
      elsif tg_table_name = 'api' then ${put('endpoint.api_id = new.id')}
      else ${put('endpoint.id = new.id')} end if;
      return null;
    end $$`,
  'drop trigger endpoint_search_row on endpoint',
  `create trigger endpoint_search_row
    after insert or delete or update of description, summary, path, api_id, status, method_type
    on endpoint for each row execute function keep_endpoint_search()`,
]
