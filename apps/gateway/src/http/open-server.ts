import type { GatewayErrorCode } from '@gatehouse/contract/gateway'
import { adoptSocket, ReadBuffer, ServerConnection } from '@gatehouse/http1'
import type { BrokenKind, ConnectionOwner } from '@gatehouse/http1'
import { createServer } from 'node:net'
import type { Server, Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import type { TlsSettings } from '../messages/worker-settings.ts'
import type { ClientConnection } from './client-connection.ts'
import type { ClientAnswer, ClientRequest } from './client-message.ts'
import { refuseHandshake } from './refuse-handshake.ts'

export interface ServerHandlers {
  /** A connection is here, before any handshake. False: it is one too many, and was refused. */
  admit(socket: Socket, isSecure: boolean): boolean
  /** It can carry requests. */
  add(socket: Socket, isSecure: boolean): ClientConnection
  handleRequest(connection: ClientConnection, req: ClientRequest, res: ClientAnswer): void
  /** What the client sends is no request, or does not come. */
  handleBroken(connection: ClientConnection, code: GatewayErrorCode): void
}

/** A head has to be complete within this time. The sweeper bounds bodies. */
export const headMs = 20_000

/** Options of `node:tls`, those of a server. */
export const tlsOptions = ({ cert, key, ticketKeys }: TlsSettings) =>
  ({
    cert,
    key,
    ticketKeys: Buffer.from(ticketKeys, 'base64'),
    minVersion: 'TLSv1.2',
    // Each API decides for itself: see CertificateRequests.
    rejectUnauthorized: false,
    handshakeTimeout: 10_000,
  }) as const

const codes: Record<BrokenKind, GatewayErrorCode> = {
  malformed: 'client.malformed',
  too_large: 'client.headers_too_large',
  long_target: 'client.target_too_long',
  method: 'client.unknown_method',
  version: 'client.version',
  timeout: 'client.timeout',
  tunnel: 'client.target',
}

/** A server that reads requests by the parser of `packages/http1`. */
export function openServer(tls: TlsSettings | null, handlers: ServerHandlers): Server {
  const serve = (socket: Socket, isSecure: boolean, reading: ReadBuffer | null): void => {
    const connection = handlers.add(socket, isSecure)
    const owner: ConnectionOwner = {
      handleRequest: (request, answer) => handlers.handleRequest(connection, request, answer),
      handleBroken: (kind) => handlers.handleBroken(connection, codes[kind]),
    }
    connection.reader = new ServerConnection(socket, owner, reading)
  }
  const sockets = { allowHalfOpen: true, noDelay: true }
  if (tls === null) {
    return createServer(sockets, (made) => {
      const reading = new ReadBuffer()
      const adopted = adoptSocket(made, reading)
      const socket = adopted ?? made
      if (handlers.admit(socket, false)) serve(socket, false, adopted === null ? null : reading)
    })
  }
  const server = createTlsServer({ ...sockets, ...tlsOptions(tls), ALPNProtocols: ['http/1.1'] })
  server.on('connection', (socket: Socket) => handlers.admit(socket, true))
  server.on('secureConnection', (socket: Socket) => serve(socket, true, null))
  server.on('tlsClientError', refuseHandshake)
  return server
}
