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
