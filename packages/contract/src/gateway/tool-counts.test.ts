import { expect, it } from 'vitest'
import { ToolCounts, toolCount } from './tool-counts.ts'

const row = (tool: string, calls = 1) =>
  toolCount.parse({
    token_id: 3,
    day: '2026-06-01',
    tool,
    calls,
    refused: 0,
    failed: 1,
    waiting: 0,
    buckets: [calls],
  })

it('adds up by token, day and tool, and leaves what was added as it is', () => {
  const counts = new ToolCounts(10)
  const first = row('a')
  counts.add(first)
  counts.add(row('a', 2))
  counts.add({ ...row('a'), token_id: 4 })
  expect(counts.take()).toEqual([
    { ...row('a', 3), failed: 2 },
    { ...row('a'), token_id: 4 },
  ])
  expect(first.calls).toBe(1)
  expect(counts.size).toBe(0)
})

it('keeps as many as it may, and goes on counting these', () => {
  const counts = new ToolCounts(2)
  for (const tool of ['a', 'b', 'c', 'a']) counts.add(row(tool))
  expect(counts.take().map(({ tool, calls }) => [tool, calls])).toEqual([
    ['a', 2],
    ['b', 1],
  ])
})
