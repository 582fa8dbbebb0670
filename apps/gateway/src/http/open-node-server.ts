import type { GatewayErrorCode } from '@gatehouse/contract/gateway'
import { createServer } from 'node:http'
import type { Server, ServerOptions } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { TlsSettings } from '../messages/worker-settings.ts'
import { ClientConnection } from './client-connection.ts'
import { NodeRequest } from './node-request.ts'
import { headMs, tlsOptions } from './open-server.ts'
import type { ServerHandlers } from './open-server.ts'
import { refuseHandshake } from './refuse-handshake.ts'

const options: ServerOptions<typeof NodeRequest> = {
  IncomingMessage: NodeRequest,
  insecureHTTPParser: false,
  maxHeaderSize: 16 * 1024,
  // The guard stage answers a missing Host with a code.
  requireHostHeader: false,
  headersTimeout: headMs,
  requestTimeout: 0,
  connectionsCheckingInterval: 5_000,
  // The sweeper closes idle connections: Node would set two timers for each request.
  keepAliveTimeout: 0,
  noDelay: true,
  shouldUpgradeCallback: () => false,
}

/** Node's server in place of ours, strict and without the parts that cost time on each request. */
export function openNodeServer(
  tls: TlsSettings | null,
  handlers: ServerHandlers,
): Server<typeof NodeRequest> {
  const server: Server<typeof NodeRequest> =
    tls === null ? createServer(options) : createTlsServer({ ...options, ...tlsOptions(tls) })
  // Node would silently drop headers beyond a number; their size is bounded anyway.
  server.maxHeadersCount = 0
  server.on('connection', (socket: Socket) => {
    if (handlers.admit(socket, tls !== null) && tls === null) handlers.add(socket, false)
  })
  if (tls !== null) {
    server.on('secureConnection', (socket: Socket) => handlers.add(socket, true))
    server.on('tlsClientError', refuseHandshake)
  }
  server.on('request', (req, res) => {
    const connection = ClientConnection.of(req.socket)
    // The method is missing in answers alone.
    if (connection)
      handlers.handleRequest(connection, req as NodeRequest & { method: string; url: string }, res)
  })
  const handleBroken = (socket: Duplex, code: GatewayErrorCode | null): void => {
    const connection = ClientConnection.of(socket as Socket)
    if (connection === undefined || code === null || !socket.writable) socket.destroy()
    else handlers.handleBroken(connection, code)
  }
  server.on('clientError', (error, socket) => handleBroken(socket, codeOfParserError(error)))
  server.on('connect', (_req, socket) => handleBroken(socket, 'client.target'))
  return server
}

/** What became of bytes that Node's parser refused, or waited for too long. */
function codeOfParserError(error: Error): GatewayErrorCode | null {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (code === 'HPE_HEADER_OVERFLOW') return 'client.headers_too_large'
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'client.timeout'
  // The client left in the middle of a message.
  if (code === 'HPE_INVALID_EOF_STATE') return null
  // Anything else is about the connection: there is no client left to answer.
  return code.startsWith('HPE_') ? 'client.malformed' : null
}
