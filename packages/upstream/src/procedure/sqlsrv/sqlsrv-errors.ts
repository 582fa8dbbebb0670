import { UpstreamFailure } from '../../failures.ts'
import { parametersFailure } from '../match-values.ts'
import { failureOfConnecting, ProcedureFailure } from '../procedure-failure.ts'
import type { ProcedureSignature } from '../procedure-types.ts'
import { quoteProcedureName } from './sqlsrv-names.ts'

/** Numbers of RAISERROR and THROW begin here: the authors of procedures choose them. */
const firstOwnNumber = 50_000

/** Deadlock victim, lock time-out, snapshot conflicts: they pass within seconds. */
const conflicts = new Set([1205, 1222, 3960, 41302, 41305, 41325])
/** No memory, no lock, no worker, no session left; Azure's throttling and its databases on the move. */
const overloads = new Set([
  701, 1204, 8645, 8651, 10928, 10929, 10936, 17809, 40197, 40501, 40613, 49918, 49919, 49920,
])
const permissions = new Set([229, 230, 262, 297, 300, 916])

/** An error with a number of the database, in tedious's form. tedious is not loaded by this file. */
interface NumberedError extends Error {
  number: number
}

const isNumbered = (error: unknown): error is NumberedError =>
  error instanceof Error && 'number' in error && typeof error.number === 'number'

const numberedOf = (error: unknown): NumberedError[] =>
  (error instanceof AggregateError ? error.errors : [error]).filter(isNumbered)

/**
 * What an error of the database means. Its text goes to the log only, unless the procedure's author
 * wrote it for callers. `hasAnswered`: a part of the answer came before it.
 */
export function failureOfCall(
  error: unknown,
  signature: ProcedureSignature,
  hasAnswered: boolean,
): ProcedureFailure {
  const errors = numberedOf(error)
  const isFirst = errors.length === 1 && !hasAnswered
  const failures = errors.map((each) => failureOf(each, signature, isFirst))
  // The author's rethrow says more than the original error. A conflict says more than either.
  return (
    failures.find(({ code }) => code === 'procedure.busy') ??
    failures.find(({ code }) => code === 'procedure.rejected') ??
    failures[0] ??
    failureOfLoss(error, true)
  )
}

function failureOf(
  error: NumberedError,
  signature: ProcedureSignature,
  isFirst: boolean,
): ProcedureFailure {
  const { number, message } = error
  const parts = { isSent: true, detail: `${number}: ${message}`, cause: error }
  if (number >= firstOwnNumber) {
    return new ProcedureFailure('procedure.rejected', { ...parts, message })
  }
  if (conflicts.has(number)) {
    return new ProcedureFailure('procedure.busy', { ...parts, retryAfterSeconds: 1 })
  }
  if (overloads.has(number)) {
    return new ProcedureFailure('procedure.busy', { ...parts, retryAfterSeconds: 5 })
  }
  // The same numbers can come from inside the procedure. Only the names in the text differ.
  const isSent = !isFirst || !isAboutCall(error, signature)
  if (permissions.has(number))
    return new ProcedureFailure('procedure.forbidden', { ...parts, isSent })
  const refusal = isSent ? undefined : refusalOf(error, signature, parts)
  return refusal ?? new ProcedureFailure('procedure.failed', parts)
}

/** What the server refuses about the call itself, before the procedure begins. */
function refusalOf(
  { number, message }: NumberedError,
  signature: ProcedureSignature,
  parts: { detail: string; cause: unknown },
): ProcedureFailure {
  const before = { ...parts, isSent: false, isSignatureDoubtful: true }
  if (number === 2812) return new ProcedureFailure('procedure.not_found', before)
  const name = number === 201 ? /parameter '@([^']+)'/.exec(message)?.[1] : undefined
  const parameter = signature.parameters.find((each) => each.name === name)
  if (parameter) return parametersFailure({ [parameter.name]: ['This parameter is required.'] })
  return new ProcedureFailure('procedure.changed', before)
}

/** Whether an error names the procedure that was called, not another one that it calls. */
function isAboutCall({ number, message }: NumberedError, { schema, name }: ProcedureSignature) {
  switch (number) {
    case 229:
      return (
        message.includes('EXECUTE') &&
        message.includes(`object '${name}'`) &&
        message.includes(`schema '${schema}'`)
      )
    case 2812:
      return [`'${schema}.${name}'`, `'${quoteProcedureName({ schema, name })}'`].some((each) =>
        message.includes(each),
      )
    case 201:
      return message.includes(` '${name}' `)
    case 8144:
    case 8146:
      return message.includes(` ${name} has `)
    case 8145:
      return message.endsWith(` ${name}.`)
    default:
      return false
  }
}

/** The procedure ended the transaction it was called in. It has run when this error comes. */
export function isTransactionMismatch(error: unknown): boolean {
  const errors = numberedOf(error)
  return errors.length > 0 && errors.every(({ number }) => number === 266)
}

/** All other errors: those without a number of the database. */
export function failureOfLoss(error: unknown, isSent: boolean): ProcedureFailure {
  if (error instanceof ProcedureFailure) return error
  const parts = { isSent, detail: messageOf(error), cause: error }
  const hasCode = error instanceof Error && 'code' in error && error.code !== 'EREQUEST'
  return new ProcedureFailure(hasCode ? 'upstream.cut' : 'procedure.failed', parts)
}

/** Why no connection was opened. `loginNumber`: the server's error while signing in. */
export function failureOfSignIn(error: unknown, loginNumber: number | undefined): ProcedureFailure {
  for (const each of causes(error)) {
    if (each instanceof ProcedureFailure) return each
    if (each instanceof UpstreamFailure) return failureOfConnecting(each)
  }
  const parts = { isSent: false, detail: messageOf(error), cause: error }
  if (loginNumber !== undefined && overloads.has(loginNumber)) {
    return new ProcedureFailure('procedure.busy', { ...parts, retryAfterSeconds: 5 })
  }
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ELOGIN') return new ProcedureFailure('procedure.sign_in', parts)
  if (code === 'ETIMEOUT') return new ProcedureFailure('upstream.connect_timeout', parts)
  if (code === 'EENCRYPT' || causes(error).some(isTlsError)) {
    return new ProcedureFailure('upstream.tls', parts)
  }
  return new ProcedureFailure('upstream.cut', parts)
}

const tlsCodes = /^(?:ERR_SSL|ERR_TLS|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HOSTNAME_)/

function isTlsError(error: Error): boolean {
  return 'code' in error && typeof error.code === 'string' && tlsCodes.test(error.code)
}

function causes(error: unknown): Error[] {
  const found: Error[] = []
  for (let each = error; each instanceof Error && found.length < 5; each = each.cause)
    found.push(each)
  return found
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
