import { createServer } from 'node:http'
import type { Server, ServerOptions, ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { GatewayRequest } from './gateway-request.ts'

export interface ServerHandlers {
  onRequest: (req: GatewayRequest, res: ServerResponse) => void
  /** The parser gave up on what a client sent. */
  onClientError: (error: Error, socket: Duplex) => void
  /** One more than its address may have. Nothing has been read from it. */
  onConnectionTooMany: (socket: Socket, isSecure: boolean) => void
  /** CONNECT. */
  onTunnel: (socket: Duplex) => void
}

const options: ServerOptions<typeof GatewayRequest> = {
  IncomingMessage: GatewayRequest,
  insecureHTTPParser: false,
  maxHeaderSize: 16 * 1024,
  // The guard stage answers a missing Host with a code.
  requireHostHeader: false,
  // A head has to be complete within this time. The sweeper bounds bodies.
  headersTimeout: 20_000,
  requestTimeout: 0,
  connectionsCheckingInterval: 5_000,
  // The sweeper closes idle connections: Node would set two timers for each request.
  keepAliveTimeout: 0,
  noDelay: true,
  shouldUpgradeCallback: () => false,
}

/** Node's server, strict and without the parts that cost time on each request. */
export function openServer(
  tls: { cert: string; key: string } | null,
  handlers: ServerHandlers,
): Server<typeof GatewayRequest> {
  const server: Server<typeof GatewayRequest> =
    tls === null
      ? createServer(options)
      : createTlsServer({ ...options, ...tls, minVersion: 'TLSv1.2', handshakeTimeout: 10_000 })
  // Node would silently drop headers beyond a number; their size is bounded anyway.
  server.maxHeadersCount = 0
  server.on('request', handlers.onRequest)
  server.on('clientError', handlers.onClientError)
  server.on('connect', (_req, socket) => handlers.onTunnel(socket))
  return server
}
