import { isExactObject, parseExact, stringifyExact } from '@gatehouse/contract/mapping'
import type { HttpAnswer, HttpRequest, UpstreamFailureCode } from '../http/http-answer.ts'
import { addressOf } from '../target.ts'
import type { ProcedureTarget } from '../target.ts'
import type { ProcedureAnswered, ProcedureFailed } from './procedure-types.ts'
import type { ProcedureUpstream } from './procedure-upstream.ts'

export interface ProcedureExchangeOptions {
  procedures: Pick<ProcedureUpstream, 'call'>
  /** Called with each procedure that answered: the contract lock compares. */
  onProcedureAnswered: (apiId: string, answered: ProcedureAnswered) => Promise<void>
}

/** Calls a stored procedure. The request's body holds the values of its parameters by name. */
export async function callProcedure(
  { procedures, onProcedureAnswered }: ProcedureExchangeOptions,
  target: ProcedureTarget,
  request: HttpRequest,
): Promise<HttpAnswer> {
  // The password is sent only to the place that the call was frozen for.
  if (addressOf(target) !== request.url)
    return notSent('blocked_address', 'Its API has another address or procedure by now.')
  const values = parseExact(request.body ?? '{}')
  const answer = await procedures.call(target.api, {
    name: target.name,
    values: isExactObject(values) ? values : {},
    timeoutMs: request.answerTimeoutMs,
    isReadOnlyRequired: target.isReadOnlyRequired,
    ...(request.maxAnswerBytes === undefined ? {} : { maxBytes: request.maxAnswerBytes }),
    ...(request.signal ? { signal: request.signal } : {}),
    ...(request.maySend ? { maySend: request.maySend } : {}),
  })
  if (!answer.ok) return failed(answer)
  await onProcedureAnswered(target.api.id, answer)
  return json(200, stringifyExact(answer.body), answer.durationMs)
}

function json(status: number, text: string, durationMs: number, more = {}): HttpAnswer {
  const headers = { 'content-type': 'application/json', ...more }
  return { ok: true, status, headers, body: Buffer.from(text), durationMs }
}

function notSent(code: UpstreamFailureCode, detail: string): HttpAnswer {
  return { ok: false, code, isSent: false, detail, durationMs: 0, cause: undefined }
}

const failureCodes: Partial<Record<ProcedureFailed['code'], UpstreamFailureCode>> = {
  'upstream.blocked_address': 'blocked_address',
  'upstream.dns': 'dns',
  'upstream.refused': 'refused',
  'upstream.connect_timeout': 'connect_timeout',
  'upstream.tls': 'tls',
  'upstream.timeout': 'timeout',
  'upstream.cut': 'cut',
  'procedure.cancelled': 'aborted',
  'procedure.too_many_rows': 'too_large',
  'procedure.too_large': 'too_large',
}

function failed(failure: ProcedureFailed): HttpAnswer {
  const { code, status, message, fields, detail, isSent, durationMs, cause } = failure
  const isRefusal = status < 500
  if (isRefusal || (isSent && failureCodes[code] === undefined)) {
    const { retryAfterSeconds } = failure
    const retryAfter =
      retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }
    const body = { message, ...(fields ? { errors: fields } : {}) }
    return json(status, JSON.stringify(body), durationMs, retryAfter)
  }
  // Nothing was called: for any reason this is as safe as a refused connection.
  return { ok: false, code: failureCodes[code] ?? 'refused', isSent, detail, durationMs, cause }
}
