import { randomUUID } from 'node:crypto'
import type { NamedValue, WireMethod } from '@gatehouse/contract'
import { hasQueryBody, requestFormatOf, type BodyFormat } from '@gatehouse/contract/request'
import {
  isExactObject,
  isLosslessNumber,
  JsonProblem,
  objectFrom,
  parseExact,
  stringifyExact,
  type ExactJson,
  type ExactObject,
} from '@gatehouse/contract/mapping'
import type { CallTarget } from '@gatehouse/upstream'
import { addressOf, endpointUrl, mergeHeaders } from '@gatehouse/upstream/request'
import type { Target } from './target.ts'

const urlMaxLength = 16_384

/** A request as it is committed before the socket opens, then sent: exact bytes, no secrets. */
export interface FrozenRequest {
  method: WireMethod
  url: string
  headers: Record<string, string>
  body: string | null
}

/** Each `{uuid}` in the value of a static header is the same fresh UUID. */
const filled = ({ name, value }: NamedValue) =>
  [
    name.toLowerCase(),
    value.includes('{uuid}') ? value.replaceAll('{uuid}', randomUUID()) : value,
  ] as const

/** What a request is worked out for. It holds no secret, so that a thread may receive it. */
export interface RequestTarget extends Pick<Target, 'method' | 'path' | 'staticHeaders'> {
  kind: CallTarget['kind']
  address: string
  format: BodyFormat
  /** Of the body; blank: application/json. */
  contentType: string
}

/** What bodies to a target are. The parameters of a stored procedure are JSON. */
export const formatOf = ({ method, destination, settings }: Target): BodyFormat =>
  destination.target.kind === 'procedure' ? 'json' : requestFormatOf(method, settings.content_type)

export function requestTargetOf(target: Target): RequestTarget {
  const { method, path, staticHeaders, destination, settings } = target
  return {
    method,
    path,
    staticHeaders,
    kind: destination.target.kind,
    address: addressOf(destination.target),
    format: formatOf(target),
    contentType: settings.content_type,
  }
}

/** The static headers of one call. */
export const filledHeaders = (headers: readonly NamedValue[]) => headers.map(filled)

type Freezing = { ok: true; request: FrozenRequest } | { ok: false; message: string }

/**
 * Builds the request to an endpoint. The body's fields fill the parameters of the path. The other
 * fields go to the query string for GET and to the JSON body for POST and PUT. A body that fills no
 * parameter is sent as it was typed, byte for byte. So is every body that is not JSON: it has no
 * fields.
 */
export function freezeRequest(target: RequestTarget, bodyText: string): Freezing {
  if (target.format !== 'json') return freezeText(target, bodyText)
  let body: ExactJson | undefined
  try {
    body = bodyText.trim() === '' ? undefined : parseExact(bodyText)
  } catch (error) {
    if (error instanceof JsonProblem) return { ok: false, message: error.message }
    throw error
  }
  return target.kind === 'procedure'
    ? freezeCall(target, body, bodyText)
    : freezeHttp(target, body, bodyText)
}

/** The body's fields are the values of the procedure's parameters, by name. */
function freezeCall(
  { method, address }: RequestTarget,
  body: ExactJson | undefined,
  bodyText: string,
): Freezing {
  if (body !== undefined && !isObject(body)) {
    return {
      ok: false,
      message: 'The body of a stored procedure must be a JSON object: values by parameter name.',
    }
  }
  const request = { method, url: address, headers: {}, body: body ? bodyText : '{}' }
  return { ok: true, request }
}

function freezeText(
  { method, path, address, staticHeaders, contentType }: RequestTarget,
  bodyText: string,
): Freezing {
  const target = endpointUrl({ baseUrl: address, path, fields: {} })
  if (!target.ok) return target
  if (!bodyText.isWellFormed()) return { ok: false, message: halfCharacter }
  const isBlank = bodyText.trim() === ''
  const headers = mergeHeaders({ accept: '*/*' }, staticHeaders.map(filled))
  if (!isBlank) headers['content-type'] = contentType
  const request = { method, url: target.url.href, headers, body: isBlank ? null : bodyText }
  return { ok: true, request }
}

const halfCharacter = 'The body holds half of a surrogate pair, which no encoding can carry.'

function freezeHttp(
  { method, path, address, staticHeaders, contentType }: RequestTarget,
  body: ExactJson | undefined,
  bodyText: string,
): Freezing {
  const fields = isObject(body) ? body : {}
  const target = endpointUrl({ baseUrl: address, path, fields: scalarsOf(fields) })
  if (!target.ok) return target
  const left = Object.entries(fields).filter(([name]) => !target.used.includes(name))
  const accept = { accept: 'application/json' }
  const headers = mergeHeaders(accept, staticHeaders.map(filled))

  if (hasQueryBody(method)) {
    if (body !== undefined && !isObject(body)) {
      return {
        ok: false,
        message: `The body of a ${method} becomes its query string: it must be a JSON object.`,
      }
    }
    for (const [name, value] of left) appendQuery(target.url, name, value)
    if (target.url.href.length > urlMaxLength)
      return { ok: false, message: 'The body is too long for a query string.' }
    return { ok: true, request: { method, url: target.url.href, headers, body: null } }
  }

  if (body !== undefined) headers['content-type'] = contentType || 'application/json'
  const rest = target.used.length === 0 ? bodyText : stringifyExact(objectFrom(left))
  if (!rest.isWellFormed()) return { ok: false, message: halfCharacter }
  return {
    ok: true,
    request: { method, url: target.url.href, headers, body: body === undefined ? null : rest },
  }
}

const isObject = (value: ExactJson | undefined): value is ExactObject =>
  value !== undefined && isExactObject(value)

const isScalar = (value: ExactJson) =>
  typeof value === 'string' || typeof value === 'boolean' || isLosslessNumber(value)

const textOf = (value: ExactJson) => (typeof value === 'string' ? value : stringifyExact(value))

function scalarsOf(fields: ExactObject): Record<string, string> {
  const scalars = Object.entries(fields).filter(([, value]) => isScalar(value))
  return Object.fromEntries(scalars.map(([name, value]) => [name, textOf(value)]))
}

/**
 * A list of plain values repeats the name. Deeper values are sent as JSON text. Null is left out.
 */
function appendQuery(url: URL, name: string, value: ExactJson): void {
  if (value === null) return
  const values = Array.isArray(value) && value.every(isScalar) ? value : [value]
  for (const each of values) url.searchParams.append(name, textOf(each))
}
