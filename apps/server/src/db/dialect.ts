import { PostgresAdapter, type Kysely } from 'kysely'

export function isPostgres<T>(db: Kysely<T>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter
}

/**
 * True when a write was refused because another row already holds the same value in one of the
 * unique columns named. Checks before a write give the clear error; this one decides the race.
 */
export function isUniqueViolation(error: unknown, ...columns: string[]): boolean {
  if (!(error instanceof Error)) return false
  const { code, constraint, errcode } = error as {
    code?: string
    constraint?: string
    errcode?: number
  }
  // PostgreSQL: unique_violation. SQLite: SQLITE_CONSTRAINT_UNIQUE, with table.column in its text.
  const violated =
    code === '23505' ? (constraint ?? '') : errcode === 2067 ? error.message : undefined
  return violated !== undefined && columns.every((column) => violated.includes(column))
}
