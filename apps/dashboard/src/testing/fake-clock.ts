import { act } from '@testing-library/react'
import { vi } from 'vitest'

/**
 * Replaces the timers and `performance.now()` until the test ends. The fake clock runs on with the
 * real one, since Testing Library waits by timers too; `passTimeUntil` makes it run ahead.
 */
export function useFakeClock() {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'performance'],
    shouldAdvanceTime: true,
  })
}

/** Lets three seconds pass at most, in steps of 50 ms, until something is so. */
export async function passTimeUntil(isSo: () => boolean): Promise<void> {
  for (let passedMs = 0; passedMs < 3_000 && !isSo(); passedMs += 50)
    await act(() => vi.advanceTimersByTimeAsync(50))
}
