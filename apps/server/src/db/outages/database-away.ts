import pg from 'pg'

/**
 * `away`: the database could not be reached. `busy`: it is there, and could not do this now. Either may end
 * without help.
 */
type DatabaseTrouble = 'away' | 'busy'

/** Codes of Node where a connection could not be made or broke; ENOENT: of a socket that is a file. */
const networkCodes =
  /^(ENOENT|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENETDOWN|EHOSTDOWN|ENOTFOUND|EAI_AGAIN)$/
/** SQLSTATE of PostgreSQL: connection exceptions, starting up or shutting down. */
const unreachableStates = /^(08...|57P0[1-5])$/
/** A standby, no such database, no sign-in (as after a restore or with a new password). */
const awayStates = /^(25006|3D000|28...)$/
/**
 * Too many connections, no memory; a lock was not given or a statement or transaction ended in time; it
 * lost against others again and again.
 */
const busyStates = /^(53[234]00|55P03|57014|25P0[34]|40001|40P01)$/
/** SQLITE_BUSY and SQLITE_LOCKED: another process has held the database for longer than we wait. */
const sqliteBusy = new Set([5, 6])

/** No connection to the database was free in time, or too many calls wait for one. */
export class DatabaseBusy extends Error {
  override name = 'DatabaseBusy'
}

/** The database does not answer. */
export class DatabaseAway extends Error {
  override name = 'DatabaseAway'
}

/** It answers, and takes no writes: a standby, or made read only. */
export class DatabaseReadOnly extends DatabaseAway {
  override name = 'DatabaseReadOnly'
}

/** `unreachable` is `away` without an answer, or with one that says that it is not there yet or any more. */
type Mark = DatabaseTrouble | 'unreachable'

/** What the database layer has thrown because of a trouble. */
const marked = new WeakMap<Error, Mark>()

/**
 * Returns an error that the database layer is about to throw, for `databaseTroubleOf` to recognize. Nothing else
 * says that the database is away: an upstream that refuses connections and a file that is missing have the
 * same codes. `isLost`: the connection it is of has broken.
 */
export function markDatabaseError<E>(error: E, { isLost = false } = {}): E {
  if (!(error instanceof Error) || marked.has(error)) return error
  const isCut = isLost && !(error instanceof pg.DatabaseError)
  const mark = markFor(error) ?? (isCut ? 'unreachable' : undefined)
  if (mark) marked.set(error, mark)
  return error
}

/**
 * What an error says of the database, where the database layer has thrown it or what caused it. Undefined:
 * the error is about something else.
 */
export function databaseTroubleOf(error: unknown): DatabaseTrouble | undefined {
  const mark = markOf(error)
  return mark === 'unreachable' ? 'away' : mark
}

/** True when the database could not be reached, or is busy; it may be there again later. */
export const isDatabaseAway = (error: unknown): boolean => markOf(error) !== undefined

/** True when nothing answers at the address of the database, or it says that it is starting or stopping. */
export const isUnreachable = (error: unknown): boolean => markOf(error) === 'unreachable'

function markOf(error: unknown): Mark | undefined {
  let each = error
  for (let depth = 0; each instanceof Error && depth < 5; each = each.cause, depth++) {
    const mark = marked.get(each) ?? ownMarkOf(each)
    if (mark) return mark
  }
  return undefined
}

function ownMarkOf(error: Error): Mark | undefined {
  if (error instanceof DatabaseBusy) return 'busy'
  if (error instanceof DatabaseReadOnly) return 'away'
  return error instanceof DatabaseAway ? 'unreachable' : undefined
}

function markFor(error: Error): Mark | undefined {
  const { code = '', errcode } = error as { code?: string; errcode?: number }
  if (busyStates.test(code)) return 'busy'
  if (code === 'ERR_SQLITE_ERROR') return sqliteBusy.has((errcode ?? 0) & 0xff) ? 'busy' : undefined
  if (networkCodes.test(code) || unreachableStates.test(code)) return 'unreachable'
  return awayStates.test(code) ? 'away' : ownMarkOf(error)
}
