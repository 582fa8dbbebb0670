import { wireMethodNames, type GatewayErrorCode } from '@gatehouse/contract/gateway'
import { isHostField } from '@gatehouse/upstream/http'
import type { KnownFields } from '../http/client-connection.ts'
import { fieldKind, mayBeNominated } from '../http/field-names.ts'
import type { FieldKind } from '../http/field-names.ts'
import { withoutOwnCookie } from '../http/own-cookie.ts'
import { readRequestPath } from '../http/request-path.ts'
import type { Exchange } from '../exchange/exchange.ts'
import type { Expectation } from '../exchange/linger.ts'
import { Trace } from '../trace/trace.ts'
import { joined, readForwarded } from './read-forwarded.ts'
import { readHandshake } from './read-handshake.ts'
import type { Verdict } from '../exchange/verdict.ts'
import type { Stage } from './stage.ts'

export const guard: Stage = {
  name: 'guard',
  run: readRequest,
  traceDetails: ({ method, path, host }) => ({ method, path, host }),
}

/**
 * Reads request line and headers once, and refuses what the parser lets through although two
 * readers could understand it differently. Such a connection is closed: nothing behind the request is read.
 */
function readRequest(exchange: Exchange): Verdict {
  const code = readHeaders(exchange) ?? readTarget(exchange)
  if (code === 'client.target' && isAboutServer(exchange)) {
    exchange.answer(200, ['Allow', allMethods], '')
    return 'stop'
  }
  if (code === null)
    return exchange.expectation === 'other' ? exchange.refuse('client.expectation') : 'next'
  return exchange.refuse(code, { isFatal: true })
}

/** `OPTIONS *` asks about the server as a whole (RFC 9110 §9.3.7). */
const isAboutServer = ({ method, req }: Exchange) => method === 'OPTIONS' && req.url === '*'
const allMethods = [...wireMethodNames, 'OPTIONS'].join(', ')

/** Node counts the bytes of names and values only: thousands of tiny fields would pass. */
const fieldsMax = 200

function readHeaders(exchange: Exchange): GatewayErrorCode | null {
  const { rawHeaders: raw, httpVersionMajor, httpVersionMinor } = exchange.req
  // The parser also takes 0.9 and 2.0.
  if (httpVersionMajor !== 1 || httpVersionMinor > 1) return 'client.malformed'
  if (raw.length > fieldsMax * 2) return 'client.headers_too_large'
  const { knownFields } = exchange.connection
  if (knownFields !== null && knownFields.raw === raw) return takeKnown(exchange, knownFields)
  exchange.connection.knownFields = null
  const passed: string[] = []
  exchange.passed = passed
  let hosts = 0
  let hasType = false
  let encoding: string | null = null
  let connection: string | null = null
  let traceparent = ''
  let tracestate: string[] | null = null
  let isUpgrade = false
  let isPlain = true
  const isTrusted = exchange.connection.isTrustedProxy
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at] ?? ''
    const value = raw[at + 1] ?? ''
    const kind = fieldKind(name)
    isPlain &&= plainKinds.has(kind)
    switch (kind) {
      case 'pass':
        passed.push(name, value)
        break
      case 'drop':
        break
      case 'host':
        hosts++
        exchange.host = value
        break
      case 'content-length':
        if (exchange.contentLength !== -1 || !/^(?:0|[1-9]\d{0,14})$/.test(value))
          return 'client.length'
        exchange.contentLength = Number(value)
        break
      case 'content-type':
        if (hasType) return 'client.content_type'
        hasType = true
        passed.push(name, value)
        break
      case 'transfer-encoding':
        if (encoding !== null || value.toLowerCase() !== 'chunked')
          return 'client.transfer_encoding'
        encoding = value
        break
      case 'connection':
        connection = connection === null ? value : `${connection},${value}`
        break
      case 'upgrade':
        isUpgrade = true
        break
      case 'expect':
        exchange.expectation = expectationOf(value, exchange.req.httpVersionMinor)
        break
      case 'authorization':
        if (exchange.authorization !== null) return 'client.authorization_twice'
        exchange.authorization = value
        break
      case 'cookie':
        passCookie(passed, name, value)
        break
      case 'x-forwarded-for':
        if (isTrusted) exchange.forwardedFor = joined(exchange.forwardedFor, value)
        break
      case 'x-forwarded-proto':
        if (isTrusted) exchange.forwardedProto = joined(exchange.forwardedProto, value)
        break
      case 'x-forwarded-host':
        if (isTrusted) exchange.forwardedHost = joined(exchange.forwardedHost, value)
        break
      case 'proxied':
        if (isTrusted) passed.push(name, value)
        break
      case 'x-request-id':
        if (isTrusted && /^[\w.-]{1,64}$/.test(value)) exchange.requestId = value
        break
      case 'via':
        if (value.includes(exchange.gateway.pseudonym)) return 'config.loop'
        exchange.via += `${value}, `
        break
      case 'traceparent':
        // RFC 9110 §5.3 and W3C Trace Context §3.2: two are none.
        traceparent = traceparent === '' ? value : 'twice'
        break
      case 'tracestate':
        tracestate = [...(tracestate ?? []), name, value]
        break
      case 'trace':
        readTrace(exchange, value)
        break
      case 'invalid':
        return 'client.header_name'
    }
  }
  if (isTrusted) readForwarded(exchange)
  passTraceContext(exchange, passed, traceparent, tracestate)
  if (encoding !== null) {
    if (exchange.contentLength !== -1) return 'client.length'
    if (exchange.req.httpVersionMinor === 0) return 'client.transfer_encoding'
  }
  exchange.hasBody = encoding !== null || exchange.contentLength > 0
  if (isUpgrade) {
    exchange.webSocket = readHandshake(exchange, connection)
    if (exchange.webSocket === null) return 'client.upgrade'
  }
  if (connection !== null && !readConnection(exchange, connection)) return 'client.connection'
  const problem = hostProblem(exchange, hosts)
  if (isPlain && problem === null) exchange.connection.knownFields = knownOf(exchange, raw)
  return problem
}

