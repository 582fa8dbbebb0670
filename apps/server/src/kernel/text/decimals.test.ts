import { expect, it } from 'vitest'
import { compareDecimals, isDecimal } from './decimals.ts'

it.each([
  ['1.10', '1.1', 0],
  ['11e-1', '1.1', 0],
  ['1E2', '100', 0],
  ['-0', '0.000', 0],
  ['0.1', '0.10000000000000000001', -1],
  ['9007199254740993', '9007199254740992', 1],
  ['-2', '-10', 1],
  [' 3 ', '3.0', 0],
])('%s against %s is %i', (first, second, expected) => {
  expect(compareDecimals(first, second)).toBe(expected)
})

it.each(['', '1,5', '0x10', '.5', '1.', 'NaN', '1e99999', '1'.repeat(1001), '1e2000'])(
  '%s is no decimal number',
  (text) => {
    expect(isDecimal(text)).toBe(false)
    expect(compareDecimals(text, '1')).toBeUndefined()
  },
)
