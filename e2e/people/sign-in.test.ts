import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runTokenAuthority, type TokenAuthority } from '@gatehouse/upstream/token-authority'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { askWorkers, ownConnection } from '../harness/ask-workers.ts'
import { runProduct, signIn, type Call, type Product } from '../harness/run-product.ts'

// One credential, three places that use it: the gateway, Build Request and runs.

interface Seen {
  url: string
  headers: IncomingHttpHeaders
}

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-sign-in-'))
const seen: Seen[] = []
const upstream = createServer((request, response) => {
  seen.push({ url: request.url ?? '', headers: request.headers })
  request.resume().on('end', () => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":7}')
  })
})
let upstreamUrl: string
let authority: TokenAuthority
let product: Product
let call: Call
beforeAll(async () => {
  upstream.listen(0, '127.0.0.1')
  authority = await runTokenAuthority()
  product = await runProduct({ DATA_DIR: folder, GATEWAY_WORKERS: '2' })
  call = await signIn(product.url)
  upstreamUrl = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`
})
afterAll(async () => {
  await product?.end('SIGKILL')
  await authority?.stop()
  upstream.closeAllConnections()
  upstream.close()
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  seen.length = 0
  await authority.reset()
})

async function create(path: string, body: object): Promise<number> {
  const answer = await call('POST', path, body)
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return (answer.body as { id: number }).id
}

const definition = (name: string, more: object) => ({
  name,
  api_protocol: 'http',
  gateway_status: 'active',
  api_access: 'internally',
  api_url: `${upstreamUrl}/live`,
  test_api_url: `${upstreamUrl}/test`,
  static_headers: [
    { name: 'Accept-Version', value: 'V1' },
    { name: 'X-From', value: 'api' },
  ],
  ...more,
})

async function setUp(name: string, more: object) {
  const api = await create('/api/apis', definition(name, more))
  const endpoint = (method_type: string, path: string) =>
    create('/api/endpoint', {
      api_id: api,
      method_type,
      status: 'active',
      path,
      authentication: 0,
      summery: `${name} ${method_type}`,
      description: name,
      static_headers: [{ name: 'accept-version', value: 'V2' }],
    })
  const read = await endpoint('get', '/items')
  const submit = await endpoint('post', '/items')
  const context = name.toLowerCase()
  let sent = 0
  return {
    through: () =>
      askWorkers(async () => {
        const url = `${product.gatewayUrl}/${context}/items`
        const answer = await fetch(url, { headers: ownConnection })
        await answer.arrayBuffer()
        return answer.status
      }),
    build: async () => (await call('GET', `/admin/get-data?end_point=${read}&body=`)).status,
    run: async (test_invoice = false) => {
      const step = { end_point: submit, body: `{"n":${++sent}}`, test_invoice }
      return (await call('POST', '/api/tax', { endpoint_1: step })).status
    },
    save: async (changed: object) => {
      const answer = await call('PUT', `/api/apis/${api}`, definition(name, changed))
      expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    },
  }
}

const oauth = (client_secret = 'client-secret-of-test') => ({
  kind: 'oauth2_client_credentials',
  token_url: authority.tokenUrl,
  client_id: 'client-1',
  client_secret,
})
const login = () => ({
  kind: 'login_call',
  url: authority.loginUrl,
  body: '{"password":"login-password-of-test"}',
  token_path: 'data.token',
  send_as: [{ name: 'X-Session', value: 'sid={token}' }],
})
const basic = { kind: 'basic', username: 'ada', password: 'a-long-password' }
const tested = { kind: 'headers', headers: [{ name: 'Client-Key', value: 'key-of-the-test' }] }

const kinds: [string, () => object, (headers: IncomingHttpHeaders) => unknown, RegExp, number][] = [
  ['Oauth', oauth, ({ authorization }) => authorization, /^Bearer token-1-/, 1],
  ['Login', login, (headers) => headers['x-session'], /^sid=token-1-/, 1],
  [
    'Basic',
    () => basic,
    ({ authorization }) => authorization,
    /^Basic YWRhOmEtbG9uZy1wYXNzd29yZA==$/,
    0,
  ],
]

describe.each(kinds)(
  'a credential of the kind %s',
  (name, credential, signature, shape, logins) => {
    it('signs in through the gateway, in Build Request and in runs, with one login', async () => {
      const api = await setUp(name, { credential: credential(), test_credential: tested })
      const through = await api.through()
      expect(new Set(through)).toEqual(new Set([200]))
      expect(await api.build()).toBe(200)
      expect(await api.run()).toBe(200)
      expect(seen).toHaveLength(through.length + 2)
      expect(new Set(seen.map(({ url }) => url.split('?')[0]))).toEqual(new Set(['/live/items']))
      expect(new Set(seen.map(({ headers }) => signature(headers))).size).toBe(1)
      expect(await api.run(true)).toBe(200)
      const test = seen.at(-1)
      expect(test?.url).toBe('/test/items')
      expect(test?.headers).toMatchObject({ 'client-key': 'key-of-the-test' })
      expect(signature(test?.headers ?? {})).toBeUndefined()
      for (const { headers, url } of seen) {
        expect(headers).toMatchObject({ 'accept-version': 'V2', 'x-from': 'api' })
        if (url.startsWith('/live')) expect(signature(headers)).toMatch(shape)
      }
      expect((await authority.counts()).logins).toBe(logins)
    })
  },
)

describe('a change of only the secret', () => {
  it('ends the token of the old one in every worker, and in runs', async () => {
    const api = await setUp('Rotated', { credential: oauth() })
    await api.through()
    const before = seen.at(-1)?.headers.authorization
    await authority.change({ clientSecret: 'another-client-secret' })
    await api.save({ credential: oauth('another-client-secret') })
    seen.length = 0
    expect(new Set(await api.through())).toEqual(new Set([200]))
    expect(await api.run()).toBe(200)
    const after = new Set(seen.map(({ headers }) => headers.authorization))
    expect(after.size).toBe(1)
    expect(after.has(before)).toBe(false)
    expect((await authority.counts()).logins).toBe(2)
  })
})
