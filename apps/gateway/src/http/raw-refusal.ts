import { gatewayErrorTable } from '@gatehouse/contract/gateway'
import type { GatewayErrorCode } from '@gatehouse/contract/gateway'
import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'

/** An answer to bytes that are no request, written past Node's own. Ends the connection. */
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

/** What became of bytes that Node's parser refused, or waited for too long. */
export function codeOfParserError(error: Error): GatewayErrorCode | null {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (code === 'HPE_HEADER_OVERFLOW') return 'client.headers_too_large'
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'client.timeout'
  // The client left in the middle of a message.
  if (code === 'HPE_INVALID_EOF_STATE') return null
  // Anything else is about the connection: there is no client left to answer.
  return code.startsWith('HPE_') ? 'client.malformed' : null
}
