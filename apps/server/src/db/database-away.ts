/** Codes of Node where a connection could not be made or broke; ENOENT: of a socket that is a file. */
const networkCodes =
  /^(ENOENT|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENETDOWN|EHOSTDOWN|ENOTFOUND|EAI_AGAIN)$/
/**
 * SQLSTATE of PostgreSQL: connection exceptions, starting up or shutting down; a standby, no such database,
 * no sign-in (as after a restore or with a new password).
 */
const awayStates = /^(08...|57P0[1-5]|25006|3D000|28...)$/
/**
 * Too many connections, no memory; a lock was not given or a statement or transaction ended in time; it
 * lost against others again and again.
 */
const busyStates = /^(53[234]00|55P03|57014|25P0[34]|40001|40P01)$/
/** SQLITE_BUSY and SQLITE_LOCKED: another process has held the database for longer than we wait. */
const sqliteBusy = new Set([5, 6])
/** What `pg` and Kysely throw without a code. */
const messages =
  /timeout exceeded|connection terminated|connection timeout|timeout expired|is not queryable|connection has been discarded/i

/** No connection to the database was free in time, or too many calls wait for one. */
export class DatabaseBusy extends Error {
  override name = 'DatabaseBusy'
}

/** The database does not answer, or takes no writes. */
export class DatabaseAway extends Error {
  override name = 'DatabaseAway'
}

/**
 * `away`: the database could not be reached. `busy`: it is there, and could not do this now. Either may end
 * by itself. Undefined: the error is about something else.
 */
export function databaseTroubleOf(error: unknown): 'away' | 'busy' | undefined {
  let each = error
  for (let depth = 0; each instanceof Error && depth < 5; each = each.cause, depth++) {
    const trouble = troubleOf(each)
    if (trouble) return trouble
  }
  return undefined
}

/** True when the database could not be reached, or is busy; it may be there again later. */
export const isDatabaseAway = (error: unknown): boolean => databaseTroubleOf(error) !== undefined

function troubleOf(error: Error): 'away' | 'busy' | undefined {
  const { code = '', errcode } = error as { code?: string; errcode?: number }
  if (error instanceof DatabaseBusy || busyStates.test(code)) return 'busy'
  if (code === 'ERR_SQLITE_ERROR' && sqliteBusy.has((errcode ?? 0) & 0xff)) return 'busy'
  if (error instanceof DatabaseAway || networkCodes.test(code) || awayStates.test(code))
    return 'away'
  if (messages.test(error.message)) return 'away'
  if (error instanceof AggregateError)
    return error.errors.map(databaseTroubleOf).find((trouble) => trouble !== undefined)
  return undefined
}
