import { expect, test } from 'vitest'
import { ageWords, durationWords, relativeWords } from './age-words.ts'

const now = Date.parse('2026-01-31T12:00:00Z')

test.each([
  ['2026-01-31T11:59:30Z', 'a moment'],
  ['2026-01-31T11:59:00Z', '1 minute'],
  ['2026-01-31T10:30:00Z', '1 hour'],
  ['2026-01-31T09:00:00Z', '3 hours'],
  ['2026-01-29T11:00:00Z', '2 days'],
  // A server whose clock is ahead.
  ['2026-01-31T12:00:10Z', 'a moment'],
])('%s was %s ago', (since, words) => {
  expect(ageWords(since, now)).toBe(words)
})

test.each([
  [12.4, '12 ms'],
  [999, '999 ms'],
  [1500, '1.5 s'],
  [2_120_400, '35 minutes'],
])('%d milliseconds read %s', (durationMs, words) => {
  expect(durationWords(durationMs)).toBe(words)
})

test.each([
  ['2026-01-31T11:59:30Z', 'now'],
  ['2026-01-31T11:57:10Z', '2 minutes ago'],
  ['2026-01-31T09:00:00Z', '3 hours ago'],
  ['2026-01-31T12:59:00Z', 'in 59 minutes'],
  ['2026-01-30T11:00:00Z', 'yesterday'],
  ['2026-02-02T12:00:00Z', 'in 2 days'],
  ['2026-01-25T12:00:00Z', '6 days ago'],
  ['2026-01-24T12:00:00Z', undefined],
])('%s is %s', (moment, words) => {
  expect(relativeWords(new Date(moment), now, 'UTC')).toBe(words)
})

test.each([
  ['UTC', '2026-01-31T01:00:00Z', '2026-01-29T23:00:00Z', '2 days ago'],
  ['UTC', '2026-01-31T23:00:00Z', '2026-02-02T01:00:00Z', 'in 2 days'],
  ['UTC', '2026-01-31T01:00:00Z', '2026-02-01T23:00:00Z', 'tomorrow'],
  // Below 24 hours the hours count, also across midnight.
  ['UTC', '2026-01-31T01:00:00Z', '2026-01-30T23:00:00Z', '2 hours ago'],
  ['UTC', '2026-01-31T00:30:00Z', '2026-01-31T23:59:00Z', 'in 23 hours'],
  // In Riyadh it is the day after already.
  ['Asia/Riyadh', '2026-01-31T20:00:00Z', '2026-02-01T20:30:00Z', 'tomorrow'],
  ['Asia/Riyadh', '2026-01-31T20:00:00Z', '2026-02-01T21:30:00Z', 'in 2 days'],
  // Clocks are put forward on 29 March 2026 in Berlin, and put back on 25 October.
  ['Europe/Berlin', '2026-03-28T12:00:00Z', '2026-03-29T21:30:00Z', 'tomorrow'],
  ['Europe/Berlin', '2026-03-28T12:00:00Z', '2026-03-29T22:30:00Z', 'in 2 days'],
  ['Europe/Berlin', '2026-10-24T22:10:00Z', '2026-10-25T22:50:00Z', 'in 24 hours'],
  ['Europe/Berlin', '2026-10-25T22:50:00Z', '2026-10-24T21:50:00Z', 'yesterday'],
  // Nearly a week, and a date already.
  ['UTC', '2026-01-31T23:00:00Z', '2026-02-07T01:00:00Z', undefined],
])('in %s at %s, %s is %s', (zone, at, moment, words) => {
  expect(relativeWords(new Date(moment), Date.parse(at), zone)).toBe(words)
})
