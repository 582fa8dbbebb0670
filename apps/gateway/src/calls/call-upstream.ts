import type { Exchange } from '../exchange/exchange.ts'
import type { CompiledEndpoint } from '../snapshot/compile-snapshot.ts'
import type { UpstreamTarget } from '../snapshot/upstream-origins.ts'
import { addFields } from '../snapshot/added-fields.ts'
import { HttpCall } from './http-call.ts'
import type { Upload } from './upload.ts'

/**
 * One call of an address. A body that was collected can be sent again, a stream can't. Policies call
 * it once more for a retry, after they have dropped the call before.
 */
export function callUpstream(
  exchange: Exchange,
  target: UpstreamTarget,
  body: Buffer | Upload | null,
): void {
  const { endpoint } = exchange
  if (exchange.isEnded || endpoint === null) return
  if (target.refusal !== undefined) {
    exchange.refuse('upstream.blocked_address', { detail: target.refusal })
    return
  }
  // No call goes out without the sign-in that its API asks for.
  if (endpoint.api.isTokenNeeded) {
    exchange.refuse('config.api_unreadable')
    return
  }
  const path = target.basePath + exchange.upstreamPath + exchange.query
  const headers = (exchange.outbound ??= upstreamHeaders(exchange, endpoint, body))
  const call = new HttpCall(exchange, target, { path, headers, body })
  exchange.call = call
  call.send()
}

/**
 * The header fields that go upstream: what the client sent but for what belongs to its connection,
 * our own word on where it came from, and the API's credential or, for an open endpoint, the client's.
 */
function upstreamHeaders(
  exchange: Exchange,
  endpoint: CompiledEndpoint,
  body: Buffer | Upload | null,
): string[] {
  const { connection, passed, authorization } = exchange
  const headers = endpoint.added === null ? passed : addFields(passed, endpoint.added)
  const peer = connection.address
  headers.push(
    'X-Forwarded-For',
    exchange.forwardedFor === '' ? peer : `${exchange.forwardedFor}, ${peer}`,
    'X-Forwarded-Proto',
    exchange.forwardedProto || (connection.isSecure ? 'https' : 'http'),
    'X-Forwarded-Host',
    exchange.forwardedHost || exchange.host,
    'Via',
    `${exchange.via}${exchange.req.httpVersion} ${exchange.gateway.pseudonym}`,
    'X-Request-Id',
    exchange.requestId,
  )
  const { credentialFields } = endpoint.api
  if (credentialFields !== null) headers.push(...credentialFields)
  else if (authorization !== null) headers.push('Authorization', authorization)
  if (body !== null && exchange.contentLength !== -1) {
    headers.push('Content-Length', String(exchange.contentLength))
  }
  if (endpoint.output?.kind === 'template') return withIdentityEncoding(headers)
  return headers
}

/** A template reads the answer: nothing compressed is asked for. */
function withIdentityEncoding(headers: readonly string[]): string[] {
  const kept: string[] = []
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at] ?? ''
    if (name.toLowerCase() !== 'accept-encoding') kept.push(name, headers[at + 1] ?? '')
  }
  kept.push('Accept-Encoding', 'identity')
  return kept
}
