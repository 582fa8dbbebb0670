import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Watchdog } from './watchdog.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function watch(answers: (watchdog: Watchdog) => void) {
  const onStuck = vi.fn<() => void>()
  const watchdog: Watchdog = new Watchdog({
    limitMs: 30_000,
    ping: () => answers(watchdog),
    onStuck,
  })
  return { watchdog, onStuck }
}

it('calls a process stuck once, after it was silent for the whole time', () => {
  const { onStuck } = watch(() => {})
  vi.advanceTimersByTime(30_000)
  expect(onStuck).not.toHaveBeenCalled()
  vi.advanceTimersByTime(90_000)
  expect(onStuck).toHaveBeenCalledTimes(1)
})

it('does not while it answers, however late', () => {
  const { watchdog, onStuck } = watch((it) => setTimeout(() => it.answered(), 25_000))
  vi.advanceTimersByTime(600_000)
  expect(onStuck).not.toHaveBeenCalled()
  watchdog.stop()
})