/** All that they say is in `KnownFields`. */
const plainKinds: ReadonlySet<FieldKind> = new Set<FieldKind>([
  'pass',
  'drop',
  'host',
  'content-length',
  'content-type',
  'transfer-encoding',
  'connection',
  'authorization',
  'cookie',
])

const knownOf = (
  { passed, host, authorization, contentLength, hasBody }: Exchange,
  raw: readonly string[],
): KnownFields => ({ raw, passed, host, authorization, contentLength, hasBody })

/** The fields are those of the request before it, and were fine. */
function takeKnown(exchange: Exchange, known: KnownFields): null {
  exchange.passed = known.passed
  exchange.host = known.host
  exchange.authorization = known.authorization
  exchange.contentLength = known.contentLength
  exchange.hasBody = known.hasBody
  if (exchange.gateway.spans !== null) passTraceContext(exchange, [], '', null)
  return null
}

function passCookie(passed: string[], name: string, value: string): void {
  const kept = withoutOwnCookie(value)
  if (kept !== '') passed.push(name, kept)
}

/** Without spans of ours the context goes on as it came; with them, what an upstream is told is made for each call. */
function passTraceContext(
  exchange: Exchange,
  passed: string[],
  traceparent: string,
  state: string[] | null,
): void {
  const { connection, gateway } = exchange
  if (gateway.spans === null) {
    if (traceparent !== '') passed.push('traceparent', traceparent)
  } else {
    const isFromInside = connection.isInternal || connection.isTrustedProxy
    exchange.span = gateway.spans.begin(traceparent, isFromInside)
    if (exchange.span.parentId === null) return
  }
  if (state !== null) passed.push(...state)
}

function readTrace(exchange: Exchange, header: string): void {
  const { gateway, method, req, startedAtMs } = exchange
  const read = gateway.traces.read(header, { method, target: req.url ?? '' })
  if (read === undefined) return
  const trace = new Trace(read.id, startedAtMs, read.as)
  if (trace.isOfUnsaved) trace.unsaved = gateway.traces.unsaved.take(read.id)
  exchange.trace = trace
}

/** Drops what Connection names (RFC 9110 §7.6.1); false where it names what may not be dropped. */
function readConnection(exchange: Exchange, connection: string): boolean {
  const lower = connection.toLowerCase()
  if (lower === 'keep-alive' || lower === 'close') return true
  const named = new Set(lower.split(',').map((name) => name.trim()))
  for (const name of named) if (!mayBeNominated(name)) return false
  const { passed } = exchange
  const kept: string[] = []
  for (let at = 0; at < passed.length; at += 2) {
    const name = passed[at] ?? ''
    if (!named.has(name.toLowerCase())) kept.push(name, passed[at + 1] ?? '')
  }
  exchange.passed = kept
  return true
}

let lastHost = ''

function hostProblem({ host, req }: Exchange, hosts: number): GatewayErrorCode | null {
  if (hosts === 0) return req.httpVersionMinor === 0 ? null : 'client.host'
  if (hosts > 1) return 'client.host'
  if (host === lastHost) return null
  if (!isHostField(host)) return 'client.host'
  lastHost = host
  return null
}

function readTarget(exchange: Exchange): GatewayErrorCode | null {
  let target = exchange.req.url ?? ''
  if (!target.startsWith('/')) {
    const origin = /^https?:\/\/([^/?#]*)/i.exec(target)
    if (origin === null) return 'client.target'
    // RFC 9112 §3.2.2: the target's authority counts, and a proxy before us went by Host.
    if (origin[1]?.toLowerCase() !== exchange.host.toLowerCase()) return 'client.host'
    target = target.slice(origin[0].length)
    if (!target.startsWith('/')) target = `/${target}`
  }
  const questionAt = target.indexOf('?')
  const path = questionAt === -1 ? target : target.slice(0, questionAt)
  const query = questionAt === -1 ? '' : target.slice(questionAt)
  exchange.path = path
  exchange.query = query
  const read = readRequestPath(path)
  if (!read.ok || /[^\x21-\x7e\x80-\xff]|#/.test(query)) return 'client.target'
  exchange.segments = read.segments
  return null
}

/** A client of HTTP/1.0 sends its body in any case, and knows no interim answer (RFC 9110 §10.1.1). */
function expectationOf(value: string, minorVersion: number): Expectation {
  if (value.toLowerCase() !== '100-continue') return 'other'
  return minorVersion === 0 ? 'none' : 'continue'
}
