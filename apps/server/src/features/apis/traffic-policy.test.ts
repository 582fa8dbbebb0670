import type { TrafficPolicy } from '@gatehouse/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  buildServer,
  httpApi,
  procedureApi,
  type TestServer,
} from '../../../test/servers/build-server.ts'

let server: TestServer
let token: string
beforeAll(async () => {
  server = await buildServer()
  token = server.admin.token
})
afterAll(() => server.close())
beforeEach(async () => {
  await server.db.deleteFrom('api').execute()
})

const send = (method: 'POST' | 'PUT', url: string, body: unknown) =>
  server.send(method, url, { token, body })
const create = (policy: unknown, more = {}) =>
  send('POST', '/api/apis', httpApi({ traffic_policy: policy, ...more }))
const created = async (policy: unknown, more = {}) => {
  const answer = await create(policy, more)
  expect(answer.status, answer.text).toBe(201)
  return (answer.body as { id: number }).id
}
const update = (id: number, more: Record<string, unknown>) =>
  send('PUT', `/api/apis/${id}`, httpApi(more))
const load = async (id: number) => {
  const answer = await server.send('GET', `/api/apis/${id}/edit`, { token })
  const [record] = answer.body as [{ submitted_data: string }]
  return JSON.parse(record.submitted_data) as Record<string, unknown> & {
    traffic_policy: TrafficPolicy | null
  }
}
const errorsOf = (answer: { body: unknown }) =>
  (answer.body as { errors: Record<string, string[]> }).errors

const other = (url: string, weight: unknown = 1) => ({ url, weight })
const targets = (...others: unknown[]) => ({ targets: { own_weight: 1, others } })
const canary = (more: object) => ({
  canary: {
    url: 'http://10.0.0.9/next',
    header_name: 'X-Canary',
    header_value: 'yes',
    token_ids: ['7'],
    percent: '5',
    sticky_by: 'token',
    sticky_header: '',
    ...more,
  },
})
const cors = (more: object) => ({ cors: { origins: '*', max_age_seconds: 600, ...more } })

describe('a traffic policy', () => {
  it('is off as a whole where nothing is said of it, or only that all is off', async () => {
    for (const policy of [undefined, null, {}, { retries: null, max_body_bytes: '' }]) {
      const id = await created(policy)
      expect((await load(id)).traffic_policy).toBeNull()
      await server.db.deleteFrom('api').execute()
    }
  })

  it('is taken as typed, part by part', async () => {
    const id = await created({
      retries: { attempts: '2', backoff_ms: ' 100 ' },
      circuit_breaker: {
        failure_percent: '50',
        window_seconds: 30,
        minimum_requests: '10',
        cool_down_seconds: '15',
      },
      rate_limit: { requests: '100', window_seconds: '60', per: 'Token' },
      cache: { max_bytes: '16 MiB' },
      max_body_bytes: '10 MB',
      max_concurrent: '25',
      cors: {
        origins: 'https://pos.example.com,\nhttp://localhost:5173',
        headers: ['Authorization', 'X-Trace'],
        allow_credentials: '1',
        max_age_seconds: '0',
      },
      ...canary({}),
      targets: {
        own_weight: '3',
        others: [other('http://10.0.0.2/erp', '1')],
        health_check: {
          path: '/health',
          interval_seconds: '10',
          timeout_ms: '2000',
          unhealthy_after: '3',
          healthy_after: '2',
        },
      },
    })
    expect((await load(id)).traffic_policy).toEqual({
      retries: { attempts: 2, backoff_ms: 100 },
      circuit_breaker: {
        failure_percent: 50,
        window_seconds: 30,
        minimum_requests: 10,
        cool_down_seconds: 15,
      },
      rate_limit: { requests: 100, window_seconds: 60, per: 'token' },
      cache: { max_bytes: 16_777_216 },
      max_body_bytes: 10_000_000,
      max_concurrent: 25,
      client_addresses: null,
      api_key: null,
      signature: null,
      client_certificates: null,
      cors: {
        origins: ['https://pos.example.com', 'http://localhost:5173'],
        headers: ['Authorization', 'X-Trace'],
        exposed_headers: [],
        allow_credentials: true,
        max_age_seconds: 0,
      },
      canary: {
        url: 'http://10.0.0.9/next',
        header_name: 'X-Canary',
        header_value: 'yes',
        token_ids: [7],
        percent: 5,
        sticky_by: 'token',
        sticky_header: '',
      },
      targets: {
        own_weight: 3,
        others: [{ url: 'http://10.0.0.2/erp', weight: 1 }],
        health_check: {
          path: '/health',
          interval_seconds: 10,
          timeout_ms: 2000,
          unhealthy_after: 3,
          healthy_after: 2,
        },
      },
    })
  })

  it('stays as it is through a save that does not name it, and goes with null', async () => {
    const id = await created({ max_concurrent: 5 })
    await update(id, { name: 'Renamed' })
    expect((await load(id)).traffic_policy?.max_concurrent).toBe(5)
    await update(id, { traffic_policy: null })
    expect((await load(id)).traffic_policy).toBeNull()
  })

  it('of a stored procedure keeps the parts that come before the call', async () => {
    const policy = {
      ...targets(other('http://10.0.0.2')),
      cache: { max_bytes: 4096 },
      retries: { attempts: 1, backoff_ms: 1 },
      max_concurrent: 5,
    }
    const answer = await send('POST', '/api/apis', procedureApi({ traffic_policy: policy }))
    const { id } = answer.body as { id: number }
    expect((await load(id)).traffic_policy).toMatchObject({
      targets: null,
      cache: null,
      retries: null,
      max_concurrent: 5,
    })
  })

  it('is audited and comes back with the version that held it', async () => {
    const id = await created({ max_concurrent: 5 })
    await update(id, { traffic_policy: { max_concurrent: 6 } })
    const events = await server.db
      .selectFrom('audit_event')
      .select(['id', 'after'])
      .where('thing', '=', 'api')
      .where('thing_id', '=', id)
      .orderBy('id')
      .execute()
    expect(JSON.parse(events[1]?.after ?? '{}')).toMatchObject({
      traffic_policy: { max_concurrent: 6, cors: null },
    })
    const restored = await server.send('POST', `/api/audit/${events[0]?.id}/restore`, { token })
    expect(restored.status, restored.text).toBeLessThan(300)
    expect((await load(id)).traffic_policy?.max_concurrent).toBe(5)
  })
})

