import { describe, expect, it } from 'vitest'
import { cleanText, cutText, toCleanText, wholeCharacters } from './clean-text.ts'

describe('text of a log', () => {
  it.each([
    ['plain, tab\tand\nlines', 'plain, tab\tand\nlines'],
    ['a\r\nb\rc', 'a\nb\\x0dc'],
    ['\x1b[1;31mred\x1b[0m\x1b[K', 'red'],
    ['\x1b[2J\x1b]0;title\x07', '\\x1b[2J\\x1b]0;title\\x07'],
    ['\x1b[31', '\\x1b[31'],
    ['\x1b\x1b[31mx', '\\x1bx'],
    ['\0\x7f\x85\x9b31m', '\\x00\\x7f\\x85\\x9b31m'],
    [
      '\u202egnp.exe\u202c\u2066\u2069\u200e\u200f\u061c',
      '\\u202egnp.exe\\u202c\\u2066\\u2069\\u200e\\u200f\\u061c',
    ],
    ['\u2028\u2029\ufeff', '\\u2028\\u2029\\ufeff'],
    ['مرحبا 👨‍👩‍👧 نمی‌خواهم', 'مرحبا 👨‍👩‍👧 نمی‌خواهم'],
    ['', ''],
  ])('%j', (text, shown) => {
    expect(toCleanText(Buffer.from(text))).toBe(shown)
    expect(cleanText(text)).toBe(shown)
  })

  it('has its invalid UTF-8 replaced', () => {
    const bytes = Buffer.from([0x61, 0xff, 0xc0, 0xaf, 0xed, 0xa0, 0x80, 0x62])
    expect(toCleanText(bytes)).toMatch(/^a\uFFFD+b$/)
  })
})

it('a cut never goes through a character', () => {
  expect(cutText('ab💣', 3)).toBe('ab')
  expect(cutText('ab💣', 4)).toBe('ab💣')
  expect(cutText('abc', 2)).toBe('ab')
  for (const character of ['a', 'é', '€', '💣']) {
    const bytes = Buffer.from(`x${character}`)
    for (let length = 1; length < bytes.length; length++)
      expect(wholeCharacters(bytes.subarray(0, length)).toString()).toBe('x')
    expect(wholeCharacters(bytes)).toEqual(bytes)
  }
})
