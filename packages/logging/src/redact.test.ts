import { describe, expect, it } from 'vitest'
import { redactSecrets, toLoggedError } from './redact.ts'

const secret = 'S3cretValue0123456789'

describe('what is logged', () => {
  it.each([
    `ghs_${secret}`,
    `gha_${secret}`,
    `authorization: Bearer ${secret}`,
    `Basic ${secret}`,
    `eyJhbGciOi.${secret}.sig`,
    `postgres://user:${secret}@db/x`,
    `GET /admin/get-data?token=${secret}&end_point=1`,
    `password=${secret}`,
    `client_secret=${secret}`,
    `first line\nghs_${secret}`,
    `first line\neyJhbGciOi.${secret}.sig`,
    `{"password":"${secret}"}`,
    `{"Authorization": "${secret}"}`,
    JSON.stringify({ body: JSON.stringify({ upstream_token: secret }) }),
    JSON.stringify({ api_key: `${secret}"and more` }),
  ])('holds no secret: %s', (text) => {
    expect(redactSecrets(text)).not.toContain(secret)
    expect(redactSecrets(JSON.stringify({ text }))).not.toContain(secret)
    expect(JSON.stringify(toLoggedError(new Error(text)))).not.toContain(secret)
  })

  it.each([
    { url: 'http://a', mail: 'somebody@example.com' },
    { msg: 'password=abc"', next: 'kept' },
    { msg: 'password=abc\\', next: 'kept' },
    { password: 'abc\\', next: 'kept' },
    { msg: 'Bearer abc', next: 'kept' },
  ])('stays JSON: %j', (line) => {
    const written = JSON.parse(redactSecrets(JSON.stringify(line))) as object
    expect(Object.keys(written)).toEqual(Object.keys(line))
    expect(Object.values(written).at(-1)).toBe(Object.values(line).at(-1))
  })

  it('keeps of an error what helps, and nothing that a driver hung on it', () => {
    const cause = Object.assign(new Error('refused'), {
      code: 'ECONNREFUSED',
      config: { password: secret },
      sql: secret,
    })
    const logged = toLoggedError(new Error('call failed', { cause }))
    expect(logged).toMatchObject({
      type: 'Error',
      message: 'call failed',
      cause: { code: 'ECONNREFUSED', message: 'refused' },
    })
    expect(JSON.stringify(logged)).not.toContain(secret)
  })

  it.each([
    'a',
    '-eyJaaaaa',
    'Bearer ',
    'a://',
    'a://b:',
    'token=',
    '"token',
    '"token":"',
    '\\',
    'ghs_',
    ' ',
  ])('costs one pass, however often a text repeats %j', (piece) => {
    const [short, long] = [50_000, 400_000].map((length) => {
      const text = piece.repeat(length / piece.length)
      const began = process.threadCpuUsage()
      for (let round = 0; round < 3; round++) redactSecrets(text)
      const { user, system } = process.threadCpuUsage(began)
      return (user + system) / 1000
    })
    // Eight times the text: 64 times as long, and many seconds, if a pattern went back and forth.
    expect(long).toBeLessThan(Math.max(200, (short ?? 0) * 30))
  })

  it('ends at a chain of causes that goes in a circle', () => {
    const error = new Error('round')
    error.cause = error
    expect(JSON.stringify(toLoggedError(error)).length).toBeLessThan(50_000)
  })
})
