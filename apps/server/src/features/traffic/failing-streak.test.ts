import { expect, it } from 'vitest'
import { failingStreak } from './failing-streak.ts'

/** Requests and errors of each minute, the newest first. */
const streakOf = (...minutes: [requests: number, errors: number][]) =>
  failingStreak(
    minutes.map(([requests, errors], ago) => ({
      at: `2026-06-01T08:${59 - ago}:00.000Z`,
      requests,
      errors,
    })),
  )
const since = (minute: number) => `2026-06-01T08:${minute}:00.000Z`

it('counts from the first error on', () => {
  expect(streakOf([10, 10], [10, 10], [10, 4], [10, 0], [10, 0], [10, 9])).toEqual({
    since: since(57),
    requests: 30,
    errors: 24,
  })
})

it('one minute without an error does not end it, two do', () => {
  expect(streakOf([1, 0], [10, 10])).toEqual({ since: since(58), requests: 11, errors: 10 })
  expect(streakOf([10, 10], [1, 0], [10, 10])).toEqual({
    since: since(57),
    requests: 21,
    errors: 20,
  })
  expect(streakOf([1, 0], [1, 0], [10, 10])).toBeUndefined()
})

it('an error among many answers is no outage', () => {
  expect(streakOf([100, 4])).toBeUndefined()
  expect(streakOf([100, 5])).toEqual({ since: since(59), requests: 100, errors: 5 })
  expect(streakOf()).toBeUndefined()
})
