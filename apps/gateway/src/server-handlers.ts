import type { GatewayErrorCode } from '@gatehouse/contract/gateway'
import type { AddressCounts } from '@gatehouse/upstream/http'
import type { Socket } from 'node:net'
import type { Accounting } from './account/accounting.ts'
import { Exchange } from './exchange/exchange.ts'
import type { ExchangeGateway } from './exchange/exchange.ts'
import type { SnapshotHolder } from './exchange/snapshot-holder.ts'
import type { ClientConnection } from './http/client-connection.ts'
import type { ClientConnections } from './http/client-connections.ts'
import type { ClientAnswer, ClientRequest } from './http/client-message.ts'
import type { ServerHandlers } from './http/open-server.ts'
import { refuseOnSocket } from './http/raw-refusal.ts'

interface HandlerParts {
  context: ExchangeGateway
  holder: SnapshotHolder
  accounting: Accounting
  connections: ClientConnections
  addresses: AddressCounts
}

/** What a server calls: requests become exchanges, everything else a refusal. */
export function createServerHandlers(parts: HandlerParts): ServerHandlers {
  const { context, holder, accounting, connections, addresses } = parts

  function refuseRaw({ socket, address }: Refused, code: GatewayErrorCode): void {
    const requestId = context.requestIds.next()
    accounting.refusedUnread(code, address, requestId)
    refuseOnSocket(socket, code, requestId)
  }

  function admit(socket: Socket, isSecure: boolean): boolean {
    if (addresses.enter(socket)) return true
    const address = socket.remoteAddress ?? ''
    // A handshake is work that such a client is not worth.
    if (isSecure) {
      accounting.refusedUnread('gateway.connections', address, context.requestIds.next())
      socket.destroy()
    } else {
      socket.on('error', () => socket.destroy()).resume()
      refuseRaw({ socket, address }, 'gateway.connections')
    }
    return false
  }

  function handleRequest(
    connection: ClientConnection,
    req: ClientRequest,
    res: ClientAnswer,
  ): void {
    if (connection.isClosing) return
    if (holder.current === null) {
      connection.isClosing = true
      refuseRaw(connection, 'gateway.stopping')
      return
    }
    connection.take(new Exchange(context, holder.current, connection, req, res))
  }

  function handleBroken(connection: ClientConnection, code: GatewayErrorCode): void {
    if (connection.isClosing) return
    connection.isClosing = true
    const { current } = connection
    if (current === null) refuseRaw(connection, code)
    else if (current.isWhole) {
      current.handleBrokenSuccessor()
      connection.isBroken = true
    } else current.handleBrokenBody(code)
  }

  return {
    admit,
    add: (socket, isSecure) => connections.add(socket, isSecure),
    handleRequest,
    handleBroken,
  }
}

type Refused = Pick<ClientConnection, 'socket' | 'address'>
