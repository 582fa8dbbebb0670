import { ProcedureFailure } from '../procedure-failure.ts'
import type { ProcedureFailureCode, ProcedureSignature } from '../procedure-types.ts'

/** What mysql2 puts on its errors. */
interface DriverError extends Error {
  code?: string
  errno?: number
  sqlState?: string
  sqlMessage?: string
  fatal?: boolean
}

interface Meaning {
  code: ProcedureFailureCode
  retryAfterSeconds?: number
}

const busy = { code: 'procedure.busy', retryAfterSeconds: 1 } as const
const crowded = { code: 'procedure.busy', retryAfterSeconds: 5 } as const
const forbidden = { code: 'procedure.forbidden' } as const
const late = { code: 'upstream.timeout' } as const
const cut = { code: 'upstream.cut' } as const

/** By error number of MySQL and MariaDB. */
const meanings: Readonly<Record<number, Meaning>> = {
  1040: crowded, // too many connections
  1203: crowded, // too many of this user
  1226: crowded, // a quota of this user
  1205: busy, // waited too long for a lock
  1213: busy, // deadlock
  1614: busy, // deadlock of a distributed transaction
  3572: busy, // NOWAIT
  1044: forbidden, // database
  1142: forbidden, // table
  1143: forbidden, // column
  1227: forbidden, // a privilege, like FILE
  1370: forbidden, // routine
  1969: late, // MariaDB's max_statement_time
  3024: late, // MySQL's max_execution_time
  1053: cut, // shutdown
  1927: cut, // MariaDB: killed
  1152: cut,
  1158: cut,
  1159: cut,
  1160: cut,
  1161: cut,
}

/** Errors of the CALL statement itself, where they name the very procedure that was called. */
const signatureErrors = new Set([1305, 1318, 1414])

/**
 * What an error means that came after sign-in. `called`, where a procedure was: an error that names
 * it as one that could not be entered proves that nothing ran.
 */
export function classifyMysqlError(
  error: unknown,
  isSent: boolean,
  called?: ProcedureSignature,
): ProcedureFailure {
  if (error instanceof ProcedureFailure) return error
  if (!(error instanceof Error)) return failed(String(error), isSent, error)
  const { errno = 0, sqlState = '', sqlMessage, message, code }: DriverError = error
  const detail = `${code ?? errno} ${sqlState} ${sqlMessage ?? message}`.trim()
  if (sqlState.startsWith('45')) {
    const words = sqlMessage === undefined ? {} : { message: sqlMessage }
    return new ProcedureFailure('procedure.rejected', { isSent, detail, cause: error, ...words })
  }
  const isAboutCall = called !== undefined && names(sqlMessage ?? '', called)
  if (signatureErrors.has(errno) && isAboutCall) {
    const isGone = errno === 1305
    return new ProcedureFailure(isGone ? 'procedure.not_found' : 'procedure.changed', {
      isSent: false,
      detail,
      isSignatureDoubtful: true,
      cause: error,
    })
  }
  const meaning = meanings[errno]
  if (meaning) {
    const { code: known, ...rest } = meaning
    const hasRun = isSent && !(errno === 1370 && isAboutCall)
    return new ProcedureFailure(known, { isSent: hasRun, detail, cause: error, ...rest })
  }
  const isCut = sqlState === '' && isConnectionError(error)
  return isCut
    ? new ProcedureFailure('upstream.cut', { isSent, detail, cause: error })
    : failed(detail, isSent, error)
}

/** What an error means that came before the connection was ready: nothing was called. */
export function classifySignInError(error: unknown): ProcedureFailure {
  if (error instanceof ProcedureFailure) return error
  const known = classifyMysqlError(error, false)
  const isTls = error instanceof Error && isTlsError(error)
  if (isTls) return known.as('upstream.tls')
  const isForbidden = known.code === 'procedure.forbidden' || known.code === 'procedure.failed'
  return isForbidden ? known.as('procedure.sign_in') : known
}

/** A server's own error leaves the connection usable; anything else does not. */
export function isServerError(error: unknown): boolean {
  return (
    error instanceof Error && 'sqlState' in error && !('fatal' in error && error.fatal === true)
  )
}

function isTlsError({ code = '' }: DriverError): boolean {
  return /^HANDSHAKE_(?:NO_SSL|SSL)|^ERR_(?:SSL|TLS)|CERT|SIGNATURE/.test(code)
}

function isConnectionError({ code = '' }: DriverError): boolean {
  return /^(?:PROTOCOL_CONNECTION_LOST|GATEHOUSE_RESET|E[A-Z]+)$/.test(code)
}

const names = (message: string, { schema, name }: ProcedureSignature) =>
  message.includes(`${schema}.${name}`)

const failed = (detail: string, isSent: boolean, cause: unknown) =>
  new ProcedureFailure('procedure.failed', { isSent, detail, cause })
