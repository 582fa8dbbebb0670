import {
  earlierRevision,
  metaKeys,
  modernRevision,
  rpcCodes,
  type ProtocolRevision,
  type RequestId,
  type RpcError,
} from './protocol.ts'

type Fields = Readonly<Record<string, unknown>>

/** The headers by which the protocol repeats what the body says; undefined: it did not come. */
export interface MessageHeaders {
  version: string | undefined
  method: string | undefined
  name: string | undefined
}

export interface AgentMessage {
  kind: 'request'
  revision: ProtocolRevision
  id: RequestId
  method: string
  params: Fields
  /** What the client calls itself; blank: it does not say. */
  clientName: string
}

interface RefusedMessage {
  kind: 'refused'
  status: 400
  id: RequestId | null
  error: RpcError
}

/** What came, once it was parsed: a request, a notification that needs no answer, or something to refuse. */
type ReadMessage = AgentMessage | RefusedMessage | { kind: 'notification' }

/** Reads one message of JSON-RPC 2.0 and says by which revision of the protocol it is answered. */
export function readMessage(body: unknown, headers: MessageHeaders): ReadMessage {
  if (!isObject(body)) {
    const isBatch = Array.isArray(body)
    return invalid(null, isBatch ? 'Batches are not taken: send one message.' : notRpc)
  }
  const { jsonrpc, id, method, params = {} } = body
  if (jsonrpc !== '2.0' || typeof method !== 'string') return invalid(null, notRpc)
  if (id === undefined) return { kind: 'notification' }
  if (!isRequestId(id)) return invalid(null, 'An id is a text or a whole number.')
  if (!isObject(params)) return invalid(id, 'The params must be an object.')
  const request = { id, method, params }
  return isModern(request, headers) ? readModern(request, headers) : readEarlier(request, headers)
}

const notRpc = 'This is no request of JSON-RPC 2.0.'

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isRequestId = (id: unknown): id is RequestId =>
  typeof id === 'string' ? id.length <= idMaxLength : Number.isSafeInteger(id)

/** It comes back with the answer. */
const idMaxLength = 1_000

function refused(
  id: RequestId | null,
  code: RpcError['code'],
  message: string,
  data?: unknown,
): RefusedMessage {
  const error = { code, message, ...(data === undefined ? {} : { data }) }
  return { kind: 'refused', status: 400, id, error }
}

const invalid = (id: RequestId | null, message: string) =>
  refused(id, rpcCodes.invalidRequest, message)

interface PlainRequest {
  id: RequestId
  method: string
  params: Fields
}

const metaOf = ({ params }: PlainRequest): Fields =>
  isObject(params['_meta']) ? params['_meta'] : {}

/** Versions are dates, and so they sort. */
const isLaterVersion = (version: string | undefined) =>
  version !== undefined && version >= modernRevision

/** `initialize` belongs to the earlier revisions, unless it claims a later one itself. */
function isModern(request: PlainRequest, { version }: MessageHeaders): boolean {
  const claimed = metaOf(request)[metaKeys.version]
  if (request.method === 'initialize')
    return (typeof claimed === 'string' && isLaterVersion(claimed)) || isLaterVersion(version)
  return claimed !== undefined || isLaterVersion(version)
}

function readModern(request: PlainRequest, headers: MessageHeaders): ReadMessage {
  const { id, method, params } = request
  const meta = metaOf(request)
  const missing = [metaKeys.version, metaKeys.capabilities].filter((key) => !(key in meta))
  if (missing.length > 0)
    return refused(id, rpcCodes.invalidParams, `_meta lacks ${missing.join(' and ')}.`, {
      envelope: { missing },
    })
  const claimed = meta[metaKeys.version]
  const client = meta[metaKeys.client]
  if (typeof claimed !== 'string' || !isObject(meta[metaKeys.capabilities]))
    return refused(id, rpcCodes.invalidParams, '_meta names no version or no capabilities.')
  if (client !== undefined && (!isObject(client) || typeof client['name'] !== 'string'))
    return refused(id, rpcCodes.invalidParams, `${metaKeys.client} names no client.`)
  if (headers.version !== undefined && headers.version !== claimed)
    return mismatch(id, 'MCP-Protocol-Version', headers.version, claimed)
  if (claimed !== modernRevision) return unsupported(id, claimed, [modernRevision])
  const problem = headerProblem(request, headers, claimed)
  if (problem !== null) return problem
  return {
    kind: 'request',
    revision: modernRevision,
    id,
    method,
    params,
    clientName: nameIn(client),
  }
}

/** SEP-2243: the headers are there, and say what the body says. */
function headerProblem(
  { id, method, params }: PlainRequest,
  headers: MessageHeaders,
  claimed: string,
) {
  if (headers.version === undefined) return mismatch(id, 'MCP-Protocol-Version', undefined, claimed)
  if (headers.method !== method) return mismatch(id, 'Mcp-Method', headers.method, method)
  const { name } = params
  if (method !== 'tools/call' || typeof name !== 'string') return null
  return headers.name !== undefined && decodedHeader(headers.name) === name
    ? null
    : mismatch(id, 'Mcp-Name', headers.name, name)
}

const mismatch = (id: RequestId, header: string, said: string | undefined, meant: string) =>
  refused(
    id,
    rpcCodes.headerMismatch,
    `The header ${header} is ${said === undefined ? 'missing' : said}, and the body says ${meant}.`.slice(
      0,
      500,
    ),
    { mismatch: { header: said ?? '(missing)', body: meant } },
  )

const unsupported = (id: RequestId, requested: string, supported: string[]) =>
  refused(id, rpcCodes.unsupportedVersion, 'This version of the protocol is not served.', {
    supported,
    requested: requested.slice(0, 100),
  })

/** A header holds what is no plain ASCII as `=?base64?…?=`. Undefined: it can't be read. */
function decodedHeader(value: string): string | undefined {
  const encoded = /^=\?base64\?(.*)\?=$/.exec(value)?.[1]
  if (encoded === undefined) return value
  const bytes = Buffer.from(encoded, 'base64')
  return bytes.toString('base64') === encoded ? bytes.toString('utf8') : undefined
}

/** Versions before the one that is served in full speak alike where only tools are used. */
const earlierVersions = new Set(['2025-03-26', '2025-06-18', earlierRevision])

function readEarlier(
  { id, method, params }: PlainRequest,
  { version }: MessageHeaders,
): ReadMessage {
  if (version !== undefined && method !== 'initialize' && !earlierVersions.has(version))
    return refused(id, rpcCodes.invalidRequest, 'This version of the protocol is not served.', {
      supported: [earlierRevision, modernRevision],
      requested: version.slice(0, 100),
    })
  const client = isObject(params['clientInfo']) ? params['clientInfo'] : undefined
  return {
    kind: 'request',
    revision: earlierRevision,
    id,
    method,
    params,
    clientName: nameIn(client),
  }
}

const nameIn = (client: unknown): string =>
  isObject(client) && typeof client['name'] === 'string' ? client['name'] : ''
