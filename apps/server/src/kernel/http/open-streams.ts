import { AppError } from '../app-error.ts'

const longestMs = 15 * 60_000

interface StreamPlaces {
  /** Of all users. */
  max: number
  maxOfUser: number
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

  /**
   * What `begin` makes, with a place from now until it has ended. `ended` is aborted when the reader has gone (`left`),
   * when the server stops, or after a quarter of an hour. Throws a 429 where no place is free.
   */
  open(
    userId: number,
    left: AbortSignal,
    begin: (ended: AbortSignal) => AsyncGenerator<Uint8Array>,
  ): AsyncGenerator<Uint8Array> {
    const own = [...this.#users.values()].filter((id) => id === userId)
    if (this.#users.size >= this.#places.max || own.length >= this.#places.maxOfUser)
      throw new AppError('server.busy', { retryAfterSeconds: 5 })
    const stream = Symbol('stream')
    this.#users.set(stream, userId)
    const release = () => void this.#users.delete(stream)
    const ended = AbortSignal.any([left, this.#closing.signal, AbortSignal.timeout(longestMs)])
    if (ended.aborted) release()
    ended.addEventListener('abort', release, { once: true })
    return releasing(begin(ended), release)
  }
}

/** A generator that is ended before its first value runs no `finally` of its own. */
function releasing(
  events: AsyncGenerator<Uint8Array>,
  release: () => void,
): AsyncGenerator<Uint8Array> {
  const [next, end] = [events.next.bind(events), events.return.bind(events)]
  events.next = async () => {
    const result = await next().catch((error: unknown) => {
      release()
      throw error
    })
    if (result.done) release()
    return result
  }
  events.return = (value) => {
    release()
    return end(value)
  }
  return events
}
