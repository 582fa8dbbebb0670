import { noValidation } from '@gatehouse/contract'
import type { EndpointValidation } from '@gatehouse/contract'
import { noTrafficPolicy } from '@gatehouse/contract/gateway'
import type { SnapshotApi, SnapshotEndpoint } from '@gatehouse/contract/gateway'
import { gzipSync } from 'node:zlib'
import { readFileSync, readdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { tmpdir } from 'node:os'
import { describe, expect, it, onTestFinished } from 'vitest'
import { buildApi, buildEndpoint, buildSnapshot } from '../testing/build-snapshot.ts'
import { startRecordingUpstream } from '@gatehouse/http1/testing/recording-upstream'
import { startGateway } from '../testing/test-gateway.ts'
import { trafficPolicies } from '../worker-policy.ts'

const bodySchema = {
  type: 'object',
  required: ['id'],
  properties: {
    id: { type: 'string', pattern: '^[A-Z]{2}\\d{1,6}$' },
    lines: { type: 'array', items: { $ref: '#/$defs/line' } },
  },
  $defs: { line: { type: 'object', properties: { qty: { type: 'integer', minimum: 1 } } } },
}
const parametersSchema = {
  properties: {
    path: { properties: { id: { pattern: '^\\d{1,4}$' } } },
    query: { properties: { page: { type: 'integer', minimum: 1 } }, required: ['page'] },
    headers: { properties: { 'x-kind': { enum: ['a', 'b'] } }, required: ['x-kind'] },
  },
}
const text = JSON.stringify

interface Setting {
  validation?: Partial<EndpointValidation>
  endpoint?: Partial<SnapshotEndpoint>
  api?: Partial<SnapshotApi>
  answer?: string | Buffer
  answerHeaders?: string
}

async function start({ validation, endpoint, api, answer = '{}', answerHeaders = '' }: Setting) {
  const head = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n${answerHeaders}`
  const upstream = await startRecordingUpstream((socket) => {
    const body = Buffer.from(answer)
    socket.write(`${head}Content-Length: ${body.length}\r\n\r\n`)
    socket.write(body)
  })
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-validation-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  const gateway = await startGateway(
    buildSnapshot({
      apis: [buildApi({ base_url: upstream.url, ...api })],
      endpoints: [
        buildEndpoint({
          method: 'POST',
          path: '/orders/{id}',
          validation: { ...noValidation, mode: 'enforce', ...validation },
          ...endpoint,
        }),
      ],
    }),
    { dataDir, compilePolicy: trafficPolicies.compile },
  )
  const send = async (init: RequestInit = {}, path = '/sales/orders/7') => {
    const sent = await fetch(gateway.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      ...init,
    })
    const got = await sent.text()
    return { status: sent.status, text: got, ...(JSON.parse(got || '{}') as Refused) }
  }
  const logged = async () => {
    await gateway.close()
    const folder = join(dataDir, 'logs', 'gateway')
    return readdirSync(folder)
      .map((file) => readFileSync(join(folder, file), 'utf8'))
      .join('')
  }
  return { upstream, gateway, send, logged }
}

interface Refused {
  code?: string
  errors?: Record<string, string[]>
}

describe('enforced', () => {
  const withBody = { validation: { body_schema: text(bodySchema), is_body_required: true } }

  it('a body that fits is passed on byte for byte', async () => {
    const { send, upstream } = await start(withBody)
    const body = '{ "id":"AB1", "total": 0.10, "no":12345678901234567890 }'
    expect((await send({ body })).status).toBe(200)
    expect(upstream.requests[0]?.body).toBe(body)
  })

  it('a body that does not fit is a 422 with every place, and nothing is called', async () => {
    const { send, upstream } = await start(withBody)
    const refused = await send({ body: '{"id":1,"lines":[{"qty":0},{"qty":1},{"qty":"x"}]}' })
    expect(refused).toMatchObject({
      status: 422,
      code: 'client.unfit',
      errors: {
        '/body/id': ['This must be string.'],
        '/body/lines/0/qty': ['This must be >= 1.'],
        '/body/lines/2/qty': ['This must be integer.'],
      },
    })
    expect(upstream.sockets).toHaveLength(0)
  })

  it('path, query and headers are checked as the types they are read as', async () => {
    const { send } = await start({ validation: { parameters_schema: text(parametersSchema) } })
    const fits = { headers: { 'X-Kind': 'a' } }
    expect((await send(fits, '/sales/orders/7?page=2')).status).toBe(200)
    const refused = await send({ headers: { 'x-kind': 'c' } }, '/sales/orders/seven?page=0')
    expect([refused.status, refused.errors]).toEqual([
      422,
      {
        '/path/id': ['This must match pattern "^\\d{1,4}$".'],
        '/query/page': ['This must be >= 1.'],
        '/headers/x-kind': ['This must be "a", "b".'],
      },
    ])
    expect((await send()).errors).toEqual({
      '/query/page': ['This is missing.'],
      '/headers/x-kind': ['This is missing.'],
    })
  })

  it.each<[string, RequestInit, Record<string, string[]>]>([
    ['no body', {}, { '/body': ['This is missing.'] }],
    [
      'another type',
      { body: '{"id":"AB1"}', headers: { 'content-type': 'text/plain' } },
      { '/headers/content-type': ['The body has to be JSON: application/json, in UTF-8.'] },
    ],
    [
      'another alphabet',
      { body: '{"id":"AB1"}', headers: { 'content-type': 'application/json; charset=utf-16' } },
      { '/headers/content-type': ['The body has to be JSON: application/json, in UTF-8.'] },
    ],
    [
      'a packed body',
      {
        body: gzipSync('{"id":"AB1"}'),
        headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      },
      { '/headers/content-encoding': ['A compressed body can’t be checked: send it plain.'] },
    ],
    [
      'bytes that are no UTF-8',
      { body: Buffer.from([0x22, 0xff, 0x22]) },
      { '/body': ['This is not UTF-8.'] },
    ],
  ])('%s is refused', async (_name, init, errors) => {
    const { send } = await start(withBody)
    expect(await send(init)).toMatchObject({ status: 422, errors })
  })

  it.each([
    '{"id":"AB1","id":"x"}',
    '{"id":"AB1","lines":[{"qty":1,"qty":0}]}',
    '{"id":"AB1","\\u0069d":"x"}',
    '{"id":"AB1"',
    `{"id":"AB1","a":${'['.repeat(40)}${']'.repeat(40)}}`,
  ])('another reader could read something else: %s', async (body) => {
    const { send, upstream } = await start(withBody)
    const refused = await send({ body })
    expect([refused.status, Object.keys(refused.errors ?? {})]).toEqual([422, ['/body']])
    expect(upstream.sockets).toHaveLength(0)
  })

  it('colons and quotes in texts are no keys', async () => {
    const { send } = await start(withBody)
    expect(
      (await send({ body: '{"id":"AB1","a:b":"\\":{\\\\","__proto__":{"x":1}}' })).status,
    ).toBe(200)
  })

  it('more than 1 MiB is refused, with a length and without', async () => {
    const { send, upstream } = await start(withBody)
    const large = `{"id":"AB1","a":"${'x'.repeat(1024 * 1024)}"}`
    expect((await send({ body: large })).code).toBe('client.too_large')
    const stream = new ReadableStream({
      start(controller) {
        controller.enqueue(Buffer.from(large))
        controller.close()
      },
    })
    expect((await send({ body: stream, duplex: 'half' })).code).toBe('client.too_large')
    expect(upstream.sockets).toHaveLength(0)
  })

  it('a body in chunks is checked, and sent with its length', async () => {
    const { send, upstream } = await start(withBody)
    const stream = new ReadableStream({
      start(controller) {
        controller.enqueue(Buffer.from('{"id":'))
        controller.enqueue(Buffer.from('"AB1"}'))
        controller.close()
      },
    })
    expect((await send({ body: stream, duplex: 'half' })).status).toBe(200)
    expect(upstream.requests[0]?.body).toBe('{"id":"AB1"}')
    expect(new Map(upstream.requests[0]?.headers).get('content-length')).toBe('12')
  })

  it('an answer that is kept is given only to a request that fits', async () => {
    const { send } = await start({
      validation: {
        parameters_schema: text({ properties: { headers: parametersSchema.properties.headers } }),
      },
      endpoint: { method: 'GET' },
      api: {
        policy: {
          ...noTrafficPolicy,
          cache: { max_bytes: 1_000_000 },
        },
      },
    })
    const fits = { method: 'GET', headers: { 'x-kind': 'a' } }
    expect((await send(fits)).status).toBe(200)
    expect((await send({ method: 'GET' })).status).toBe(422)
    expect((await send(fits)).status).toBe(200)
  })

  it('a schema that can’t be used refuses every request, and no others', async () => {
    const { send } = await start({ validation: { body_schema: '{"$ref":"https://example.com"}' } })
    expect(await send({ body: '{}' })).toMatchObject({ status: 500, code: 'config.validation' })
  })
})

describe('logged only', () => {
  it('what does not fit passes, is counted, and is in the log without its values', async () => {
    const { send, gateway, logged } = await start({
      validation: { mode: 'log', body_schema: text(bodySchema) },
    })
    expect((await send({ body: '{"id":"a secret"}' })).status).toBe(200)
    expect(gateway.report().codes).toEqual({ 'client.unfit.logged': 1 })
    const log = await logged()
    expect(log).toContain('The request does not fit, and was let in: /body/id')
    expect(log).not.toContain('a secret')
  })

  it('a large body streams through unchecked', async () => {
    const { send, upstream, logged } = await start({
      validation: { mode: 'log', body_schema: text(bodySchema) },
    })
    const large = `{"a":"${'x'.repeat(1024 * 1024)}"}`
    expect((await send({ body: large })).status).toBe(200)
    expect(upstream.requests[0]?.body).toHaveLength(large.length)
    expect(await logged()).toContain('The body was not checked')
  })
})

describe('answers', () => {
  const checked = { validation: { answer_schema: text(bodySchema) } }

  it.each<[string, Setting]>([
    ['plain', { answer: '{"id":"x"}' }],
    ['packed', { answer: gzipSync('{"id":"x"}'), answerHeaders: 'Content-Encoding: gzip\r\n' }],
    ['in two parts', { answer: `{"id":"x","a":"${'y'.repeat(100_000)}"}` }],
  ])('%s, one that does not fit is passed on, counted and logged', async (_name, setting) => {
    const { send, gateway, logged } = await start({ ...checked, ...setting })
    expect(JSON.parse((await send()).text)).toMatchObject({ id: 'x' })
    expect(gateway.report().codes).toEqual({ 'upstream.unfit': 1 })
    expect(await logged()).toContain('The answer does not fit its schema: /id')
  })

  it('one that does not fit is logged beside a request that does not fit either', async () => {
    const { send, logged } = await start({
      validation: { mode: 'log', body_schema: text(bodySchema), answer_schema: text(bodySchema) },
      answer: '{"id":"x"}',
    })
    await send({ body: '{"id":"y"}' })
    expect(await logged()).toMatch(
      /was let in: \/body\/id: .* The answer does not fit its schema: \/id/,
    )
  })

  it.each<[string, Setting]>([
    ['one that fits', { answer: '{"id":"AB1"}' }],
    ['a very large one', { answer: `{"id":"x","a":"${'y'.repeat(300_000)}"}` }],
    [
      'one that unpacks to a very large one',
      {
        answer: gzipSync(`{"id":"x","a":"${'y'.repeat(300_000)}"}`),
        answerHeaders: 'Content-Encoding: gzip\r\n',
      },
    ],
  ])('%s is not reported', async (_name, setting) => {
    const { send, gateway } = await start({ ...checked, ...setting })
    expect((await send()).status).toBe(200)
    expect(gateway.report().codes).toEqual({})
  })
})
