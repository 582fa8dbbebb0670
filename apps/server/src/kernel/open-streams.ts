import { AppError } from './app-error.ts'

const longestMs = 15 * 60_000

interface StreamPlaces {
  /** Of all users. */
  max: number
  maxOfUser: number
}

export interface OpenStream {
  /** Aborted when the reader has gone, when the server stops, or after a quarter of an hour. Releases the place. */
  ended: AbortSignal
  /** Call it when the stream ends by itself. */
  release: () => void
}

/** The streams of server-sent events that this server has open, within a bound for all users and for each. */
export class OpenStreams {
  readonly #places: StreamPlaces
  readonly #closing = new AbortController()
  /** The user of each. */
  readonly #users = new Map<symbol, number>()

  constructor(places: StreamPlaces) {
    this.#places = places
  }

  /** Ends all streams. Otherwise a stop of the server waits for them. */
  close(): void {
    this.#closing.abort()
  }

  /** Takes a place at once. `left` is aborted when the reader has gone. Throws a 429 where none is free. */
  open(userId: number, left: AbortSignal): OpenStream {
    const own = [...this.#users.values()].filter((id) => id === userId)
    if (this.#users.size >= this.#places.max || own.length >= this.#places.maxOfUser)
      throw new AppError('server.busy', { retryAfterSeconds: 5 })
    const stream = Symbol('stream')
    this.#users.set(stream, userId)
    const release = () => void this.#users.delete(stream)
    const ended = AbortSignal.any([left, this.#closing.signal, AbortSignal.timeout(longestMs)])
    // A stream that is never read never ends by itself.
    if (ended.aborted) release()
    ended.addEventListener('abort', release, { once: true })
    return { ended, release }
  }
}
