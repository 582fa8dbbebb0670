import { expect, test } from 'vitest'
import { calendarDay, isoDay } from './calendar-day.ts'

test.each([
  ['2026-01-31T23:30:00Z', 'UTC', '2026-01-31'],
  ['2026-01-31T23:30:00Z', 'Asia/Riyadh', '2026-02-01'],
  ['2026-03-01T01:30:00Z', 'America/Lima', '2026-02-28'],
  // Kiribati is 14 hours ahead.
  ['2026-12-31T10:00:00Z', 'Pacific/Kiritimati', '2027-01-01'],
])('%s in %s is on %s', (moment, zone, day) => {
  expect(isoDay(calendarDay(new Date(moment), zone))).toBe(day)
})
