import { redactSecrets } from '@gatehouse/logging/files'
import { attributesOf, spanError, spanKinds, type OtlpSpan } from '@gatehouse/logging/spans'
import type { AccountedRequest } from '../account/accounted-request.ts'
import type { CallSpan, RequestSpan } from './request-span.ts'

/** Microseconds since 1970 fit into a number; the rest of the nanoseconds is not known. */
const nanos = (ms: number) => `${Math.round((performance.timeOrigin + ms) * 1_000)}000`

/** The spans of a request that has just ended: its own first. Nothing in them is a secret or a query. */
export function otlpSpans(request: AccountedRequest, span: RequestSpan): OtlpSpan[] {
  return [serverSpan(request, span), ...span.calls.map((call) => clientSpan(request, span, call))]
}

function serverSpan(request: AccountedRequest, span: RequestSpan): OtlpSpan {
  const { endpoint, method, status, code } = request
  const route = endpoint?.fullPath ?? ''
  const isError = status >= 500 || status === 0
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    ...(span.parentId === null ? {} : { parentSpanId: span.parentId }),
    name: route === '' ? method : `${method} ${route}`,
    kind: spanKinds.server,
    startTimeUnixNano: nanos(request.startedAtMs),
    endTimeUnixNano: nanos(performance.now()),
    attributes: attributesOf({
      'http.request.method': method,
      'http.route': route,
      'url.path': redactSecrets(request.path),
      'http.response.status_code': status === 0 ? null : status,
      'error.type': isError ? (code ?? String(status)) : null,
      'client.address': request.clientAddress,
      'gatehouse.request_id': request.requestId,
      'gatehouse.code': code,
      'gatehouse.endpoint_id': endpoint?.config.id ?? null,
      'gatehouse.api_id': endpoint?.config.api_id ?? null,
      'gatehouse.token_id': request.caller?.tokenId ?? null,
      'gatehouse.revision': request.snapshot.revision,
    }),
    ...(isError ? { status: { code: spanError, message: code ?? '' } } : {}),
  }
}

function clientSpan({ method }: AccountedRequest, span: RequestSpan, call: CallSpan): OtlpSpan {
  const isError = call.failure !== null || call.status >= 400
  return {
    traceId: span.traceId,
    spanId: call.spanId,
    parentSpanId: span.spanId,
    name: method,
    kind: spanKinds.client,
    startTimeUnixNano: nanos(call.startedAtMs),
    endTimeUnixNano: nanos(call.endedAtMs === 0 ? performance.now() : call.endedAtMs),
    attributes: attributesOf({
      'http.request.method': method,
      'server.address': call.server,
      'http.response.status_code': call.status === 0 ? null : call.status,
      'error.type': isError ? (call.failure ?? String(call.status)) : null,
    }),
    ...(isError ? { status: { code: spanError } } : {}),
  }
}
