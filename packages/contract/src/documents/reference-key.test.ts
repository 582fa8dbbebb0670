import { describe, expect, test } from 'vitest'
import { referenceKey } from './reference-key.ts'

describe('references that look the same are compared as the same', () => {
  test.each([
    ['composed and decomposed', 'Cafe\u0301-1', 'Caf\u00e9-1'],
    ['composed after an invisible sign is gone', 'Cafe\u200b\u0301-1', 'Caf\u00e9-1'],
    ['white space around', ' \t\u00a0INV-1\n', 'INV-1'],
    ['white space inside of invisible signs', '\u200f \u200eINV-1', 'INV-1'],
    ...['200b', '200c', '200d', '200e', '200f', '202a', '202e', '2060', '2066', '2069', 'feff'].map(
      (code): [string, string, string] => [
        `U+${code}`,
        `IN${String.fromCodePoint(parseInt(code, 16))}V-1`,
        'INV-1',
      ],
    ),
    ['Arabic', '\u202bفاتورة-1\u202c', 'فاتورة-1'],
    ['nothing that shows', ' \u200b\ufeff', ''],
  ])('%s', (_, one, other) => {
    expect(referenceKey(one)).toBe(other)
  })
})

test.each([
  ['case', 'inv-1', 'INV-1'],
  ['white space inside', 'INV 1', 'INV1'],
  ['a number and its decimals', '77', '77.0'],
  ['leading zeros', '077', '77'],
  ['full width', '\uff11', '1'],
])('%s counts', (_, one, other) => {
  expect(referenceKey(one)).not.toBe(referenceKey(other))
})

test('a text with too many marks takes no time', () => {
  const before = process.threadCpuUsage()
  referenceKey('a' + '\u0316\u0301'.repeat(500_000))
  const { user, system } = process.threadCpuUsage(before)
  expect((user + system) / 1000).toBeLessThan(2_000)
})
