import { expect, test } from 'vitest'
import { buildToken } from '../../testing/admin-builders.ts'
import { expiryWarning } from './token-list.tsx'

const expires_at = '2026-06-15T12:00:00.000Z'

test.each([
  ['2026-06-01T11:59:00.000Z', 'active', undefined],
  ['2026-06-01T12:00:00.000Z', 'active', 'expires in 14 days'],
  ['2026-06-13T13:00:00.000Z', 'active', 'expires in 1 day'],
  ['2026-06-15T11:00:00.000Z', 'active', 'expires today'],
  ['2026-06-15T11:00:00.000Z', 'revoked', undefined],
  ['2026-06-16T11:00:00.000Z', 'expired', undefined],
] as const)('at %s a token that is %s says %s', (now, state, warning) => {
  expect(expiryWarning(buildToken({ state, expires_at }), new Date(now))).toBe(warning)
})
