import { describe, expect, it } from 'vitest'
import { isWritableIn } from './code-page-fit.ts'

describe('a text can be written in its code page', () => {
  it.each([
    ['cp1252', 'plain\r\n\0', true],
    ['cp1252', 'Zoë – 5 € „so“ ÿ', true],
    ['cp1252', '\u02bc', false],
    ['cp1252', 'Ωmega', false],
    ['cp1252', '☃', false],
    ['cp1253', 'Ωmega', true],
    ['cp1251', 'Привет', true],
    ['cp1251', 'é', false],
    ['cp874', 'ไทย', true],
    ['cp932', '日本語ｶﾅ', true],
    ['cp932', '한국', false],
    ['cp936', '汉字', true],
    ['cp949', '한국', true],
    ['cp950', '漢字', true],
    ['cp65001', '☃ 𝄞', true],
    ['cp65001', '\ud800', false],
    ['cp437', '☃', true],
    [undefined, '☃', true],
  ])('%s %j: %s', (codePage, text, isWritable) => {
    expect(isWritableIn(codePage, text)).toBe(isWritable)
  })
})
