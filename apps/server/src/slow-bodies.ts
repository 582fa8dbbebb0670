import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import {
  ArrivingBody,
  isUpload,
  uploadBounds,
  usualBounds,
  type BodyBounds,
} from './kernel/body-bounds.ts'
import { answerRaw } from './raw-answer.ts'

interface Watched {
  body: ArrivingBody
  response: ServerResponse
  /** What its connection had carried before. */
  bytesBefore: number
  isRefused: boolean
}

interface SlowBodyOptions {
  usual?: BodyBounds
  upload?: BodyBounds
  lookEveryMs?: number
}

/**
 * Refuses requests whose body arrives too slowly, with a 408, and ends their connections: Node's own limit
 * is one for all requests, and an upload may take longer than the others. A body that is left over after
 * an answer is bounded too.
 */
export function boundBodies(server: Server, options: SlowBodyOptions = {}): void {
  const { usual = usualBounds, upload = uploadBounds, lookEveryMs = 1_000 } = options
  const arriving = new Map<IncomingMessage, Watched>()
  server.on('request', (message: IncomingMessage, response: ServerResponse) => {
    if (!hasBody(message)) return
    const body = new ArrivingBody(performance.now())
    const bytesBefore = message.socket.bytesRead
    arriving.set(message, { body, response, bytesBefore, isRefused: false })
  })
  const look = () => {
    const nowMs = performance.now()
    for (const [message, watched] of arriving) {
      const { socket, complete } = message
      if (complete || socket.destroyed) arriving.delete(message)
      else if (watched.isRefused) socket.destroy()
      else {
        const bytesRead = socket.bytesRead - watched.bytesBefore
        const state = { nowMs, bytesRead, isRead: message.readableLength === 0 }
        const bounds = isUpload(message) ? upload : usual
        if (watched.body.isTooSlow(state, bounds)) refuse(message, watched)
      }
    }
  }
  let timer: NodeJS.Timeout | undefined
  server.on('listening', () => (timer ??= setInterval(look, lookEveryMs).unref()))
  server.on('close', () => clearInterval(timer))
}

const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** What is half written can't be refused any more. */
function refuse(message: IncomingMessage, watched: Watched): void {
  watched.isRefused = true
  if (watched.response.headersSent) message.socket.destroy()
  else answerRaw(message.socket, 'request.malformed', '408 Request Timeout')
}
