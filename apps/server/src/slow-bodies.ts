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
  const bodies = new SlowBodies(options)
  server.on('request', (message, response) => bodies.watch(message, response))
  let timer: NodeJS.Timeout | undefined
  server.on('listening', () => {
    timer ??= setInterval(() => bodies.look(), options.lookEveryMs ?? 1_000).unref()
  })
  server.on('close', () => clearInterval(timer))
}

class SlowBodies {
  readonly #arriving = new Map<IncomingMessage, Watched>()
  readonly #usual: BodyBounds
  readonly #upload: BodyBounds

  constructor({ usual = usualBounds, upload = uploadBounds }: SlowBodyOptions) {
    this.#usual = usual
    this.#upload = upload
  }

  watch(message: IncomingMessage, response: ServerResponse): void {
    if (!hasBody(message)) return
    const body = new ArrivingBody(performance.now())
    const bytesBefore = message.socket.bytesRead
    this.#arriving.set(message, { body, response, bytesBefore, isRefused: false })
  }

  look(): void {
    for (const [message, watched] of this.#arriving) {
      const { socket, complete } = message
      if (complete || socket.destroyed) this.#arriving.delete(message)
      // The client has had until now to read why.
      else if (watched.isRefused) socket.destroy()
      else if (this.#isTooSlow(message, watched)) refuse(message, watched)
    }
  }

  #isTooSlow(message: IncomingMessage, { body, bytesBefore }: Watched): boolean {
    const bytesRead = message.socket.bytesRead - bytesBefore
    // While there are bytes that the handler has not taken, the client is not to blame.
    const isRead = message.readableLength === 0
    const bounds = isUpload(message) ? this.#upload : this.#usual
    return body.isTooSlow({ nowMs: performance.now(), bytesRead, isRead }, bounds)
  }
}

const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** What is half written can't be refused any more. */
function refuse(message: IncomingMessage, watched: Watched): void {
  watched.isRefused = true
  if (watched.response.headersSent) message.socket.destroy()
  else answerRaw(message.socket, 'request.malformed', '408 Request Timeout')
}
