import { afterEach, expect, it } from 'vitest'
import { serverText } from './server-text.ts'

afterEach(() => {
  globalThis.gatehouseServerTexts = undefined
})

it('translates what is known, and shows the rest as it is', () => {
  globalThis.gatehouseServerTexts = {
    'Not found.': 'غير موجود.',
    'The {0} field is required.': 'الحقل {0} مطلوب.',
    path: 'المسار',
    'Not sent: {0}.': 'لم يُرسل: {0}.',
    'it answered {0}': 'أجابت بـ {0}',
  }
  expect(serverText('Not found.')).toBe('غير موجود.')
  expect(serverText('The email field is required.')).toBe('الحقل \u2068email\u2069 مطلوب.')
  expect(serverText('The path field is required.')).toBe('الحقل \u2068المسار\u2069 مطلوب.')
  expect(serverText('Not sent: it answered 503.')).toBe(
    'لم يُرسل: \u2068أجابت بـ \u2068503\u2069\u2069.',
  )
  expect(serverText('toString')).toBe('toString')
  expect(serverText('Something unheard of.')).toBe('Something unheard of.')
})
