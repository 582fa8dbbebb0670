import { latencyBucketsMs } from '@gatehouse/contract'
import { describe, expect, it } from 'vitest'
import { noCounts, percentile } from './traffic-counts.ts'

function bucketsOf(counts: Record<number, number>): number[] {
  const { buckets } = noCounts()
  for (const [bound, count] of Object.entries(counts)) {
    const bucket = latencyBucketsMs.indexOf(Number(bound))
    buckets[bucket < 0 ? latencyBucketsMs.length : bucket] = count
  }
  return buckets
}

describe('a percentile', () => {
  it.each([
    ['of nothing is none', {}, 0.5, null],
    ['lies within its bucket, in proportion', { 100: 100 }, 0.5, 87.5],
    ['at the end of a bucket is its bound', { 10: 50, 100: 50 }, 0.5, 10],
    ['of most is not moved by a few', { 10: 99, 5000: 1 }, 0.95, 9.9],
    ['sees the slow ones', { 10: 98, 5000: 2 }, 0.99, 4000],
    ['beyond the last bound counts as that', { 1_000_000: 3 }, 0.99, 60_000],
  ])('%s', (_name, counts, share, expected) => {
    expect(percentile(bucketsOf(counts), share)).toBe(expected)
  })
})
