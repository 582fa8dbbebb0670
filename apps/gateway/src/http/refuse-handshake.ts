import { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'

const text = 'This port speaks HTTPS.\n'
const answer = [
  'HTTP/1.1 400 Bad Request',
  'Content-Type: text/plain; charset=utf-8',
  `Content-Length: ${text.length}`,
  'Connection: close',
  '',
  text,
].join('\r\n')

/** Closes a connection whose handshake has failed. Who speaks HTTP without TLS is told so first. */
export function refuseHandshake(error: Error, socket: TLSSocket): void {
  // The TLS socket can't send in the clear. The one below it is let go of once this has returned.
  const { _parent: below } = socket as { _parent?: unknown }
  const isHttp = 'code' in error && error.code === 'ERR_SSL_HTTP_REQUEST'
  if (isHttp && below instanceof Socket && below.writable) {
    below.on('error', () => below.destroy())
    below.end(answer, () => below.destroy())
  }
  socket.destroy()
}
