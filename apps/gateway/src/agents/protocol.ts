// What the Model Context Protocol says on the wire, in the two revisions that are served: 2026-07-28, whose requests
// each carry version, client and capabilities in `_meta`, and 2025-11-25 over Streamable HTTP without sessions.

export const modernRevision = '2026-07-28'
export const earlierRevision = '2025-11-25'
export type ProtocolRevision = typeof modernRevision | typeof earlierRevision

const meta = 'io.modelcontextprotocol/'
export const metaKeys = {
  version: `${meta}protocolVersion`,
  client: `${meta}clientInfo`,
  capabilities: `${meta}clientCapabilities`,
  server: `${meta}serverInfo`,
}

/** Codes of JSON-RPC 2.0 and of the protocol. */
export const rpcCodes = {
  parse: -32_700,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  /** Of the earlier revision. */
  resourceNotFound: -32_002,
  headerMismatch: -32_020,
  unsupportedVersion: -32_022,
} as const

/** What a request is answered by. A number keeps its digits. */
export type RequestId = string | number

export interface RpcError {
  code: (typeof rpcCodes)[keyof typeof rpcCodes]
  message: string
  data?: unknown
}

/** `result` is JSON. */
export const resultText = (id: RequestId, result: string): string =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`

export const errorText = (id: RequestId | null, error: RpcError): string =>
  JSON.stringify({ jsonrpc: '2.0', id, error })
