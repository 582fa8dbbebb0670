import { PostgresAdapter, sql, type Kysely } from 'kysely'

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

/** True when PostgreSQL rolled a transaction back in favour of another; repeated, it may succeed. */
export function isConflict(error: unknown): boolean {
  // serialization_failure and deadlock_detected; SQLite has one writer and neither of them.
  return (
    error instanceof Error && 'code' in error && (error.code === '40001' || error.code === '40P01')
  )
}

/** Lets rows be added to a table and nothing else: the database itself refuses changes and deletes. */
export async function makeAppendOnly(db: Kysely<unknown>, table: string): Promise<void> {
  const refusal = `${table} is append-only`
  if (isPostgres(db)) {
    const name = sql.ref(`${table}_append_only`)
    await sql`create function ${name}() returns trigger language plpgsql as ${sql.lit(`begin raise exception '${refusal}'; end`)}`.execute(
      db,
    )
    await sql`create trigger ${name} before update or delete or truncate on ${sql.table(table)} execute function ${name}()`.execute(
      db,
    )
    return
  }
  for (const event of ['update', 'delete']) {
    const name = sql.ref(`${table}_no_${event}`)
    await sql`create trigger ${name} before ${sql.raw(event)} on ${sql.table(table)} begin select raise(abort, ${sql.lit(refusal)}); end`.execute(
      db,
    )
  }
}

/** For a migration of large tables: within this transaction statements have no time limit. */
export async function allowLongStatements<T>(db: Kysely<T>): Promise<void> {
  if (isPostgres(db)) await sql`set local statement_timeout = 0`.execute(db)
}

/** Notifies the listeners of a PostgreSQL channel when the transaction commits; SQLite has one process. */
export async function notifyAtCommit<T>(db: Kysely<T>, channel: string): Promise<void> {
  if (isPostgres(db)) await sql`select pg_notify(${channel}, '')`.execute(db)
}

/** Reads in one transaction that sees the database as it was at one moment. */
export function readAtOneMoment<T, R>(
  db: Kysely<T>,
  work: (transaction: Kysely<T>) => Promise<R>,
): Promise<R> {
  const transaction = db.transaction()
  return (isPostgres(db) ? transaction.setIsolationLevel('repeatable read') : transaction).execute(
    work,
  )
}

/**
 * Makes transactions that take the same lock run one after the other. SQLite has only one writer at a
 * time anyway.
 */
export async function lockUntilCommit<T>(db: Kysely<T>, lock: number): Promise<void> {
  if (isPostgres(db)) await sql`select pg_advisory_xact_lock(${lock})`.execute(db)
}

/**
 * Keeps other transactions from changing or deleting the rows that the query finds until this one has
 * ended. SQLite has only one writer at a time anyway.
 */
export function heldUntilCommit<T, Q extends { forShare(): Q }>(db: Kysely<T>, query: Q): Q {
  return isPostgres(db) ? query.forShare() : query
}

/** True for rows whose column contains exactly this text; case counts. Much faster than LIKE. */
export function containsText<T>(db: Kysely<T>, column: string, text: string) {
  const find = sql.raw(isPostgres(db) ? 'strpos' : 'instr')
  return sql<boolean>`${find}(${sql.ref(column)}, ${text}) > 0`
}

/** A column for a filter that many rows pass: SQLite, which keeps no statistics, uses no index of it. */
export function withoutIndex<T>(db: Kysely<T>, column: string) {
  const name = sql.ref(column)
  return isPostgres(db) ? name : sql`+${name}`
}
