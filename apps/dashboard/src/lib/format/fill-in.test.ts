import { expect, it } from 'vitest'
import { fillIn, type Translation } from './fill-in.ts'

const filled = (translation: Translation, ...values: unknown[]) =>
  fillIn(translation, 'ar', values, String).join('')

it('puts the values where the translation wants them', () => {
  expect(filled('{1} من {0}', 'all', 3)).toBe('3 من all')
})

const users: Translation = {
  zero: 'لا مستخدمين',
  one: 'مستخدم واحد',
  two: 'مستخدمان',
  few: '{0} مستخدمين',
  many: '{0} مستخدمًا',
  other: '{0} مستخدم',
}

it.each([
  [0, 'لا مستخدمين'],
  [1, 'مستخدم واحد'],
  [2, 'مستخدمان'],
  [3, '3 مستخدمين'],
  [11, '11 مستخدمًا'],
  [100, '100 مستخدم'],
  ['1,003', '1,003 مستخدمين'],
])('counts %s in Arabic', (count, text) => {
  expect(filled(users, count)).toBe(text)
})

it('counts by the value that the translation names', () => {
  expect(filled({ by: 1, two: '{0}: اثنان', other: '{0}: {1}' }, 'x', 2)).toBe('x: اثنان')
})
