import { expect, test } from 'vitest'
import { meanOfThird, slopePerHour, type Sample } from './slope.ts'

const samples = (valueAt: (minute: number) => number): Sample[] =>
  Array.from({ length: 31 }, (_, minute) => [minute * 60_000, valueAt(minute)])

test('what grows by 2 a minute grows by 120 an hour', () => {
  expect(slopePerHour(samples((minute) => 50 + 2 * minute))).toBeCloseTo(120)
})

test('warming up does not count, and noise around a level is flat', () => {
  expect(slopePerHour(samples((minute) => (minute < 10 ? minute * 100 : 1_000)))).toBe(0)
  expect(Math.abs(slopePerHour(samples((minute) => 100 + (minute % 2))))).toBeLessThan(1)
})

test('the mean of a third is that of its samples alone', () => {
  const minutes = samples((minute) => minute).slice(0, 30)
  expect([0, 1, 2].map((third) => meanOfThird(minutes, third as 0 | 1 | 2))).toEqual([
    4.5, 14.5, 24.5,
  ])
})
