import { gatewayErrorTable } from '@gatehouse/contract/gateway'
import type { GatewayErrorCode } from '@gatehouse/contract/gateway'
import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'

/** An answer to bytes that are no request, written without an exchange. Ends the connection. */
export function refuseOnSocket(socket: Duplex, code: GatewayErrorCode, requestId: string): void {
  const { status, message } = gatewayErrorTable[code]
  const body = JSON.stringify({ message, code, request_id: requestId })
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'Content-Type: application/json; charset=utf-8',
    'X-Content-Type-Options: nosniff',
    'Cache-Control: no-store',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    `Date: ${new Date().toUTCString()}`,
    'Connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy())
}
