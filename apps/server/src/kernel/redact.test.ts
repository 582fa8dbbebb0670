import { describe, expect, it } from 'vitest'
import { redactSecrets, toLoggedError } from './redact.ts'

const secret = 'S3cretValue0123456789'

describe('what is logged', () => {
  it.each([
    `ghs_${secret}`,
    `authorization: Bearer ${secret}`,
    `Basic ${secret}`,
    `eyJhbGciOi.${secret}.sig`,
    `postgres://user:${secret}@db/x`,
    `GET /admin/get-data?token=${secret}&end_point=1`,
    `password=${secret}`,
  ])('holds no secret: %s', (text) => {
    expect(redactSecrets(text)).not.toContain(secret)
    expect(JSON.stringify(toLoggedError(new Error(text)))).not.toContain(secret)
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

  it('ends at a chain of causes that goes in a circle', () => {
    const error = new Error('round')
    error.cause = error
    expect(JSON.stringify(toLoggedError(error)).length).toBeLessThan(50_000)
  })
})
