import { expect, test } from 'vitest'
import { formatMs, formatShare } from './format-figures.ts'

test.each([
  [null, '–'],
  [0.5, '0.5 ms'],
  [12.345, '12.3 ms'],
  [999, '999 ms'],
  [1_500, '1.5 s'],
  [60_000, '60 s'],
])('%s ms reads %s', (ms, text) => expect(formatMs(ms)).toBe(text))

test.each([
  [0, 0, '0 %'],
  [0, 10, '0 %'],
  [1, 3, '33 %'],
  [1, 1_000_000, '< 0.01 %'],
  [5, 5, '100 %'],
])('%s of %s reads %s', (part, of, text) => expect(formatShare(part, of)).toBe(text))
