import { Socket } from 'node:net'
import type { ReadBuffer } from '../read-buffer.ts'

/** What `net` has behind a socket. `net.Server.listen` documents it; the option `handle` is not documented. */
interface Connected {
  _handle?: { useUserBuffer?: unknown } | null
  _server?: unknown
}

/**
 * The connection of a socket that `net.Server` has just made, as a socket that reads by way of
 * `reading`: the server's own has no option for it, and takes 64 KiB from the system for each read.
 * The socket that was given is of no more use. Null where Node keeps its handles in another way: the
 * socket stays as it is.
 */
export function adoptSocket(socket: Socket, reading: ReadBuffer): Socket | null {
  const made = socket as unknown as Connected
  const handle = made._handle
  if (typeof handle?.useUserBuffer !== 'function') return null
  const options: object = { handle, allowHalfOpen: true, onread: reading.onread }
  const adopted = new Socket(options)
  // The server counts it when it closes.
  ;(adopted as unknown as Connected)._server = made._server
  made._handle = null
  return adopted
}
