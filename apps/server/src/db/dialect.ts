import { PostgresAdapter, sql, type Kysely } from 'kysely'
import { isStalePlan } from './postgres/prepared-statements.ts'

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

/** True when a write was refused because a row that it names is gone. */
export function isForeignKeyViolation(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, errcode } = error as { code?: string; errcode?: number }
  // PostgreSQL: foreign_key_violation. SQLite: SQLITE_CONSTRAINT_FOREIGNKEY.
  return code === '23503' || errcode === 787
}

/**
 * True when PostgreSQL rolled a transaction back in favour of others, or because a table has
 * changed since a statement was prepared; repeated, it may succeed.
 */
export function isConflict(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false
  // serialization_failure, deadlock_detected, idle_in_transaction_session_timeout (of a process that was
  // stopped for a while: PostgreSQL has seen no COMMIT). SQLite has one writer and none of them.
  return ['40001', '40P01', '25P03'].includes(String(error.code)) || isStalePlan(error)
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

/** For a migration of large tables: within this transaction statements and waits have no time limit. */
export async function allowLongStatements<T>(db: Kysely<T>): Promise<void> {
  if (!isPostgres(db)) return
  await sql`select set_config('statement_timeout', '0', true), set_config('lock_timeout', '0', true),
    set_config('idle_in_transaction_session_timeout', '0', true)`.execute(db)
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

/** How long a transaction that all servers may wait for says nothing. */
const hurryMs = 1_000

/**
 * Call it with a lock that changes of all servers queue for, before statements alone: a server that is stopped
 * from here on holds the others up for a second. PostgreSQL then ends the transaction, which is done again.
 */
export async function hurry<T>(db: Kysely<T>): Promise<void> {
  if (isPostgres(db))
    await sql`select set_config('idle_in_transaction_session_timeout', ${String(hurryMs)}, true)`.execute(
      db,
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
 * A lock of one record, of a kind of locks with this number: transactions that share it run side by side, and one
 * that has it alone waits for them and holds up the next. SQLite has only one writer at a time anyway.
 */
export async function lockRecord<T>(db: Kysely<T>, kind: number, id: number): Promise<void> {
  if (isPostgres(db)) await sql`select pg_advisory_xact_lock(${kind}::int, ${id}::int)`.execute(db)
}
export async function shareRecord<T>(db: Kysely<T>, kind: number, id: number): Promise<void> {
  if (isPostgres(db))
    await sql`select pg_advisory_xact_lock_shared(${kind}::int, ${id}::int)`.execute(db)
}

/**
 * Takes the next ids of tables for rows that this transaction inserts, so that rows which refer to
 * each other can be sent together. SQLite has only one writer, so that nothing else takes them.
 */
export async function reserveIds<T, N extends string>(
  db: Kysely<T>,
  counts: Record<N, number>,
): Promise<Record<N, number[]>> {
  const names = Object.keys(counts) as N[]
  const upTo = (first: number, count: number) =>
    Array.from({ length: count }, (_, index) => first + index)
  if (isPostgres(db)) {
    const rows = names.map(
      (name) =>
        sql`select ${sql.lit(name)} as name, nextval(${sql.lit(`${name}_id_seq`)}) as id from generate_series(1, ${counts[name]}::int)`,
    )
    const { rows: found } = await sql<{
      name: N
      id: number
    }>`${sql.join(rows, sql` union all `)}`.execute(db)
    const ids = Map.groupBy(found, ({ name }) => name)
    return Object.fromEntries(
      names.map((name) => [name, (ids.get(name) ?? []).map(({ id }) => id)]),
    ) as Record<N, number[]>
  }
  const { rows } = await sql<{
    name: string
    seq: number
  }>`select name, seq from sqlite_sequence where name in (${sql.join(names)})`.execute(db)
  const last = new Map(rows.map(({ name, seq }) => [name, seq]))
  return Object.fromEntries(
    names.map((name) => [name, upTo((last.get(name) ?? 0) + 1, counts[name])]),
  ) as Record<N, number[]>
}

/**
 * Keeps other transactions from changing or deleting the rows that the query finds until this one has
 * ended. SQLite has only one writer at a time anyway.
 */
export function heldUntilCommit<T, Q extends { forShare(): Q }>(db: Kysely<T>, query: Q): Q {
  return isPostgres(db) ? query.forShare() : query
}

/** Locks the rows that the query finds until the commit. SQLite has only one writer at a time anyway. */
export function lockedForChange<T, Q extends { forNoKeyUpdate(): Q }>(db: Kysely<T>, query: Q): Q {
  return isPostgres(db) ? query.forNoKeyUpdate() : query
}

/**
 * The time in milliseconds by the clock that all servers share: the database's. `ownMs` is that of this
 * process, which SQLite is part of; `isOwn` says to take it in any case, as tests do.
 */
export const sharedTimeMs = <T>(
  db: Kysely<T>,
  { ownMs, isOwn }: { ownMs: number; isOwn: boolean },
) => {
  if (!isPostgres(db)) return sql<number>`${ownMs}`
  return isOwn
    ? sql<number>`${ownMs}::float8`
    : sql<number>`(extract(epoch from clock_timestamp()) * 1000)::float8`
}

/**
 * Locks the rows that the query finds for changes, without those that another transaction has locked. Rows
 * that refer to them may still be added. SQLite has only one writer at a time anyway.
 */
export function lockedOrSkipped<T, Q extends { forNoKeyUpdate(): { skipLocked(): Q } }>(
  db: Kysely<T>,
  query: Q,
): Q {
  return isPostgres(db) ? query.forNoKeyUpdate().skipLocked() : query
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

/**
 * A table in a `from`, read by one of its indexes. Without statistics SQLite prefers an index of equal values,
 * however many rows it then reads. PostgreSQL has statistics.
 */
export const readByIndex = <T>(db: Kysely<T>, table: string, index: string) =>
  isPostgres(db) ? sql`${sql.table(table)}` : sql`${sql.table(table)} indexed by ${sql.ref(index)}`

/** Ids as one value of a statement, whose text is then the same for every number of them; for `isAmong`. */
export const idList = <T>(db: Kysely<T>, ids: readonly number[]): string =>
  isPostgres(db) ? `{${ids.join(',')}}` : JSON.stringify(ids)

/** True where the column has one of the ids of an `idList`. */
export const isAmong = <T>(db: Kysely<T>, column: string, list: string) =>
  isPostgres(db)
    ? sql<boolean>`${sql.ref(column)} = any(${list}::int[])`
    : sql<boolean>`${sql.ref(column)} in (select value from json_each(${list}))`

/** A text at the top level of a column that holds a JSON object; null where there is none. */
export const jsonText = <T>(db: Kysely<T>, column: string, key: string) =>
  isPostgres(db)
    ? sql<string | null>`(${sql.ref(column)}::json ->> ${sql.lit(key)})`
    : sql<string | null>`json_extract(${sql.ref(column)}, ${sql.lit(`$.${key}`)})`

/**
 * Bytes that the database holds, and bytes that it has on its disk beside them and uses again before it
 * grows; PostgreSQL does not say the latter.
 */
export async function databaseSize<T>(db: Kysely<T>): Promise<{ used: number; reusable: number }> {
  if (isPostgres(db)) {
    const { rows } = await sql<{
      used: number
    }>`select pg_database_size(current_database()) as used`.execute(db)
    return { used: rows[0]?.used ?? 0, reusable: 0 }
  }
  const { rows } = await sql<{
    used: number
    reusable: number
  }>`select (pages.page_count - free.freelist_count) * size.page_size as used,
      free.freelist_count * size.page_size as reusable
    from pragma_page_count() as pages, pragma_freelist_count() as free, pragma_page_size() as size`.execute(
    db,
  )
  return rows[0] ?? { used: 0, reusable: 0 }
}
