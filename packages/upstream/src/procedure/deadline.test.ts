import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Deadline } from './deadline.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

function follow(timeoutMs: number, outer?: AbortSignal) {
  const deadline = new Deadline(timeoutMs, outer)
  const received: unknown[] = []
  const listener = () => received.push(deadline.reason?.code)
  deadline.addEventListener('abort', listener)
  return { deadline, received, listener }
}

test('each of many ends at its own time, in whatever order they began', () => {
  const [long, short, middle] = [follow(3_000), follow(1_000), follow(2_000)]
  const ended = () => [long, short, middle].map(({ received }) => received.length)
  vi.advanceTimersByTime(999)
  expect(ended()).toEqual([0, 0, 0])
  vi.advanceTimersByTime(1)
  expect(ended()).toEqual([0, 1, 0])
  vi.advanceTimersByTime(1_000)
  expect(ended()).toEqual([0, 1, 1])
  vi.advanceTimersByTime(1_000)
  expect(ended()).toEqual([1, 1, 1])
  expect(long.received).toEqual(['upstream.timeout'])
})

test('one that was stopped never ends, and those that run beside it do', () => {
  const [first, second, third] = [follow(1_000), follow(1_000), follow(1_000)]
  first.deadline.stop()
  first.deadline.stop()
  vi.advanceTimersByTime(1_000)
  expect([first, second, third].map(({ received }) => received.length)).toEqual([0, 1, 1])
  vi.advanceTimersByTime(1_000)
  const later = follow(1_000)
  vi.advanceTimersByTime(1_000)
  expect(later.received).toHaveLength(1)
})

test('a caller that leaves ends it at once; its time running out afterwards changes nothing', () => {
  const caller = new AbortController()
  const { deadline, received } = follow(1_000, caller.signal)
  deadline.isSent = true
  caller.abort()
  vi.advanceTimersByTime(2_000)
  expect(received).toEqual(['procedure.cancelled'])
  expect(deadline.reason?.parts.isSent).toBe(true)
  expect(() => deadline.throwIfAborted()).toThrow('The caller has left.')
})

test('a caller that has left before ends it at once', () => {
  const { deadline } = follow(1_000, AbortSignal.abort())
  expect(deadline.reason?.code).toBe('procedure.cancelled')
  expect(deadline.signal.aborted).toBe(true)
})

test('its signal has the same reason, read before or after the end', () => {
  const before = follow(1_000)
  const { signal } = before.deadline
  expect(signal.aborted).toBe(false)
  vi.advanceTimersByTime(1_000)
  expect(signal.reason).toBe(before.deadline.reason)
  expect(before.deadline.signal).toBe(signal)
  const after = follow(500)
  vi.advanceTimersByTime(500)
  expect(after.deadline.signal.reason).toBe(after.deadline.reason)
})

test('a removed listener is not called', () => {
  const { deadline, received, listener } = follow(1_000)
  deadline.removeEventListener('abort', listener)
  vi.advanceTimersByTime(1_000)
  expect(received).toEqual([])
})
