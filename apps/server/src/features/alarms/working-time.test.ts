import { describe, expect, it } from 'vitest'
import { workingMsBetween } from './working-time.ts'

const hours = (
  from: string,
  to: string,
  changes: Partial<Parameters<typeof workingMsBetween>[0]> = {},
) =>
  workingMsBetween(
    { time_zone: 'UTC', weekdays: [1, 2, 3, 4, 5], from: '08:00', to: '18:00', ...changes },
    new Date(from),
    new Date(to),
  ) / 3_600_000

describe('working time', () => {
  it.each([
    ['within a day', '2026-06-01T09:00:00Z', '2026-06-01T11:30:00Z', 2.5],
    ['before the day begins', '2026-06-01T05:00:00Z', '2026-06-01T08:00:00Z', 0],
    ['over a night', '2026-06-01T17:00:00Z', '2026-06-02T09:00:00Z', 2],
    ['over a weekend', '2026-06-05T17:00:00Z', '2026-06-08T09:00:00Z', 2],
    ['a week', '2026-06-01T00:00:00Z', '2026-06-08T00:00:00Z', 50],
    ['backwards', '2026-06-02T00:00:00Z', '2026-06-01T00:00:00Z', 0],
  ])('%s', (_, from, to, expected) => {
    expect(hours(from, to)).toBe(expected)
  })

  it('is that of the time zone', () => {
    const calendar = { time_zone: 'Asia/Kuala_Lumpur' }
    expect(hours('2026-06-01T00:00:00Z', '2026-06-01T10:00:00Z', calendar)).toBe(10)
    // Sunday in UTC is Monday there.
    expect(hours('2026-06-07T20:00:00Z', '2026-06-08T02:00:00Z', calendar)).toBe(2)
    // A Friday that ends there is still Friday in UTC.
    expect(hours('2026-06-05T12:00:00Z', '2026-06-05T23:00:00Z', calendar)).toBe(0)
  })

  it('is as long as the clocks say on a day on which they change', () => {
    const calendar = { time_zone: 'Europe/Berlin', weekdays: [7], from: '00:00', to: '24:00' }
    expect(hours('2026-03-28T00:00:00Z', '2026-03-31T00:00:00Z', calendar)).toBe(23)
    expect(hours('2026-10-24T00:00:00Z', '2026-10-27T00:00:00Z', calendar)).toBe(25)
  })

  it('is not counted for longer than 120 days', () => {
    const calendar = { weekdays: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '24:00' }
    expect(hours('2000-01-01T00:00:00Z', '2026-06-01T00:00:00Z', calendar)).toBe(120 * 24)
  })
})
