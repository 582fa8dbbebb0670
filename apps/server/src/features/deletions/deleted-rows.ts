import type { UndoableThing } from '@gatehouse/contract'
import type { Kysely } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { inParts } from '../../kernel/in-parts.ts'
import type { Database } from '../../db/tables.ts'

type Table = keyof Database
type RawRow = Record<string, unknown>
/** Rows by their tables, in the order in which they can be inserted. */
export type DeletedRows = [table: string, rows: RawRow[]][]

interface Part {
  table: Table
  /** Holds the id of the thing. */
  column: string
  /** Columns that name rows of other tables. A row goes back only if those are still there. */
  names?: Readonly<Record<string, Table>>
}

/** What a deletion takes, beside what the product obtains again: tokens of sign-ins at upstreams. */
export const partsOf: Record<UndoableThing, readonly Part[]> = {
  api: [
    { table: 'api', column: 'id' },
    { table: 'procedure_contract', column: 'api_id' },
    { table: 'api_draft', column: 'api_id' },
  ],
  endpoint: [
    { table: 'endpoint', column: 'id', names: { api_id: 'api', status_endpoint_id: 'endpoint' } },
    { table: 'role_endpoint', column: 'endpoint_id', names: { role_id: 'role' } },
  ],
  role: [
    { table: 'role', column: 'id' },
    { table: 'role_permission', column: 'role_id' },
    { table: 'role_endpoint', column: 'role_id', names: { endpoint_id: 'endpoint' } },
    { table: 'role_workflow', column: 'role_id', names: { workflow_id: 'workflow' } },
    { table: 'docs_link', column: 'role_id' },
    { table: 'token_issuer_role', column: 'role_id', names: { issuer_id: 'token_issuer' } },
    { table: 'sign_on_role', column: 'role_id' },
  ],
}

/** The most rows of one statement: databases limit its parameters. */
const rowsAtOnce = 500

/** The tables are known by their names alone, so that the compiler can't know their columns. */
const raw = (db: Db) => db as unknown as Kysely<Record<string, RawRow>>

export async function readRows(db: Db, thing: UndoableThing, id: number): Promise<DeletedRows> {
  const read: DeletedRows = []
  for (const { table, column } of partsOf[thing])
    read.push([table, await raw(db).selectFrom(table).selectAll().where(column, '=', id).execute()])
  return read
}

/** False, with nothing written, where the thing belongs to a record that is gone. */
export async function insertRows(
  db: Db,
  thing: UndoableThing,
  kept: DeletedRows,
): Promise<boolean> {
  for (const [at, part] of partsOf[thing].entries()) {
    const all = kept.find(([table]) => table === part.table)?.[1] ?? []
    const rows = await stillNamed(db, all, part.names ?? {})
    if (at === 0 && rows.length === 0) return false
    for (const some of inParts(rows, rowsAtOnce))
      await raw(db).insertInto(part.table).values(some).execute()
  }
  return true
}

async function stillNamed(
  db: Db,
  rows: RawRow[],
  names: NonNullable<Part['names']>,
): Promise<RawRow[]> {
  let left = rows
  for (const [column, table] of Object.entries(names)) {
    const ids = [...new Set(left.map((row) => row[column]).filter((id) => id !== null))]
    const there = new Set<unknown>()
    for (const some of inParts(ids, rowsAtOnce)) {
      const found = await raw(db).selectFrom(table).select('id').where('id', 'in', some).execute()
      for (const { id } of found) there.add(id)
    }
    left = left.filter((row) => row[column] === null || there.has(row[column]))
  }
  return left
}
