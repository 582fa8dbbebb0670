import type { GatewayErrorCode } from '@gatehouse/contract/gateway'
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Accounting } from './account/accounting.ts'
import { Exchange } from './exchange/exchange.ts'
import type { ExchangeGateway } from './exchange/exchange.ts'
import type { SnapshotHolder } from './exchange/snapshot-holder.ts'
import { ClientConnection } from './http/client-connection.ts'
import type { GatewayRequest } from './http/gateway-request.ts'
import type { ServerHandlers } from './http/open-server.ts'
import { codeOfParserError, refuseOnSocket } from './http/raw-refusal.ts'

/** What Node's server calls: requests become exchanges, everything else a refusal. */
export function createServerHandlers(
  context: ExchangeGateway,
  holder: SnapshotHolder,
  accounting: Accounting,
): ServerHandlers {
  function refuseRaw(socket: Duplex, code: GatewayErrorCode): void {
    const requestId = context.requestIds.next()
    const connection = ClientConnection.of(socket as Socket)
    accounting.refusedUnread(code, connection?.address ?? '', requestId)
    refuseOnSocket(socket, code, requestId)
  }

  function onRequest(req: GatewayRequest, res: ServerResponse): void {
    const connection = ClientConnection.of(req.socket)
    if (connection === undefined || connection.isClosing) return
    if (holder.current === null) {
      connection.isClosing = true
      refuseRaw(req.socket, 'gateway.stopping')
      return
    }
    connection.take(new Exchange(context, holder.current, connection, req, res))
  }

  function onClientError(error: Error, socket: Duplex): void {
    const connection = ClientConnection.of(socket as Socket)
    const code = codeOfParserError(error)
    if (connection === undefined || code === null || !socket.writable) {
      socket.destroy()
      return
    }
    if (connection.isClosing) return
    connection.isClosing = true
    const { current } = connection
    if (current === null) refuseRaw(socket, code)
    else if (current.isWhole) {
      current.handleBrokenSuccessor()
      connection.isBroken = true
    } else current.handleBrokenBody(code)
  }

  function onConnectionTooMany(socket: Socket, isSecure: boolean): void {
    const requestId = context.requestIds.next()
    accounting.refusedUnread('gateway.connections', socket.remoteAddress ?? '', requestId)
    // A handshake is work that such a client is not worth.
    if (isSecure) socket.destroy()
    else refuseOnSocket(socket, 'gateway.connections', requestId)
  }

  return {
    onRequest,
    onClientError,
    onConnectionTooMany,
    onTunnel: (socket) => refuseRaw(socket, 'client.target'),
  }
}
