/** The constraint that a write violated, as far as the database reports it. */
export type Violation =
  /** Another row holds the value already; `columns` may hold the name of a constraint too. */
  | { kind: 'unique'; columns: string[] }
  /** The row that the column refers to does not exist; null: the database does not report the column (SQLite). */
  | { kind: 'missing'; column: string | null }
  /** Rows still refer, in that column, to the row that was to be deleted. */
  | { kind: 'referenced'; column: string | null }

/** SQLITE_CONSTRAINT_UNIQUE, SQLITE_CONSTRAINT_PRIMARYKEY */
const sqliteUnique: ReadonlySet<number> = new Set([2067, 1555])
/** SQLITE_CONSTRAINT_FOREIGNKEY */
const sqliteForeignKey = 787

/** Columns are `table.column`. Undefined: the error is about no unique value and no reference. */
export function violationOf(error: unknown): Violation | undefined {
  if (!(error instanceof Error)) return undefined
  const { code, errcode, table = '', constraint = '', detail = '' } = error as PostgresFacts
  // PostgreSQL: unique_violation and foreign_key_violation.
  if (code === '23505')
    return { kind: 'unique', columns: [...columnsIn(detail, table), constraint] }
  if (code === '23503') {
    const isReferenced = detail.includes('is still referenced')
    const column = isReferenced ? constraintColumn(constraint, table) : columnsIn(detail, table)[0]
    return { kind: isReferenced ? 'referenced' : 'missing', column: column ?? null }
  }
  if (errcode === sqliteForeignKey) return { kind: 'missing', column: null }
  if (errcode !== undefined && sqliteUnique.has(errcode))
    return { kind: 'unique', columns: error.message.match(/\w+\.\w+/g) ?? [] }
  return undefined
}

interface PostgresFacts {
  code?: string
  errcode?: number
  table?: string
  constraint?: string
  detail?: string
}

/** `Key (api_id, path_key)=(1, /a) already exists.` */
const columnsIn = (detail: string, table: string): string[] =>
  (/^Key \(([^)]*)\)=/.exec(detail)?.[1] ?? '')
    .split(', ')
    .filter(Boolean)
    .map((column) => `${table}.${column}`)

/** `endpoint_api_id_fkey`, the name that PostgreSQL gives by default. */
const constraintColumn = (constraint: string, table: string): string | null =>
  constraint.startsWith(`${table}_`)
    ? `${table}.${constraint.slice(table.length + 1).replace(/_fkey$/, '')}`
    : null
