import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../../../test/hostile-logs/seeded-random.ts'
import { BlockTable } from './block-table.ts'

const blocksMax = 64 * 1024

/** A table of so many entries, and what they were. */
function fill(count: number, gap: () => number) {
  const table = new BlockTable(false)
  const random = seededRandom(count)
  const entries: { start: number; level: number; isHit: boolean }[] = []
  let start = 0
  for (let index = 0; index < count; index++) {
    const next = start + gap()
    const entry = { start, level: random.integer(0, 8), isHit: random.integer(0, 3) === 0 }
    table.add(start, next, entry.level, entry.isHit)
    entries.push(entry)
    start = next
    // As after each slice.
    if (index % 5_000 === 0) table.compact()
  }
  table.compact()
  return { table, entries }
}

describe('a table of blocks', () => {
  const random = seededRandom(3)
  it.each([
    ['short entries', 400_000, () => random.integer(1, 300)],
    ['entries longer than the first blocks', 200_000, () => random.integer(5_000, 200_000)],
    [
      'a few very long ones between short ones',
      300_000,
      () => (random.integer(0, 99) === 0 ? 50_000_000 : 40),
    ],
    ['blocks that must double many times', 150_000, () => 1_000_000],
  ])('counts every entry where it is, however it was put together: %s', (_name, count, gap) => {
    const { table, entries } = fill(count, gap)
    expect(table.count).toBeLessThanOrEqual(blocksMax)
    const all = new Uint32Array(table.count)
    const hits = new Uint32Array(table.count * 9)
    let farthest = 0
    for (const { start, level, isHit } of entries) {
      const block = table.blockAt(start)
      all[block] = (all[block] ?? 0) + 1
      if (isHit) hits[block * 9 + level] = (hits[block * 9 + level] ?? 0) + 1
      farthest = Math.max(farthest, start - (table.starts[block] ?? 0))
    }
    expect(table.all.subarray(0, table.count)).toEqual(all)
    expect(table.hits.subarray(0, table.count * 9)).toEqual(hits)
    expect(farthest).toBeLessThan(table.reach)
    expect(table.total).toBe(count)
    const found = entries.filter(({ isHit }) => isHit).length
    expect(table.levelTotals.reduce((sum, each) => sum + each)).toBe(found)
  })
})
