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
  ['2026-01-24T12:00:00Z', undefined],
])('%s is %s', (moment, words) => {
  expect(relativeWords(new Date(moment), now)).toBe(words)
})
