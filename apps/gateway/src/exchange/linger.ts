import { releaseHeld } from '@gatehouse/http1'
import type { ClientConnection } from '../http/client-connection.ts'
import type { ClientAnswer, ClientRequest } from '../http/client-message.ts'

/** What a request's Expect field asks for. */
export type Expectation = 'none' | 'continue' | 'other'

interface Answered {
  readonly req: ClientRequest
  readonly res: ClientAnswer
  readonly connection: ClientConnection
  readonly expectation: Expectation
}

const lingerMs = 3_000
const lingerBytes = 4 * 1024 * 1024

/**
 * Ends an answer whose request is still arriving. Closing at once would reset the connection, and the
 * client would lose the answer with it (RFC 9112 §9.6): so for a moment what still comes is read and
 * thrown away. The head has said `Connection: close` already.
 */
export function lingerThenEnd({ req, res, connection, expectation }: Answered): void {
  if (expectation === 'continue') {
    // No 100 Continue was sent: the client sends no body.
    res.end()
    return
  }
  let bytes = 0
  const finish = (): void => {
    clearTimeout(timer)
    req.off('data', count)
    req.off('end', finish)
    req.off('close', finish)
    if (!connection.socket.destroyed) res.end()
  }
  const count = (chunk: Buffer): void => {
    bytes += chunk.length
    if (bytes > lingerBytes) finish()
  }
  const timer = setTimeout(finish, lingerMs)
  req.on('data', count)
  req.on('end', finish)
  req.on('close', finish)
  req.resume()
}

/** Ends the connection so that the client does not take what it has of the answer for the whole. */
export function endInTheMiddle({ req, connection: { socket, isSecure } }: Answered): void {
  // Without length and chunks the end of the connection would look like the end of the body.
  releaseHeld(socket)
  const isDelimited = req.httpVersionMinor === 1
  if (isDelimited || isSecure) socket.destroy()
  else socket.resetAndDestroy()
}
