import { setTimeout as delay } from 'node:timers/promises'
import { AppError } from '../../../kernel/app-error.ts'
import { sessionOf, type Caller } from '../../../kernel/caller.ts'
import type { BatchService } from './batch-service.ts'

const lookEveryMs = 1_000
const heartbeatMs = 15_000
const longestMs = 15 * 60_000
const streamsMax = 100
const streamsOfUserMax = 10

interface BatchEventsOptions {
  service: BatchService
  isSessionOpen: (sessionId: number) => Promise<boolean>
}

/** The progress of batches as server-sent events, looked at once a second. */
export class BatchEvents {
  readonly #options: BatchEventsOptions
  readonly #closing = new AbortController()
  /** The user of each open stream. */
  readonly #streams: number[] = []

  constructor(options: BatchEventsOptions) {
    this.#options = options
  }

  /** Ends all streams. Otherwise a stop of the server waits for them. */
  close(): void {
    this.#closing.abort()
  }

  /** Throws 404 for a batch that the caller may not see, and 429 where all users, or this one, follow too many. */
  async follow(
    params: { slug: string; id: number },
    caller: Caller,
    left: AbortSignal,
  ): Promise<AsyncGenerator<Uint8Array>> {
    await this.#options.service.show(params, caller)
    if (!this.#hasPlace(caller)) throw new AppError('server.busy', { retryAfterSeconds: 5 })
    const ended = AbortSignal.any([left, this.#closing.signal, AbortSignal.timeout(longestMs)])
    return this.#events(params, caller, ended)
  }

  #hasPlace({ user }: Caller): boolean {
    const own = this.#streams.filter((id) => id === user.id)
    return this.#streams.length < streamsMax && own.length < streamsOfUserMax
  }

  async *#events(
    params: { slug: string; id: number },
    caller: Caller,
    ended: AbortSignal,
  ): AsyncGenerator<Uint8Array> {
    const { service, isSessionOpen } = this.#options
    // Counted at the first read: a stream that is never read would never release its place.
    if (!this.#hasPlace(caller)) return
    this.#streams.push(caller.user.id)
    let shown = ''
    let lastSent = performance.now()
    try {
      while (!ended.aborted && (await isSessionOpen(sessionOf(caller)))) {
        const batch = await service.show(params, caller)
        const text = JSON.stringify(batch)
        const isSilent = performance.now() - lastSent >= heartbeatMs
        if (text !== shown || isSilent) {
          yield Buffer.from(text === shown ? ': still here\n\n' : `event: batch\ndata: ${text}\n\n`)
          shown = text
          lastSent = performance.now()
        }
        const left = (batch.counts.queued ?? 0) + (batch.counts.running ?? 0)
        if (left + (batch.counts.pending ?? 0) === 0) return
        await delay(lookEveryMs, undefined, { signal: ended, ref: false }).catch(() => {})
      }
    } finally {
      this.#streams.splice(this.#streams.indexOf(caller.user.id), 1)
    }
  }
}
