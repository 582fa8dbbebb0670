import { randomUUID } from 'node:crypto'
import type { Exchange } from '../exchange/exchange.ts'
import type { UpstreamCall } from '../exchange/upstream-call.ts'
import type { CompiledEndpoint } from '../snapshot/compile-snapshot.ts'
import type { UpstreamTarget } from '../snapshot/upstream-origins.ts'
import { HttpCall } from './http-call.ts'
import { withToken } from './sign-in-call.ts'
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
  const { slot } = endpoint.api.signIn
  const known = slot === null ? null : slot.current()
  if (slot === null || known !== null) sendCall(exchange, target, body, known)
  else withToken(exchange, slot, (token) => sendCall(exchange, target, body, token))
}

/** The call again, once there is another token than the one that was refused. */
function signInAgain(exchange: Exchange, { target, request }: UpstreamCall): void {
  const slot = exchange.endpoint?.api.signIn.slot
  const { body } = request
  if (!slot || (body !== null && !Buffer.isBuffer(body))) return
  exchange.isSignedInAgain = true
  const again = (token: readonly string[]) => sendCall(exchange, target, body, token)
  withToken(exchange, slot, again, request.tokenVersion)
}

function sendCall(
  exchange: Exchange,
  target: UpstreamTarget,
  body: Buffer | Upload | null,
  token: readonly string[] | null,
): void {
  const { endpoint } = exchange
  if (exchange.isEnded || endpoint === null) return
  const path = target.basePath + (exchange.sentTarget ?? exchange.upstreamPath + exchange.query)
  const outbound = (exchange.outbound ??= upstreamHeaders(exchange, endpoint, body))
  const own =
    token === null && !endpoint.fields?.fresh ? outbound : ofThisCall(outbound, endpoint, token)
  const span = exchange.span?.startCall(target.upstream.origin) ?? null
  const headers = span === null ? own : own.concat(span.header)
  const { slot } = endpoint.api.signIn
  const tokenVersion = slot?.version ?? 0
  const again = slot === null ? null : (refused: UpstreamCall) => signInAgain(exchange, refused)
  const call = new HttpCall(exchange, target, { path, headers, body, tokenVersion, again, span })
  exchange.call = call
  call.send()
}

/** The fields of a call without a body that nobody waits for; null where its token would have to be waited for. */
export function fieldsOfCall(exchange: Exchange, endpoint: CompiledEndpoint): string[] | null {
  const { slot } = endpoint.api.signIn
  const token = slot === null ? null : slot.current()
  if (slot !== null && token === null) return null
  return ofThisCall(upstreamHeaders(exchange, endpoint, null), endpoint, token)
}

/** What each call of a request has of its own: the token at hand, and fresh UUIDs. */
function ofThisCall(
  outbound: readonly string[],
  { fields }: CompiledEndpoint,
  token: readonly string[] | null,
): string[] {
  const headers = outbound.concat(token ?? [])
  if (!fields?.fresh) return headers
  return headers.concat(fields.fresh.map((text) => text.replaceAll('{uuid}', randomUUID())))
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
  const { connection, authorization } = exchange
  const { fields: added } = endpoint
  const headers =
    added === null ? [...exchange.passed] : withoutNames(exchange.passed, added.replaced)
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
  if (added !== null) headers.push(...added.fixed)
  const { fields, slot } = endpoint.api.signIn
  if (fields !== null) headers.push(...fields)
  else if (slot === null && authorization !== null) headers.push('Authorization', authorization)
  if (body !== null && exchange.contentLength !== -1) {
    headers.push('Content-Length', String(exchange.contentLength))
  }
  if (endpoint.output?.kind === 'template') return withIdentityEncoding(headers)
  return headers
}

const encodingName: ReadonlySet<string> = new Set(['accept-encoding'])

/** A template reads the answer: nothing compressed is asked for. */
function withIdentityEncoding(headers: readonly string[]): string[] {
  const kept = withoutNames(headers, encodingName)
  kept.push('Accept-Encoding', 'identity')
  return kept
}

function withoutNames(headers: readonly string[], names: ReadonlySet<string>): string[] {
  const kept: string[] = []
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at] ?? ''
    if (!names.has(name.toLowerCase())) kept.push(name, headers[at + 1] ?? '')
  }
  return kept
}
