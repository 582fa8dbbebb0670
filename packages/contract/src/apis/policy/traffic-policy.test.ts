import { describe, expect, it } from 'vitest'
import { parseSize } from './traffic-policy-fields.ts'
import { originProblem, trafficPolicyInput } from './traffic-policy-input.ts'
import {
  noTrafficPolicy,
  procedurePolicy,
  readTrafficPolicy,
  trafficPolicy,
  writeTrafficPolicy,
} from './traffic-policy.ts'

const typed = {
  retries: { attempts: '5', backoff_ms: '1' },
  circuit_breaker: {
    failure_percent: '100',
    window_seconds: '1',
    minimum_requests: '1',
    cool_down_seconds: '3600',
  },
  client_addresses: { allow: '10.0.0.0/8, fd00::/8', deny: ['10.0.0.1'] },
  api_key: { header: ' X-API-Key ' },
  rate_limit: { requests: '1000000', window_seconds: '86400', per: 'endpoint' },
  cache: { max_bytes: '1 GiB' },
  max_body_bytes: '1 TiB',
  max_concurrent: '1',
  cors: { origins: '* https://a.test', headers: 'X-A, X-B', max_age_seconds: '86400' },
  targets: {
    own_weight: '0',
    others: [{ url: ' http://10.0.0.2/erp ', weight: '100' }],
    health_check: {
      path: '/',
      interval_seconds: '1',
      timeout_ms: '60000',
      unhealthy_after: '20',
      healthy_after: '1',
    },
  },
  canary: {
    url: 'http://10.0.0.3',
    header_name: '',
    header_value: '',
    token_ids: ['4'],
    percent: '100',
    sticky_by: 'header',
    sticky_header: 'X-Till',
  },
}

describe('what the form sends', () => {
  it('comes out in the shape that is published, at its bounds too', () => {
    const policy = trafficPolicyInput.parse(typed)
    expect(trafficPolicy.parse(policy)).toEqual(policy)
    expect(policy.targets?.others).toEqual([{ url: 'http://10.0.0.2/erp', weight: 100 }])
    expect(policy.cors?.headers).toEqual(['X-A', 'X-B'])
  })

  it('is kept and read back as it was; all off is nothing', () => {
    const policy = trafficPolicyInput.parse(typed)
    expect(readTrafficPolicy(writeTrafficPolicy(policy))).toEqual(policy)
    expect(writeTrafficPolicy(trafficPolicyInput.parse({}))).toBeNull()
    expect(writeTrafficPolicy(null)).toBeNull()
    expect(readTrafficPolicy(null)).toEqual(noTrafficPolicy)
    expect(() => readTrafficPolicy('{}')).toThrow()
  })

  it('keeps for a stored procedure what comes before the call', () => {
    const policy = trafficPolicyInput.parse(typed)
    const { retries: _r, cache: _c, targets: _t, canary: _y, ...kept } = policy
    expect(procedurePolicy(policy)).toEqual({ ...noTrafficPolicy, ...kept })
  })

  it.each([
    [{ clientaddresses: { allow: ['10.0.0.1'] } }, []],
    [{ rate_limit: { ...typed.rate_limit, burst: 5 } }, ['rate_limit']],
    [{ targets: { ...typed.targets, healthcheck: {} } }, ['targets']],
  ])('a misspelt part or field is refused, and not left out: %j', (value, path) => {
    expect(trafficPolicyInput.safeParse(value).error?.issues).toMatchObject([
      { code: 'unrecognized_keys', path },
    ])
  })

  it.each([5, 'x', [], true])('is refused where it is no policy: %j', (value) => {
    expect(trafficPolicyInput.safeParse(value).success).toBe(false)
  })
})

it.each([
  ['0', 0],
  ['2048', 2_048],
  ['10 MB', 10_000_000],
  ['10mib', 10_485_760],
  [' 1 GiB ', 1_073_741_824],
  ['1 KB', 1_000],
  ['', undefined],
  ['MB', undefined],
  ['-1', undefined],
  ['1.5 MB', undefined],
  ['1 apple', undefined],
  ['12345678901234', undefined],
])('the size %j is %s bytes', (text, bytes) => {
  expect(parseSize(text)).toBe(bytes)
})

it.each(['https://a.test', 'http://localhost:5173', 'http://[::1]:8080', '*'])(
  '%s is an origin',
  (origin) => expect(originProblem(origin)).toBeUndefined(),
)

it.each([
  'https://a.test/',
  'https://a.test:443',
  'https://A.test',
  'a.test',
  'null',
  'ftp://a.test',
  'https://u:p@a.test',
  'https://*.a.test',
  '',
])('%s is none', (origin) => expect(originProblem(origin)).toMatch(/is not an origin/))
