import { setTimeout as delay } from 'node:timers/promises'

/** Waits for a ring or a time. A ring before the wait counts. */
export function createBell() {
  let hasRung = false
  let wake = () => {}
  return {
    ring: () => {
      hasRung = true
      wake()
    },
    wait: async (ms: number) => {
      const timer = new AbortController()
      if (!hasRung) {
        wake = () => timer.abort()
        await delay(ms, undefined, { signal: timer.signal, ref: false }).catch(() => {})
      }
      hasRung = false
    },
  }
}
