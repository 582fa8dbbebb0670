import { isMainThread } from 'node:worker_threads'
import { watchTurns } from '../time/longest-turn.ts'

// Loaded into a process of the product before it starts: measures the turns of its main thread from one
// message of the test to the next. Threads of the product load it too, and are not measured.

/** What was measured between two messages. */
export interface Metered {
  /** CPU time of the longest turn. */
  longestTurnMs: number
  /** The most memory that the process ever held. */
  peakBytes: number
}

if (isMainThread && process.send) {
  let stop = watchTurns()
  const answer = async () => {
    const longestTurnMs = await stop()
    stop = watchTurns()
    const peakBytes = process.resourceUsage().maxRSS * 1024
    process.send?.({ longestTurnMs, peakBytes } satisfies Metered)
  }
  process.on('message', () => void answer())
  process.channel?.unref()
}
