import type { RunSummary } from '@gatehouse/contract'
import { createBell } from '../../../kernel/bell.ts'
import { sessionOf, type Caller } from '../../../kernel/caller.ts'
import { OpenStreams } from '../../../kernel/http/open-streams.ts'
import type { RunFeed } from '../ledger/reading/run-feed.ts'
import { isUnderWay } from '../ledger/run-state.ts'

const heartbeatMs = 15_000
/** Another server may carry out the run. Its changes are visible only in the database. */
const pollMs = 1_000

interface RunEventsOptions {
  feed: RunFeed
  summary: (runId: number) => Promise<RunSummary | undefined>
  isSessionOpen: (sessionId: number) => Promise<boolean>
}

/** Streams of server-sent events that report the progress of runs (WHATWG HTML §9.2). */
export class RunEvents {
  readonly #options: RunEventsOptions
  readonly #streams = new OpenStreams({ max: 200, maxOfUser: 10 })

  constructor(options: RunEventsOptions) {
    this.#options = options
  }

  /** Ends all streams. Otherwise a stop of the server waits for them. */
  close(): void {
    this.#streams.close()
  }

  /**
   * Throws 429 where all users, or this one, have too many open streams. `left` is aborted when the
   * reader has gone. The end of the session ends the stream too.
   */
  follow(runId: number, caller: Caller, left: AbortSignal): AsyncGenerator<Uint8Array> {
    // A stream ends with the session that opened it.
    const sessionId = sessionOf(caller)
    return this.#streams.open(caller.user.id, left, (ended) =>
      this.#events(runId, sessionId, ended),
    )
  }

  async *#events(runId: number, sessionId: number, ended: AbortSignal): AsyncGenerator<Uint8Array> {
    const { feed, summary, isSessionOpen } = this.#options
    const bell = createBell()
    const stopListening = feed.follow(runId, bell.ring)
    ended.addEventListener('abort', bell.ring)
    let shown = ''
    let lastSent = performance.now()
    try {
      while (!ended.aborted && (await isSessionOpen(sessionId))) {
        const run = await summary(runId)
        const text = JSON.stringify(run)
        if (text !== shown) {
          shown = text
          lastSent = performance.now()
          yield Buffer.from(`event: run\ndata: ${text}\n\n`)
        } else if (performance.now() - lastSent >= heartbeatMs) {
          lastSent = performance.now()
          yield Buffer.from(': still here\n\n')
        }
        if (!run || !isUnderWay(run.state)) return
        await bell.wait(pollMs)
      }
    } finally {
      stopListening()
      ended.removeEventListener('abort', bell.ring)
    }
  }
}
