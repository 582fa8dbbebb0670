import { sql, type Kysely } from 'kysely'
import { isPostgres } from './dialect.ts'

/** Of a migration: an index of all trigrams of columns finds a text at any place in them. */
export const createTextSearch = (db: Kysely<unknown>, table: string, columns: string[]) =>
  (isPostgres(db) ? indexPostgres : indexSqlite)(db, table, columns)

/** FTS5 keeps the index alone, not the texts again; triggers keep it up to date. */
async function indexSqlite(db: Kysely<unknown>, table: string, columns: string[]) {
  const names = sql.join(columns.map((column) => sql.ref(column)))
  await sql`create virtual table ${sql.table(`${table}_search`)} using fts5(${names}, content='', contentless_delete=1, tokenize='trigram')`.execute(
    db,
  )
  await createSearchTriggers(db, table, columns)
}

/** Of SQLite. They go with their table, so that a migration that makes it again makes them again. */
export async function createSearchTriggers(db: Kysely<unknown>, table: string, columns: string[]) {
  const index = sql.table(`${table}_search`)
  const names = sql.join(columns.map((column) => sql.ref(column)))
  const fresh = sql.join(columns.map((column) => sql.ref(`new.${column}`)))
  const put = sql`insert into ${index} (rowid, ${names}) values (new.id, ${fresh});`
  const remove = sql`delete from ${index} where rowid = old.id;`
  const on = {
    insert: [sql`insert`, put],
    update: [sql`update of ${names}`, sql`${remove} ${put}`],
    delete: [sql`delete`, remove],
  } as const
  for (const [name, [event, work]] of Object.entries(on))
    await sql`create trigger ${sql.ref(`${table}_search_${name}`)} after ${event} on ${sql.table(table)} begin ${work} end`.execute(
      db,
    )
}

/** Where pg_trgm can't be had, searches read whole tables as before: docs/operations/fleet.md. */
async function indexPostgres(db: Kysely<unknown>, table: string, columns: string[]) {
  const indexes = columns.map(
    (column) =>
      `execute 'create index ${table}_search_${column} on "${table}" using gin (lower(coalesce("${column}", '''')) ' || trigrams || ')';`,
  )
  await sql`${sql.raw(`do $$
    declare trigrams text;
    begin
      begin
        create extension if not exists pg_trgm;
      exception when others then null;
      end;
      select quote_ident(nspname) || '.gin_trgm_ops' into trigrams
        from pg_extension join pg_namespace on pg_namespace.oid = extnamespace where extname = 'pg_trgm';
      if trigrams is not null then ${indexes.join('\n')} end if;
    end $$`)}`.execute(db)
}
