import { createHook } from 'node:async_hooks'

/** Node's own name for one run of argon2. */
const argon2Request = 'ARGON2REQUEST'

/** Counts the runs of argon2 in this process as Node itself reports them, and how many ran at once. */
export function countHashes() {
  const running = new Set<number>()
  let total = 0
  let mostAtOnce = 0
  const hook = createHook({
    init: (id, type) => {
      if (type !== argon2Request) return
      running.add(id)
      total++
      mostAtOnce = Math.max(mostAtOnce, running.size)
    },
    before: (id) => void running.delete(id),
  }).enable()
  return {
    total: () => total,
    mostAtOnce: () => mostAtOnce,
    stop: () => void hook.disable(),
  }
}
