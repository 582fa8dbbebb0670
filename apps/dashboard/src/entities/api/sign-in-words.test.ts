import { expect, test } from 'vitest'
import { certificateWarning } from './sign-in-words.ts'

const now = new Date('2026-11-22T12:00:00Z')

test.each([
  ['2026-11-22T12:00:00Z', 'certificate expired', 'red'],
  ['2026-11-23T11:00:00Z', 'certificate expires in 1 day', 'red'],
  ['2026-11-23T13:00:00Z', 'certificate expires in 2 days', 'orange'],
  ['2026-11-29T12:00:00Z', 'certificate expires in 7 days', 'orange'],
  ['2026-12-22T12:00:00Z', 'certificate expires in 30 days', 'yellow'],
])('a certificate that ends at %s reads “%s”', (expiresAt, text, color) => {
  expect(certificateWarning(expiresAt, now)).toEqual({ text, color })
})

test('a certificate of more than 30 days needs no warning', () => {
  expect(certificateWarning('2026-12-22T12:00:01Z', now)).toBeUndefined()
})
