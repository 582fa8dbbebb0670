/** What one turn of the event loop may take: longer ones hold up the calls of others. */
export const turnMaxMs = 50

/**
 * How often a body is tried whose turn took longer. The garbage of earlier bodies is collected in turns of later ones,
 * and two collections in one turn take 30 to 45 ms, every fourth time on a busy machine. What is slow itself is slow
 * each time.
 */
export const triesMax = 6

/**
 * The CPU time of this thread's longest turn, in ms, while the work goes on. Other work on the machine
 * does not count into it.
 */
export async function longestTurnMs(work: () => Promise<unknown>): Promise<number> {
  const stop = watchTurns()
  try {
    await work()
  } catch (error) {
    await stop()
    throw error
  }
  return stop()
}

/** Begins to measure turns. The returned function ends that, and says what the longest took, in ms of CPU time. */
export function watchTurns(): () => Promise<number> {
  let longest = 0
  let isOver = false
  let since = process.threadCpuUsage()
  const turn = () => {
    const { user, system } = process.threadCpuUsage(since)
    longest = Math.max(longest, (user + system) / 1000)
    since = process.threadCpuUsage()
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  return async () => {
    isOver = true
    await new Promise((resolve) => setImmediate(resolve))
    return longest
  }
}
