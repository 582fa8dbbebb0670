import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { errorTable, helpOf, type ErrorCode } from '@gatehouse/contract'
import { securityHeaders } from './security-headers.ts'

/** How long a client may go on sending after the answer. */
const lingerMs = 2_000

const answered = new WeakSet<Socket>()

/** Such a connection has its answer: what still arrives on it is read, and dropped. */
export const isAnsweredRaw = (socket: Socket) => answered.has(socket)

/**
 * Refuses what is no request, in the shape of every refusal, and closes the connection. `status` is the
 * number and its phrase. It is closed in stages (RFC 9112 §9.6): one that is closed while bytes of the client
 * are unread is reset, and the client may lose the answer.
 */
export function answerRaw(socket: Socket, code: ErrorCode, status: string): void {
  const requestId = randomUUID()
  const { message } = errorTable[code]
  const body = JSON.stringify({ message, code, request_id: requestId, help: helpOf(code) })
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    ...securityHeaders,
    'cache-control': 'no-store',
    'x-request-id': requestId,
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  }
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  answered.add(socket)
  socket.end(`HTTP/1.1 ${status}\r\n${fields.join('')}\r\n${body}`)
  const late = setTimeout(() => socket.destroy(), lingerMs).unref()
  socket.once('close', () => clearTimeout(late))
}
