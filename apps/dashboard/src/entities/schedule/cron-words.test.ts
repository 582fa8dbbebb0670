import { expect, test } from 'vitest'
import { cronExamples, cronWords } from './cron-words.ts'

test.each([
  ['* * * * *', 'Every minute'],
  ['5 * * * *', 'Every hour at minute 05'],
  ['0 */4 * * *', 'Every 4 hours'],
  ['30 6 * * 0', 'Every Sunday at 06:30'],
  ['30 6 * * 7', 'Every Sunday at 06:30'],
  ['0 9 * * mon-fri', 'Monday to Friday at 09:00'],
  ['0 0 L * *', 'On the last day of each month at 00:00'],
  ['0 6 1 1 *', 'Cron 0 6 1 1 *'],
  ['0 6,18 * * *', 'Cron 0 6,18 * * *'],
  ['0 6 1 * 1', 'Cron 0 6 1 * 1'],
  ['0 6 * * 1,3', 'Cron 0 6 * * 1,3'],
  ['0 6', 'Cron 0 6'],
])('%s is "%s"', (cron, words) => expect(cronWords(cron)).toBe(words))

test.each([...cronExamples])('the example $value says what it is', ({ value, label }) =>
  expect(cronWords(value)).toBe(label),
)
