import type { ExactJson } from '@gatehouse/contract/mapping'
import type { ProcedureAnswer } from '@gatehouse/upstream'
import type { Exchange } from '../exchange/api-policy.ts'
import { maskedHeaders } from '../trace/trace.ts'
import type { UpstreamCall } from '../exchange/upstream-call.ts'

/** What the screen shows of a stage that has just run. */
export function traceDetails(exchange: Exchange, stage: string): Record<string, unknown> {
  const { endpoint, token } = exchange
  switch (stage) {
    case 'guard':
      return { method: exchange.method, path: exchange.path, host: exchange.host }
    case 'match':
      if (endpoint === null) return exchange.allow === '' ? {} : { allow: exchange.allow }
      return {
        endpoint_id: endpoint.id,
        api_id: endpoint.api.id,
        api: endpoint.api.name,
        method: endpoint.method,
        path: endpoint.fullPath,
        params: Object.fromEntries(
          endpoint.paramNames.map((name, at) => [name, exchange.params[at]]),
        ),
      }
    case 'authenticate':
      return { is_token_required: endpoint?.isTokenRequired ?? false, token_id: token?.id ?? null }
    case 'authorize':
      return {
        is_super_admin: token?.isSuperAdmin ?? false,
        client: exchange.clientAddress,
        is_internal_only: endpoint?.api.isInternal ?? false,
      }
    case 'policy':
      return exchange.policyRun?.details() ?? {}
    case 'output':
      return { output: endpoint?.output?.kind ?? 'none' }
    default:
      return {}
  }
}

/** The call and the head of its answer. */
export function traceCall(exchange: Exchange, call: UpstreamCall): void {
  const { target, request, failure } = call
  const answerHeaders = Object.entries(call.headers).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().flatMap((each) => [name, each]),
  )
  exchange.trace?.add(
    'forward',
    failure === null ? 'answered' : 'refused',
    call.startedAtMs,
    {
      request: {
        method: exchange.method,
        url: target.upstream.origin + request.path,
        headers: maskedHeaders(request.headers),
        body_bytes: exchange.bytesIn,
      },
      answer:
        call.status === 0 ? null : { status: call.status, headers: maskedHeaders(answerHeaders) },
      is_sent: call.isSent,
      failure: failure?.message ?? null,
    },
    failure === null ? null : `upstream.${failure.failure}`,
  )
}

export function traceProcedure(
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
