import { expect, it } from 'vitest'
import { securityOf, securitySchemes } from './security-schemes.ts'

const api = { key_header: null, takes_jwts: false, is_signed: false, asks_certificate: false }
const certificate = { client_certificate: [] }

it.each([
  ['nothing', api, false, []],
  ['a token', api, true, [{ personal_token: [] }]],
  [
    'a token in either header',
    { ...api, key_header: 'X-Key' },
    true,
    [{ personal_token: [] }, { 'token_in_x-key': [] }],
  ],
  ['a token or a JWT', { ...api, takes_jwts: true }, true, [{ personal_token: [] }, { jwt: [] }]],
  ['a certificate alone', { ...api, asks_certificate: true }, false, [certificate]],
  [
    'a certificate with a signature',
    { ...api, is_signed: true, key_header: 'X-Key', asks_certificate: true },
    true,
    [{ ...certificate, signature: [] }],
  ],
])(
  'an endpoint that asks for %s names schemes that are there',
  (_, asking, requires_token, wanted) => {
    const found = securityOf(asking, { requires_token })
    expect(found).toEqual(wanted)
    const names = found.flatMap((each) => Object.keys(each))
    expect(Object.keys(securitySchemes([asking]))).toEqual(expect.arrayContaining(names))
  },
)

it('a certificate is asked for by mutual TLS', () => {
  const schemes = securitySchemes([{ ...api, asks_certificate: true }])
  expect(schemes['client_certificate']).toMatchObject({ type: 'mutualTLS' })
})
