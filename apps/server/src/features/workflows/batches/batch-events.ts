import { setTimeout as delay } from 'node:timers/promises'
import { sessionOf, type Caller } from '../../../kernel/caller.ts'
import { OpenStreams } from '../../../kernel/http/open-streams.ts'
import type { BatchService } from './batch-service.ts'

const lookEveryMs = 1_000
const heartbeatMs = 15_000

interface BatchEventsOptions {
  service: BatchService
  isSessionOpen: (sessionId: number) => Promise<boolean>
}

/** The progress of batches as server-sent events, looked at once a second. */
export class BatchEvents {
  readonly #options: BatchEventsOptions
  readonly #streams = new OpenStreams({ max: 100, maxOfUser: 10 })

  constructor(options: BatchEventsOptions) {
    this.#options = options
  }

  /** Ends all streams. Otherwise a stop of the server waits for them. */
  close(): void {
    this.#streams.close()
  }

  /** Throws 404 for a batch that the caller may not see, and 429 where all users, or this one, follow too many. */
  async follow(
    params: { slug: string; id: number },
    caller: Caller,
    left: AbortSignal,
  ): Promise<AsyncGenerator<Uint8Array>> {
    await this.#options.service.show(params, caller)
    return this.#streams.open(caller.user.id, left, (ended) => this.#events(params, caller, ended))
  }

  async *#events(
    params: { slug: string; id: number },
    caller: Caller,
    ended: AbortSignal,
  ): AsyncGenerator<Uint8Array> {
    const { service, isSessionOpen } = this.#options
    let shown = ''
    let lastSent = performance.now()
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
  }
}