describe('422', () => {
  it.each([
    ['retries.attempts', { retries: { attempts: 6, backoff_ms: 10 } }],
    ['retries.backoff_ms', { retries: { attempts: 1, backoff_ms: '' } }],
    ['rate_limit.requests', { rate_limit: { requests: 'many', window_seconds: 60, per: 'token' } }],
    ['rate_limit.per', { rate_limit: { requests: 1, window_seconds: 60, per: 'planet' } }],
    ['cache.max_bytes', { cache: { max_bytes: '2 GiB' } }],
    ['max_body_bytes', { max_body_bytes: '10 apples' }],
    ['max_body_bytes', { max_body_bytes: -1 }],
    ['max_concurrent', { max_concurrent: 0 }],
    ['cors.origins', cors({ origins: [] })],
    ['cors.origins', cors({ origins: ['null'] })],
    ['cors.origins', cors({ origins: ['https://pos.example.com/'] })],
    ['cors.origins', cors({ origins: ['HTTPS://pos.example.com'] })],
    ['cors.headers', cors({ headers: 'Bad:Name' })],
    ['cors.exposed_headers', cors({ exposed_headers: ['*'] })],
    ['cors.allow_credentials', cors({ allow_credentials: true })],
    ['canary.url', canary({ url: '' })],
    ['canary.url', canary({ url: 'http://169.254.169.254/' })],
    ['canary.header_name', canary({ header_name: 'X Canary' })],
    ['canary.header_value', canary({ header_value: '' })],
    ['canary.percent', canary({ percent: '101' })],
    ['canary.percent', canary({ header_name: '', token_ids: [], percent: 0 })],
    ['canary.sticky_by', canary({ sticky_by: 'cookie' })],
    ['canary.sticky_header', canary({ sticky_by: 'header' })],
    ['targets.others', targets()],
    ['targets.others.0.url', targets(other('ftp://10.0.0.2'))],
    ['targets.others.0.url', targets(other('http://user:pass@10.0.0.2'))],
    ['targets.others.0.url', targets(other('http://169.254.169.254/'))],
    ['targets.others.0.url', targets(other('http://127.0.0.1:9/'))],
    ['targets.others.1.url', targets(other('http://10.0.0.2'), other('http://10.0.0.2/'))],
    ['targets.others.1.weight', targets(other('http://10.0.0.2'), other('http://10.0.0.3', 101))],
    ['targets.own_weight', { targets: { own_weight: 0, others: [other('http://10.0.0.2', 0)] } }],
    [
      'targets.health_check.path',
      {
        targets: {
          ...targets(other('http://10.0.0.2')).targets,
          health_check: {
            path: '/../admin',
            interval_seconds: 1,
            timeout_ms: 100,
            unhealthy_after: 1,
            healthy_after: 1,
          },
        },
      },
    ],
  ])('on traffic_policy.%s', async (field, policy) => {
    const answer = await create(policy)
    expect(answer.status, answer.text).toBe(422)
    expect(Object.keys(errorsOf(answer))).toEqual([`traffic_policy.${field}`])
    expect(errorsOf(answer)[`traffic_policy.${field}`]).toEqual([expect.stringMatching(/\.$/)])
  })

  it('names every nested field at once, beside the others', async () => {
    const answer = await create({ retries: {}, rate_limit: { requests: 0 } }, { name: '' })
    expect(Object.keys(errorsOf(answer)).toSorted()).toEqual([
      'name',
      'traffic_policy.rate_limit.per',
      'traffic_policy.rate_limit.requests',
      'traffic_policy.rate_limit.window_seconds',
      'traffic_policy.retries.attempts',
      'traffic_policy.retries.backoff_ms',
    ])
  })
})

describe('a stored upstream token', () => {
  const first = 'http://10.0.0.2'
  it.each([
    ['added', targets(other(first), other('http://10.0.0.66'))],
    ['changed', targets(other('http://10.0.0.66'))],
    ['a new canary', { ...targets(other(first)), ...canary({}) }],
  ])('is asked for again where another base URL is %s', async (_, policy) => {
    const id = await created(targets(other(first)), { upstream_token: 'secret' })
    const answer = await update(id, { traffic_policy: policy })
    expect(Object.keys(errorsOf(answer))).toEqual(['upstream_token'])
    expect((await load(id)).traffic_policy?.targets?.others).toEqual([other(first)])
    const again = await update(id, { traffic_policy: policy, upstream_token: 'again' })
    expect(again.status).toBe(200)
  })

  it('is not asked for where weights change or base URLs go', async () => {
    const id = await created(targets(other(first)), { upstream_token: 'secret' })
    for (const policy of [targets(other(first, 9)), null]) {
      expect((await update(id, { traffic_policy: policy })).status).toBe(200)
    }
    const back = await update(id, { traffic_policy: targets(other(first)) })
    expect(Object.keys(errorsOf(back))).toEqual(['upstream_token'])
  })
})
