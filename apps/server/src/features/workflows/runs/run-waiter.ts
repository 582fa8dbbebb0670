import type { RunState } from '@gatehouse/contract'
import { createBell } from '../../../kernel/bell.ts'
import type { Caller } from '../../../kernel/caller.ts'
import type { RunFeed } from '../../runs/ledger/reading/run-feed.ts'
import { isUnderWay } from '../../runs/ledger/run-state.ts'

/** Another server may carry the run out. Its changes are visible only in the database. */
const pollMs = 1_000
/** More callers than these are answered at once: each holds a connection and polls. */
const waitersMax = 500

interface RunWaiterOptions {
  feed: RunFeed
  stateOf: (runId: number) => Promise<RunState | undefined>
  /** Throws where the caller's session or token is no longer valid. */
  recheck: (caller: Caller) => Promise<void>
}

interface Wait {
  runId: number
  seconds: number
  caller: Caller
  /** Aborted when the caller has gone. */
  left: AbortSignal
}

/** Holds callers of workflows until their run has ended (`Prefer: wait`). */
export class RunWaiter {
  readonly #options: RunWaiterOptions
  readonly #closing = new AbortController()
  #waiters = 0

  constructor(options: RunWaiterOptions) {
    this.#options = options
  }

  /** Answers all callers who wait. Otherwise a stop of the server waits for them. */
  close(): void {
    this.#closing.abort()
  }

  /**
   * Returns when the run has ended, the time is over, the caller has gone or the server stops. False
   * without a wait, where too many wait already. Throws a 401 as soon as the caller's token is revoked.
   */
  async wait(wait: Wait): Promise<boolean> {
    if (this.#waiters >= waitersMax || this.#closing.signal.aborted) return false
    this.#waiters++
    try {
      await this.#untilEnd(wait)
      return true
    } finally {
      this.#waiters--
    }
  }

  async #untilEnd({ runId, seconds, caller, left }: Wait): Promise<void> {
    const { feed, stateOf, recheck } = this.#options
    const over = AbortSignal.any([left, this.#closing.signal, AbortSignal.timeout(seconds * 1000)])
    const bell = createBell()
    // Before the first look, so that no change falls between the two.
    const stopListening = feed.follow(runId, bell.ring)
    over.addEventListener('abort', bell.ring)
    try {
      for (;;) {
        const state = await stateOf(runId)
        await recheck(caller)
        // A release may take a day.
        if (over.aborted || state === undefined || state === 'waits_for_release') return
        if (!isUnderWay(state)) return
        await bell.wait(pollMs)
      }
    } finally {
      stopListening()
      over.removeEventListener('abort', bell.ring)
    }
  }
}
