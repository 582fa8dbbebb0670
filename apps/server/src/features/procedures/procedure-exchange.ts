import { isExactObject, parseExact, stringifyExact } from '@gatehouse/contract/mapping'
import type {
  HttpAnswer,
  HttpRequest,
  HttpUpstream,
  ProcedureAnswered,
  ProcedureFailed,
  ProcedureUpstream,
  UpstreamFailureCode,
} from '@gatehouse/upstream'
import type { Row } from '../../db/tables.ts'
import { storedConnection } from './connection-of.ts'
import { procedureUrl, readProcedureUrl } from './procedure-url.ts'

export interface ProcedureExchangeOptions {
  http: HttpUpstream
  procedures: ProcedureUpstream
  findApi: (id: number) => Promise<Row<'api'> | undefined>
  passwordOf: (api: Row<'api'>) => string
  /** Called with each call that was answered: the contract lock compares. */
  observe: (apiId: number, answered: ProcedureAnswered) => Promise<void>
}

/**
 * What runs send through. Stored procedures answer in the shape of HTTP, so that one table of outcomes
 * serves both. A procedure's own refusal is an answer (4xx); what failed before it was
 * called was not sent; anything else may have had its effect.
 */
export function createRunUpstream(options: ProcedureExchangeOptions): HttpUpstream {
  const { http } = options
  return {
    send: async (request) => {
      const address = readProcedureUrl(request.url)
      return address ? callProcedure(options, request, address) : http.send(request)
    },
    close: () => http.close(),
  }
}

async function callProcedure(
  { procedures, findApi, passwordOf, observe }: ProcedureExchangeOptions,
  request: HttpRequest,
  { apiId, method, isReadOnlyRequired }: NonNullable<ReturnType<typeof readProcedureUrl>>,
): Promise<HttpAnswer> {
  const api = await findApi(apiId)
  // The password is sent only to the place that the call was frozen for.
  if (
    api?.api_protocol !== 'stored_procedure' ||
    procedureUrl(api, isReadOnlyRequired) !== request.url
  )
    return notSent('blocked_address', 'Its API has another address or procedure by now.')
  const values = parseExact(request.body ?? '{}')
  const answer = await procedures.call(
    { id: String(apiId), connection: storedConnection(api, passwordOf(api)) },
    {
      name: method,
      values: isExactObject(values) ? values : {},
      timeoutMs: request.answerTimeoutMs,
      isReadOnlyRequired,
      ...(request.maxAnswerBytes === undefined ? {} : { maxBytes: request.maxAnswerBytes }),
      ...(request.signal ? { signal: request.signal } : {}),
    },
  )
  if (!answer.ok) return failed(answer)
  await observe(apiId, answer)
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
