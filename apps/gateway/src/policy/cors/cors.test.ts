import { describe, expect, it } from 'vitest'
import { CorsRules, isCorsField, withVaryOrigin } from './cors.ts'

const rulesOf = (settings: Partial<ConstructorParameters<typeof CorsRules>[0]> = {}) =>
  new CorsRules({
    origins: ['https://pos.example.com', 'http://localhost:5173'],
    headers: ['Authorization', 'Content-Type'],
    exposed_headers: [],
    allow_credentials: false,
    max_age_seconds: 600,
    ...settings,
  })
const pos = 'https://pos.example.com'

describe('the fields of an answer', () => {
  it('name the origin that asked, where it is allowed', () => {
    expect(rulesOf().answerFields(pos)).toEqual(['Access-Control-Allow-Origin', pos])
  })

  it.each(['https://evil.example.com', 'https://pos.example.com.evil.com', 'null', `${pos}/`, ''])(
    'say nothing to %j',
    (origin) => {
      expect(rulesOf({ allow_credentials: true }).answerFields(origin)).toEqual([])
    },
  )

  it('say nothing where no origin is named', () => {
    expect(rulesOf().answerFields(undefined)).toEqual([])
    expect(rulesOf({ origins: ['*'] }).answerFields(undefined)).toEqual([])
  })

  it('allow any origin by a star, and never with credentials', () => {
    const rules = rulesOf({ origins: ['*', pos], allow_credentials: true })
    expect(rules.answerFields(pos)).toEqual(['Access-Control-Allow-Origin', '*'])
    expect(rules.variesByOrigin).toBe(false)
  })

  it('allow credentials and expose headers where the policy does', () => {
    const rules = rulesOf({ allow_credentials: true, exposed_headers: ['ETag', 'RateLimit-Reset'] })
    expect(rules.answerFields(pos)).toEqual([
      'Access-Control-Allow-Origin',
      pos,
      'Access-Control-Allow-Credentials',
      'true',
      'Access-Control-Expose-Headers',
      'ETag, RateLimit-Reset',
    ])
  })
})

describe('the answer to a preflight', () => {
  const vary = 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers'

  it('says what the origin may do', () => {
    expect(rulesOf().preflightFields(pos, ['GET', 'PUT'])).toEqual([
      'Vary',
      vary,
      'Access-Control-Allow-Origin',
      pos,
      'Access-Control-Allow-Methods',
      'GET, PUT',
      'Access-Control-Allow-Headers',
      'Authorization, Content-Type',
      'Access-Control-Max-Age',
      '600',
    ])
  })

  it('says nothing to an origin that is not allowed', () => {
    expect(rulesOf().preflightFields('https://evil.example.com', ['GET'])).toEqual(['Vary', vary])
  })
})

it.each([
  [undefined, 'Origin'],
  ['', 'Origin'],
  ['Accept-Encoding', 'Accept-Encoding, Origin'],
  ['origin', 'origin'],
  ['*', '*'],
])('Vary %j becomes %j', (vary, expected) => {
  expect(withVaryOrigin(vary)).toBe(expected)
})

it('the upstream’s own CORS fields are known by their name', () => {
  expect(isCorsField('access-control-allow-origin')).toBe(true)
  expect(isCorsField('vary')).toBe(false)
})
