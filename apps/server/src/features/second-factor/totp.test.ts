import { describe, expect, it } from 'vitest'
import { newRecoveryCodes, recoveryCodeHash } from './recovery-codes.ts'
import { codeOf, newSecret, otpauthUri, stepAt, stepOf } from './totp.ts'

// RFC 6238, appendix B: the ASCII text 12345678901234567890 in Base32.
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

describe('codes of an authenticator app', () => {
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('are those of RFC 6238 at second %d', (seconds, code) => {
    const at = new Date(seconds * 1000)
    expect(codeOf(secret, stepAt(at))).toBe(code)
    expect(stepOf(code, secret, at)).toBe(stepAt(at))
  })

  it('are taken one step early or late, and no further away', () => {
    const now = new Date('2026-06-01T08:00:00Z')
    const taken = [-2, -1, 0, 1, 2].map(
      (around) => stepOf(codeOf(secret, stepAt(now) + around), secret, now) !== undefined,
    )
    expect(taken).toEqual([false, true, true, true, false])
  })

  it.each(['', '12345', '1234567', '12345a', '１２３４５６', ' 287082'])('%j is none', (code) => {
    expect(stepOf(code, secret, new Date(59_000))).toBeUndefined()
  })

  it('come from secrets of 160 bits, each another one, that apps can read', () => {
    const secrets = Array.from({ length: 20 }, newSecret)
    expect(new Set(secrets).size).toBe(20)
    for (const each of secrets) expect(each).toMatch(/^[A-Z2-7]{32}$/)
    expect(otpauthUri('ann+1@example.com', secret)).toBe(
      `otpauth://totp/Gatehouse:ann%2B1%40example.com?secret=${secret}&issuer=Gatehouse&algorithm=SHA1&digits=6&period=30`,
    )
  })
})

it('recovery codes are ten, all different, and read without spaces, dashes and capitals', () => {
  const codes = newRecoveryCodes()
  expect(new Set(codes).size).toBe(10)
  for (const code of codes) expect(code).toMatch(/^(?:[a-hjkmnp-z2-9]{4}-?){4}$/)
  const [first = ''] = codes
  expect(recoveryCodeHash(` ${first.toUpperCase().replaceAll('-', ' ')}`)).toBe(
    recoveryCodeHash(first),
  )
  expect(recoveryCodeHash(first)).not.toContain(first)
})
