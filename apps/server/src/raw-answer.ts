import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { errorTable, type ErrorCode } from '@gatehouse/contract'
import { securityHeaders } from './security-headers.ts'

/**
 * Refuses what is no request, in the shape of every refusal, and closes the connection. `status` is the
 * number and its phrase.
 */
export function answerRaw(socket: Socket, code: ErrorCode, status: string): void {
  const requestId = randomUUID()
  const { message } = errorTable[code]
  const body = JSON.stringify({ message, code, request_id: requestId })
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    ...securityHeaders,
    'cache-control': 'no-store',
    'x-request-id': requestId,
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  }
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status}\r\n${fields.join('')}\r\n${body}`)
}
