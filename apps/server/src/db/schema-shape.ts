import { sql } from 'kysely'
import type { Db } from './connect.ts'
import { isPostgres } from './dialect.ts'

/**
 * What the schema of a database consists of, one line for each part, sorted: tables, columns with type and default,
 * keys, indexes, triggers and functions. Two databases with the same lines have the same schema; the order of columns
 * does not count. On PostgreSQL indexes of trigrams are left out: whether they are there depends on `pg_trgm`.
 */
export async function schemaShape(db: Db): Promise<string[]> {
  const lines = await (isPostgres(db) ? ofPostgres(db) : ofSqlite(db))
  return lines.map((line) => line.replaceAll(/\s+/g, ' ').trim()).toSorted()
}

async function ofSqlite(db: Db): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    with own as (
      select name, sql from sqlite_schema
      where type = 'table' and name not like 'sqlite~_%' escape '~' and name not like 'kysely~_%' escape '~'
        and not exists (
          select 1 from sqlite_schema as virtual
          where virtual.sql like 'create virtual table%' and sqlite_schema.name glob virtual.name || '_*'
        )
    )
    select 'table ' || name || iif(sql like '%autoincrement%', ' counts ids', '')
      || iif(sql like 'create virtual%', ': ' || sql, '') as line from own
    union all
    select 'column ' || own.name || '.' || part.name || ' ' || lower(part.type)
      || ' null:' || (1 - part."notnull") || ' default:' || coalesce(part.dflt_value, '') || ' key:' || part.pk
      from own, pragma_table_info(own.name) as part where own.sql not like 'create virtual%'
    union all
    select 'reference ' || own.name || '.' || part."from" || ' to ' || part."table" || '.' || part."to"
      || ' ' || part.on_delete || ' ' || part.on_update
      from own, pragma_foreign_key_list(own.name) as part
    union all
    select 'unique ' || own.name || ' (' || (select group_concat(name) from pragma_index_info(part.name)) || ')'
      from own, pragma_index_list(own.name) as part where part.origin = 'u'
    union all
    select type || ' ' || name || ': ' || lower(sql) from sqlite_schema
      where type in ('index', 'trigger', 'view') and sql is not null`.execute(db)
  return rows.map(({ line }) => line.replaceAll('"', '').replaceAll(', ', ','))
}

async function ofPostgres(db: Db): Promise<string[]> {
  const { rows } = await sql<{ line: string; schema: string }>`
    with own as (
      select oid, relname as name from pg_class
      where relnamespace = current_schema()::regnamespace and relkind = 'r' and relname not like 'kysely\\_%'
    )
    select line, quote_ident(current_schema()) as schema from (
      select 'table ' || name as line from own
      union all
      select 'column ' || own.name || '.' || attname || ' ' || format_type(atttypid, atttypmod)
        || ' null:' || (not attnotnull)::text || ' default:' || coalesce(pg_get_expr(adbin, adrelid), '')
        || coalesce(' collate ' || (select collname from pg_collation
          where pg_collation.oid = attcollation and collname <> 'default'), '')
        from own join pg_attribute on attrelid = own.oid and attnum > 0 and not attisdropped
        left join pg_attrdef on adrelid = attrelid and adnum = attnum
      union all
      select 'constraint ' || own.name || '.' || conname || ': ' || pg_get_constraintdef(pg_constraint.oid)
        from own join pg_constraint on conrelid = own.oid where contype <> 'n'
      union all
      select 'index ' || own.name || ': ' || pg_get_indexdef(indexrelid)
        from own join pg_index on indrelid = own.oid where pg_get_indexdef(indexrelid) not like '%gin_trgm_ops%'
      union all
      select 'trigger ' || own.name || ': ' || pg_get_triggerdef(pg_trigger.oid)
        from own join pg_trigger on tgrelid = own.oid where not tgisinternal
      union all
      select 'function ' || proname || ': ' || prosrc from pg_proc
        where pronamespace = current_schema()::regnamespace
          and not exists (select 1 from pg_depend where objid = pg_proc.oid and deptype = 'e')
    ) as found`.execute(db)
  return rows.map(({ line, schema }) => line.replaceAll(`${schema}.`, ''))
}
