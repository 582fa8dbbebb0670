import { AppError } from './app-error.ts'

interface FewAtOnceOptions {
  atOnce: number
  /** How many others may wait. */
  queueMax: number
}

/**
 * Runs heavy work a few pieces at a time, so that it can't starve everything else. Further
 * work waits; once the queue is full, work is refused with a 429.
 */
export function fewAtOnce({ atOnce, queueMax }: FewAtOnceOptions) {
  let running = 0
  const waiting: (() => void)[] = []

  return async function run<T>(work: () => Promise<T>): Promise<T> {
    if (running >= atOnce) {
      if (waiting.length >= queueMax) throw new AppError('server.busy', { retryAfterSeconds: 2 })
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else running++
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      // The place is handed over, so that no other call takes it first.
      if (next) next()
      else running--
    }
  }
}
