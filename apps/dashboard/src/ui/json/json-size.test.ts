import { expect, test } from 'vitest'
import { formatBytes } from '../../lib/format/format-bytes.ts'
import { sizeWords } from './json-size.ts'

test.each([
  ['', 'empty'],
  ['{}', '2 B · 1 line'],
  ['{\n"a": "é"\n}', '13 B · 3 lines'],
  ['x'.repeat(1536), '1.5 KiB · 1 line'],
])('a size counts bytes as sent, and lines', (text, size) => {
  expect(sizeWords(text)).toBe(size)
})

test('five mebibytes read as such', () => {
  expect(formatBytes(5 * 1024 * 1024, 'binary')).toBe('5.0 MiB')
})
