import { describe, expect, it } from 'vitest'
import { hasTwin, looksLike } from './look-alike.ts'

describe('looks like Super Admin', () => {
  it.each([
    ['a no-break space', 'Super\u00a0Admin'],
    ['Cyrillic letters', 'Ѕ\u0443per Аdmin'.replace('\u0443', 'u')],
    ['more Cyrillic letters', 'Suреr Аdміn'],
    ['Greek letters', 'Supεr Admιn'],
    ['a zero-width joiner', 'Super\u200d Admin'],
    ['a zero-width space', 'Su\u200bper Admin'],
    ['a mark that turns the direction', '\u202eSuper Admin'],
    ['another case', 'sUPER aDMIN'],
    ['full width', 'Ｓｕｐｅｒ Ａｄｍｉｎ'],
    ['mathematical letters', '𝐒𝐮𝐩𝐞𝐫 𝐀𝐝𝐦𝐢𝐧'],
    ['accents', 'Súper Ädmin'],
    ['no space', 'SuperAdmin'],
    ['a dash', 'Super-Admin'],
    ['digits', '5uper Adm1n'],
    ['an l for the i', 'Super Admln'],
    ['r and n for the m', 'Super Adrnin'],
  ])('%s', (_, name) => {
    expect(looksLike(name, 'Super Admin')).toBe(true)
  })
})

it.each(['Admin', 'Supervisor', 'Super Admin of Tills', 'Администратор', 'Superadministrator'])(
  '%s looks like no other name',
  (name) => {
    expect(looksLike(name, 'Super Admin')).toBe(false)
  },
)

const isTwin = (one: string, other: string) => hasTwin(one, [{ id: 1, text: other }])

it.each([
  ['a no-break space', 'Tax\u00a0Clerk'],
  ['two blanks', 'Tax  Clerk'],
  ['a zero-width joiner', 'Tax\u200d Clerk'],
  ['the filler of Hangul', 'Tax\u3164 Clerk'],
  ['a soft hyphen', 'Tax\u00ad Clerk'],
  ['Cyrillic letters', 'Тах Сlеrk'],
  ['Greek letters', 'Ταx Clerκ'],
  ['full width', 'Ｔａｘ Ｃｌｅｒｋ'],
  ['another case', 'TAX clerk'],
])('nobody can tell a name with %s from the one without', (_, name) => {
  expect(isTwin(name, 'Tax Clerk')).toBe(true)
})

it.each([
  ['Clerk 1', 'Clerk l'],
  ['Clerk', 'Clérk'],
  ['Re-port', 'Report'],
  ['Магазин', 'Marazin'],
  ['می\u200cخواهم', 'میخواهند'],
])('%s is not %s', (one, other) => {
  expect(isTwin(one, other)).toBe(false)
})

it('a record is no twin of itself', () => {
  expect(hasTwin('Clerk', [{ id: 1, text: 'Сlerk' }], 1)).toBe(false)
})
