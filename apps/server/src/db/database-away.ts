/** Codes of Node where a connection could not be made or broke; ENOENT: of a socket that is a file. */
const networkCodes =
  /^(ENOENT|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/
/** SQLSTATE of PostgreSQL: connection exceptions, too many connections, starting up or shutting down. */
const stateCodes = /^(08...|53300|57P0[123])$/
/** SQLITE_BUSY and SQLITE_LOCKED: another process has held the database for longer than we wait. */
const sqliteBusy = new Set([5, 6])
/** What `pg` throws without a code. */
const messages = /timeout exceeded|connection terminated|connection timeout/i

/** True when the database could not be reached; it may be reachable again later. */
export function isDatabaseAway(error: unknown): boolean {
  for (
    let each = error, depth = 0;
    each instanceof Error && depth < 5;
    each = each.cause, depth++
  ) {
    const { code = '', errcode } = each as { code?: string; errcode?: number }
    if (code === 'ERR_SQLITE_ERROR' && sqliteBusy.has((errcode ?? 0) & 0xff)) return true
    if (networkCodes.test(code) || stateCodes.test(code) || messages.test(each.message)) return true
    if (each instanceof AggregateError && each.errors.some(isDatabaseAway)) return true
  }
  return false
}
