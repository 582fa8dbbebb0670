import { DatabaseSync, type StatementSync } from 'node:sqlite'
import pg from 'pg'
import { databaseFile, type DatabaseSource } from '../../apps/server/src/db/connect.ts'
import type { Rows } from './plan-run.ts'

/** Writes many rows fast. Indexes and triggers of the tables are built once, at the end. */
interface BulkWriter {
  write(rows: Rows): Promise<void>
  /** Builds the indexes again and closes the connection. */
  finish(): Promise<void>
}

/** The order in which rows can refer to each other. */
export const filledTables = [
  'batch',
  'run',
  'run_input',
  'run_step',
  'run_attempt',
  'lane_entry',
  'pending_poll',
  'pending_step',
  'document',
  'document_step',
] as const

/** No trigger has noted the runs: the search reads them as it reads those from before it. */
const unsearched =
  'update search_progress set below = 1 + (select max(id) from run), first_below = 1 + (select max(id) from run)'

export async function openBulkWriter(source: DatabaseSource): Promise<BulkWriter> {
  if (source.kind === 'postgres') return postgresWriter(source.url)
  if (source.kind === 'file') return sqliteWriter(databaseFile(source.folder))
  throw new Error('A database in memory is not kept.')
}

function sqliteWriter(path: string): BulkWriter {
  const database = new DatabaseSync(path)
  database.exec(
    'pragma journal_mode = off; pragma synchronous = off; pragma foreign_keys = off; pragma cache_size = -1000000',
  )
  const names = filledTables.map((table) => `'${table}'`).join(', ')
  const built = database
    .prepare(
      `select type, name, sql from sqlite_master where type in ('index', 'trigger') and sql is not null and tbl_name in (${names})`,
    )
    .all() as { type: string; name: string; sql: string }[]
  for (const { type, name } of built) database.exec(`drop ${type} "${name}"`)
  const statements = new Map<string, StatementSync>()
  const insert = (table: string, row: Rows[string][number]) => {
    const columns = Object.keys(row)
    const key = `${table} ${columns.join()}`
    const made =
      statements.get(key) ??
      database.prepare(
        `insert into "${table}" (${columns.join()}) values (${columns.map(() => '?').join()})`,
      )
    statements.set(key, made)
    made.run(...Object.values(row))
  }
  return {
    write: async (rows) => {
      database.exec('begin')
      for (const table of filledTables) for (const row of rows[table] ?? []) insert(table, row)
      database.exec('commit')
    },
    finish: async () => {
      database.exec(
        'insert into run_search (rowid, search_text) select id, search_text from run order by id',
      )
      database.exec(`insert into document_search (rowid, reference, authority_reference, original_reference)
        select id, reference, authority_reference, original_reference from document order by id`)
      for (const { sql } of built) database.exec(sql)
      database.exec(unsearched)
      database.exec('pragma journal_mode = wal')
      database.close()
    },
  }
}

async function postgresWriter(url: string): Promise<BulkWriter> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(
    "set session_replication_role = replica; set synchronous_commit = off; set maintenance_work_mem = '512MB'",
  )
  const { rows: built } = await client.query<{ indexname: string; indexdef: string }>(
    `select indexname, indexdef from pg_indexes where schemaname = current_schema() and tablename = any($1)
     and indexdef not like 'CREATE UNIQUE%'`,
    [filledTables],
  )
  for (const { indexname } of built) await client.query(`drop index "${indexname}"`)
  return {
    write: async (rows) => {
      for (const table of filledTables) {
        // Rows of a table may have different columns.
        const kinds = Map.groupBy(rows[table] ?? [], (row) => Object.keys(row).join())
        for (const [columns, same] of kinds)
          await client.query(
            `insert into "${table}" (${columns}) select ${columns} from json_populate_recordset(null::"${table}", $1::json)`,
            [JSON.stringify(same)],
          )
      }
    },
    finish: async () => {
      for (const { indexdef } of built) await client.query(indexdef)
      await client.query(unsearched)
      for (const table of ['run', 'run_step', 'run_attempt', 'document', 'batch', 'pending_poll'])
        await client.query(`select setval('${table}_id_seq', coalesce(max(id), 1)) from "${table}"`)
      await client.query('vacuum analyze')
      await client.query('checkpoint')
      await client.end()
    },
  }
}
