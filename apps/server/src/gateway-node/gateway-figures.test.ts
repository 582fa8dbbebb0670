import { expect, it } from 'vitest'
import { GatewayFigures } from './gateway-figures.ts'

const none = {
  traffic: [],
  token_uses: [],
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
    figures.record({ ...none, traffic: [each], quota_uses: [] }, evening)
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
