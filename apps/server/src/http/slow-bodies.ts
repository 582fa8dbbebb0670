import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import {
  ArrivingBody,
  isUpload,
  uploadBounds,
  usualBounds,
  type BodyBounds,
} from '../kernel/http/body-bounds.ts'
import { answerRaw } from './raw-answer.ts'

interface Watched {
  body: ArrivingBody
  response: ServerResponse
  /** Kept here: a request whose stream was left in the middle has no socket any more. */
  socket: Socket
  /** What its connection had carried before. */
  bytesBefore: number
  isRefused: boolean
  /** Its answer was sent: what still comes is dropped. */
  isLeftOver: boolean
}

interface SlowBodyOptions {
  usual?: BodyBounds
  upload?: BodyBounds
  lookEveryMs?: number
}

/**
 * Refuses requests whose body arrives too slowly, with a 408, and ends their connections: Node's own limit
 * is one for all requests, and an upload may take longer than the others. What is left over of a body after
 * an answer has the usual time.
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
    const { socket } = message
    const since = { body: new ArrivingBody(performance.now()), bytesBefore: socket.bytesRead }
    this.#arriving.set(message, {
      ...since,
      response,
      socket,
      isRefused: false,
      isLeftOver: false,
    })
  }

  look(): void {
    for (const [message, watched] of this.#arriving) {
      const { socket } = watched
      if (message.complete || socket.destroyed) this.#arriving.delete(message)
      // The client has had until now to read why.
      else if (watched.isRefused) socket.destroy()
      else if (this.#isTooSlow(message, watched)) refuse(watched)
    }
  }

  #isTooSlow(message: IncomingMessage, watched: Watched): boolean {
    const nowMs = performance.now()
    const { response, socket } = watched
    if (response.writableFinished && !watched.isLeftOver)
      Object.assign(watched, { isLeftOver: true, body: new ArrivingBody(nowMs) })
    const bytesRead = socket.bytesRead - watched.bytesBefore
    // While there are bytes that the handler has not taken, the client is not to blame.
    const isRead = message.readableLength === 0
    const bounds = isUpload(message) && !watched.isLeftOver ? this.#upload : this.#usual
    return watched.body.isTooSlow({ nowMs, bytesRead, isRead }, bounds)
  }
}

const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** What is half written can't be refused any more. */
function refuse(watched: Watched): void {
  watched.isRefused = true
  if (watched.response.headersSent) watched.socket.destroy()
  else answerRaw(watched.socket, 'request.malformed', '408 Request Timeout')
}
