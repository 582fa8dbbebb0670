import fc from 'fast-check'
import { expect, test } from 'vitest'
import { axisTicks, namedMarks, partsOf } from './chart-scale.ts'

test('an axis is marked with round numbers up to the highest value', () => {
  expect(axisTicks(0, 4)).toEqual([0, 1])
  expect(axisTicks(7, 4)).toEqual([0, 2, 4, 6, 8])
  expect(axisTicks(1_234, 4)).toEqual([0, 500, 1_000, 1_500])
  expect(axisTicks(0.3, 3)).toEqual([0, 0.1, 0.2, 0.3])
  expect(axisTicks(1, 4, 1)).toEqual([0, 1])
})

test('whatever the highest value is, it is below the last mark, and the marks are few', () => {
  fc.assert(
    fc.property(fc.double({ min: 1e-6, max: 1e12, noNaN: true }), (highest) => {
      const ticks = axisTicks(highest, 4)
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(highest * (1 - 1e-8))
      expect(ticks.at(-2)).toBeLessThan(highest)
      expect(ticks.length).toBeLessThanOrEqual(6)
    }),
  )
})

test('names are evenly apart, and no more than there is room for', () => {
  expect(namedMarks(60, 6)).toEqual([0, 10, 20, 30, 40, 50])
  expect(namedMarks(5, 6)).toEqual([0, 1, 2, 3, 4])
  expect(namedMarks(168, 0)).toEqual([0])
})

test('a lone value between two gaps is a part', () => {
  expect(partsOf([null, 3, null, 4, 5])).toEqual([
    [{ at: 1, value: 3 }],
    [
      { at: 3, value: 4 },
      { at: 4, value: 5 },
    ],
  ])
})
