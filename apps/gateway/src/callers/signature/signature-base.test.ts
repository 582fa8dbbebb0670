import { expect, it } from 'vitest'
import { hmacOf, signatureBase } from './signature-base.ts'

it('signs the example of the standard as it does (RFC 9421 §B.2.5)', () => {
  const params =
    '("date" "@authority" "content-type");created=1618884473;keyid="test-shared-secret"'
  const base = signatureBase(
    [
      ['date', 'Tue, 20 Apr 2021 02:07:55 GMT'],
      ['@authority', 'example.com'],
      ['content-type', 'application/json'],
    ],
    params,
  )
  expect(base).toBe(
    [
      '"date": Tue, 20 Apr 2021 02:07:55 GMT',
      '"@authority": example.com',
      '"content-type": application/json',
      `"@signature-params": ${params}`,
    ].join('\n'),
  )
  const secret = Buffer.from(
    'uzvJfB4u3N0Jy4T7NZ75MDVcr8zSTInedJtkgcu46YW4XByzNJjxBdtjUkdJPBtbmHhIDi6pcl8jsasjlTMtDQ==',
    'base64',
  )
  expect(hmacOf(secret, base).toString('base64')).toBe(
    'pxcQw6G3AjtMBQjwo8XzkZf/bws5LelbaMk5rGIGtE8=',
  )
})
