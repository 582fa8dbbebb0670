import { expect, it } from 'vitest'
import { ListBound } from './list-bound.ts'

it('a caller lists 100 times at once and 20 times a second, others as often themselves', () => {
  const bound = new ListBound()
  const takes = (caller: string, nowMs: number, count: number) =>
    Array.from({ length: count }, () => bound.take(caller, nowMs)).filter(Boolean).length
  expect(takes('a', 0, 150)).toBe(100)
  expect(takes('b', 0, 150)).toBe(100)
  expect(takes('a', 1_000, 150)).toBe(20)
  expect(takes('a', 1_025, 150)).toBe(0)
  expect(takes('a', 60_000, 150)).toBe(100)
})
