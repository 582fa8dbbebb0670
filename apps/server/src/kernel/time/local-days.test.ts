import { expect, it } from 'vitest'
import { lastLocalDays } from './local-days.ts'

const startsOf = (now: string, zone: string, days: number) =>
  lastLocalDays(new Date(now), zone, days).bounds.map((each) => each.slice(0, 16))

it.each([
  ['UTC', '2026-06-01T23:59:00Z', ['2026-05-31T00:00', '2026-06-01T00:00', '2026-06-02T00:00']],
  // It is tomorrow there already.
  [
    'Asia/Kathmandu',
    '2026-06-01T18:15:00Z',
    ['2026-05-31T18:15', '2026-06-01T18:15', '2026-06-02T18:15'],
  ],
  [
    'America/St_Johns',
    '2026-06-01T02:29:00Z',
    ['2026-05-30T02:30', '2026-05-31T02:30', '2026-06-01T02:30'],
  ],
  // Clocks are put forward at two, and back at three.
  [
    'Europe/Berlin',
    '2026-03-29T12:00:00Z',
    ['2026-03-27T23:00', '2026-03-28T23:00', '2026-03-29T22:00'],
  ],
  [
    'Europe/Berlin',
    '2026-10-25T12:00:00Z',
    ['2026-10-23T22:00', '2026-10-24T22:00', '2026-10-25T23:00'],
  ],
  // Clocks are put forward at midnight: the day begins at one.
  [
    'Africa/Cairo',
    '2026-04-24T12:00:00Z',
    ['2026-04-22T22:00', '2026-04-23T22:00', '2026-04-24T21:00'],
  ],
  // Clocks are put back at one: midnight comes twice, and the day begins with the first.
  [
    'America/Havana',
    '2026-11-01T12:00:00Z',
    ['2026-10-31T04:00', '2026-11-01T04:00', '2026-11-02T05:00'],
  ],
])('days of %s at %s', (zone, now, starts) => {
  expect(startsOf(now, zone, 2)).toEqual(starts)
})

it('names the dates, the last that of the moment', () => {
  const { dates } = lastLocalDays(new Date('2026-03-01T12:00:00Z'), 'Pacific/Auckland', 3)
  expect(dates).toEqual(['2026-02-28', '2026-03-01', '2026-03-02'])
})

it('days of all zones begin with a quarter of an hour', () => {
  for (const zone of Intl.supportedValuesOf('timeZone'))
    for (const at of lastLocalDays(new Date('2026-11-10T12:00:00Z'), zone, 14).bounds)
      expect(at, zone).toMatch(/:(00|15|30|45):00\.000Z$/)
})
