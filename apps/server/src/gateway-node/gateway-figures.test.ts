import { expect, it } from 'vitest'
import { GatewayFigures } from './gateway-figures.ts'

const none = {
  traffic: [],
  token_uses: [],
  quota_uses: [],
  tool_calls: [],
  unknown_keys: [],
  web_sockets: { opened: 0, refused: 0, bytes_in: 0, bytes_out: 0 },
}
const evening = new Date('2026-06-30T23:59:59.500Z')
const night = new Date('2026-07-01T00:00:00.500Z')

it('what the cache did waits with the other counts of a minute', () => {
  const figures = new GatewayFigures()
  const row = {
    endpoint_id: 7,
    status: 200,
    requests: 3,
    duration_ms: 9,
    bytes_in: 0,
    bytes_out: 0,
    buckets: [3],
  }
  const cache = { hits: 2, misses: 1, saved_ms: 40 }
  for (const each of [row, { ...row, cache }, { ...row, cache }])
    figures.record({ ...none, traffic: [each] }, evening)
  expect(figures.take(10, 10).traffic).toMatchObject([
    { requests: 9, cache: { hits: 4, misses: 2, saved_ms: 80 } },
  ])
})

it('uses of tokens with a quota wait with their days, and none is lost or counted twice', () => {
  const figures = new GatewayFigures()
  expect(figures.isEmpty).toBe(true)
  figures.record({ ...none, quota_uses: [[7, 2]] }, evening)
  figures.record({ ...none, quota_uses: [[7, 1]] }, evening)
  figures.record({ ...none, quota_uses: [[7, 5]] }, night)
  const first = figures.take(10, 1)
  expect(first.quota_uses).toEqual([[7, '2026-06-30', 3]])
  figures.record({ ...none, quota_uses: [[7, 4]] }, evening)
  // It did not fit.
  figures.putBack(first)
  expect(figures.take(10, 10).quota_uses.toSorted()).toEqual([
    [7, '2026-06-30', 7],
    [7, '2026-07-01', 5],
  ])
  expect(figures.isEmpty).toBe(true)
})

const toolCall = (times: number, day = '2026-06-30') => ({
  token_id: 7,
  day,
  tool: 'sales_orders',
  calls: times,
  refused: 1,
  failed: 0,
  waiting: 0,
  buckets: [times, 0],
})

it('calls of tools wait by token, day and tool, and none is lost or counted twice', () => {
  const figures = new GatewayFigures()
  figures.record({ ...none, tool_calls: [toolCall(2), toolCall(1, '2026-07-01')] }, night)
  figures.record({ ...none, tool_calls: [toolCall(3)] }, night)
  expect(figures.isEmpty).toBe(false)
  const first = figures.take(1, 10)
  expect(first.tool_calls).toEqual([{ ...toolCall(5), refused: 2 }])
  // It did not fit.
  figures.putBack(first)
  expect(figures.take(10, 10).tool_calls.map(({ day, calls }) => [day, calls])).toEqual([
    ['2026-07-01', 1],
    ['2026-06-30', 5],
  ])
  expect(figures.isEmpty).toBe(true)
})
