import type { Exchange } from '../exchange/exchange.ts'
import type { UpstreamCall } from '../exchange/upstream-call.ts'
import { maskedHeaders } from '../trace/trace.ts'
import { hiddenOf } from '../trace/hidden-of.ts'

/** Adds the call and the head of its answer to the trace of the exchange. */
export function traceCall(exchange: Exchange, call: UpstreamCall): void {
  const { target, request, failure } = call
  const hidden = hiddenOf(exchange.endpoint?.api.signIn)
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
        headers: maskedHeaders(request.headers, hidden),
        body_bytes: sentBytes(exchange, call),
      },
      answer:
        call.status === 0
          ? null
          : { status: call.status, headers: maskedHeaders(answerHeaders, hidden) },
      is_sent: call.isSent,
      failure: failure?.message ?? null,
      ...(exchange.answerUnfit === null ? {} : { answer_does_not_fit: exchange.answerUnfit }),
    },
    failure === null ? null : `upstream.${failure.failure}`,
  )
}

/** A body that is not collected goes on as it comes. */
function sentBytes({ bytesIn }: Exchange, { request: { body } }: UpstreamCall): number {
  if (body === null) return 0
  return Buffer.isBuffer(body) ? body.length : bytesIn
}
