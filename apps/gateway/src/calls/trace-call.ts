import type { Exchange } from '../exchange/exchange.ts'
import type { UpstreamCall } from '../exchange/upstream-call.ts'
import { maskedHeaders } from '../trace/trace.ts'
import type { Hidden } from '../trace/trace.ts'
import { isTokenCredential } from '@gatehouse/contract/credential'
import { secretsOf, signedIn } from '@gatehouse/upstream/http'

/** Adds the call and the head of its answer to the trace of the exchange. */
export function traceCall(exchange: Exchange, call: UpstreamCall): void {
  const { target, request, failure } = call
  const hidden = hiddenOf(exchange)
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
        body_bytes: exchange.bytesIn,
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

/** Everything secret of the API's credential, and the token that was obtained with it. */
function hiddenOf({ endpoint }: Exchange): Hidden {
  const signIn = endpoint?.api.signIn
  if (!signIn?.credential) return { names: [], secrets: [] }
  const { credential, slot, names } = signIn
  const secrets = isTokenCredential(credential)
    ? [...secretsOf(credential), ...(slot?.tokens ?? [])]
    : signedIn(credential).secrets
  return { names, secrets: [...secrets] }
}
