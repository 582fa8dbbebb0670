import { emptyObject, isExactObject, parseExact, stringifyExact } from '@gatehouse/contract/mapping'
import type { ExactJson, ExactObject } from '@gatehouse/contract/mapping'
import type { ProcedureAnswer, ProcedureFailed } from '@gatehouse/upstream'
import { paramsOf, queryOf } from '../output/output-scope.ts'
import type { CompiledProcedure } from '../snapshot/compile-procedure.ts'
import type { CompiledEndpoint } from '../snapshot/compile-snapshot.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { answerRendered } from '../calls/template-answer.ts'
import { collectBody } from '../calls/upload.ts'
import type { Verdict } from '../exchange/verdict.ts'
import type { Stage } from './stage.ts'

const bodyBytesMax = 1024 * 1024

export const procedure: Stage = {
  name: 'procedure',
  run: callProcedure,
  traceDetails: () => ({}),
  isTracedAtEnd: true,
}

/**
 * Calls the stored procedure of an API that is one: parameters by name from the path, the query and
 * the fields of a JSON body, in this order of precedence. A GET needs a procedure that only reads.
 */
function callProcedure(exchange: Exchange): Verdict {
  const { endpoint } = exchange
  const called = endpoint?.api.procedure
  if (!endpoint || !called) return 'next'
  if (!exchange.hasBody) {
    void call(exchange, endpoint, called, emptyObject())
    return 'stop'
  }
  const callWith = (body: Buffer) => {
    const fields = readFields(exchange, body)
    if (fields !== undefined) void call(exchange, endpoint, called, fields)
  }
  if (exchange.contentLength > bodyBytesMax) return exchange.refuse('client.too_large')
  if (exchange.heldBody !== null) callWith(exchange.heldBody)
  else collectBody(exchange, callWith, bodyBytesMax)
  return 'stop'
}

const withParameters = (exchange: Exchange, fields: ExactObject): ExactObject =>
  Object.assign(fields, queryOf(exchange.query), paramsOf(exchange))

/** What the procedure would be called with. Undefined: the body is no object, and the request was refused. */
export function procedureValues(exchange: Exchange, body: Buffer | null): ExactObject | undefined {
  const fields = body === null ? emptyObject() : readFields(exchange, body)
  return fields && withParameters(exchange, fields)
}

function readFields(exchange: Exchange, body: Buffer): ExactObject | undefined {
  try {
    const value = parseExact(body.toString('utf8'))
    if (isExactObject(value)) return value
    exchange.refuse('client.body_not_object')
  } catch (error) {
    exchange.refuse('client.not_json', { message: (error as Error).message })
  }
  return undefined
}

async function call(
  exchange: Exchange,
  endpoint: CompiledEndpoint,
  { api, name }: CompiledProcedure,
  fields: ExactObject,
): Promise<void> {
  const startedAtMs = performance.now()
  const cancel = new AbortController()
  exchange.call = { cancel: () => cancel.abort() }
  try {
    const values = withParameters(exchange, fields)
    const isRead = exchange.method === 'GET' || exchange.method === 'HEAD'
    const procedures = await exchange.gateway.procedures()
    exchange.isSent = true
    const answer = await procedures.call(api, {
      name,
      values,
      timeoutMs: endpoint.answerTimeoutMs,
      isReadOnlyRequired: isRead && !endpoint.config.is_read_only,
      signal: cancel.signal,
    })
    exchange.isSent = answer.ok || answer.isSent
    exchange.upstreamMs += performance.now() - startedAtMs
    traceProcedure(exchange, { name, values, answer, startedAtMs })
    if (answer.ok) exchange.gateway.noteProcedure(endpoint.api.config.id, answer)
    if (exchange.isEnded) return
    if (!answer.ok) answerFailed(exchange, answer)
    else if (endpoint.output?.kind === 'template') {
      answerRendered(exchange, { status: 200, headers: {} }, answer.body)
    } else {
      const headers = [
        'Content-Type',
        'application/json; charset=utf-8',
        'X-Content-Type-Options',
        'nosniff',
      ]
      exchange.answer(200, headers, stringifyExact(answer.body))
    }
  } catch (error) {
    exchange.handleFault(error)
  }
}

function answerFailed(exchange: Exchange, failed: ProcedureFailed): void {
  const { status, code, message, fields, detail, retryAfterSeconds } = failed
  const headers: string[] = []
  if (retryAfterSeconds !== undefined) headers.push('Retry-After', String(retryAfterSeconds))
  if (status === 405) headers.push('Allow', '')
  exchange.refuseWith(
    { status, code, message, ...(fields ? { errors: fields } : {}) },
    { headers, detail },
  )
}

function traceProcedure(
  exchange: Exchange,
  called: {
    name: string
    values: Readonly<Record<string, ExactJson>>
    answer: ProcedureAnswer
    startedAtMs: number
  },
): void {
  const { name, values, answer, startedAtMs } = called
  exchange.trace?.add(
    'procedure',
    answer.ok ? 'answered' : 'refused',
    startedAtMs,
    { procedure: name, parameters: Object.keys(values), is_sent: answer.ok || answer.isSent },
    answer.ok ? null : answer.code,
  )
}
