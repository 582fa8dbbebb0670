import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { pemCertificates } from './pem-certificates.ts'
import { tlsInput } from './tls-settings.ts'
import { trafficPolicyInput } from '../policy/traffic-policy-input.ts'

const one = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----'
const many = `${one}\r\n\r\n`.repeat(200)

test.each([one, `\n${one}\n`, one + one, many])('%j are certificates', (text) => {
  expect(pemCertificates.test(text)).toBe(true)
})

test.each(['', 'x', `${one}x`, `# Name\n${one}`, '-----BEGIN CERTIFICATE-----'])(
  '%j are none',
  (text) => {
    expect(pemCertificates.test(text)).toBe(false)
  },
)

test.each([
  ['of an upstream', (ca: string) => tlsInput.safeParse({ ca })],
  ['of clients', (ca: string) => trafficPolicyInput.safeParse({ client_certificates: { ca } })],
])('many authorities %s with a word behind them are refused, and hold up no one', (_, parse) => {
  // Only what is stuck takes so long.
  const read = () =>
    runInNewContext('parse(text)', { parse, text: `${many}x` }, { timeout: 20_000 })
  const { error } = read() as ReturnType<typeof parse>
  expect(error?.issues[0]?.message).toContain('PEM text')
})
