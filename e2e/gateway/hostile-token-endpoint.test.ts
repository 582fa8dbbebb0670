import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  runTokenAuthority,
  type AuthoritySettings,
  type TokenAuthority,
} from '@gatehouse/upstream/token-authority'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runProduct, signIn, type Call, type Product } from '../harness/run-product.ts'

// A token endpoint that misbehaves: its API is refused with a reason, and the gateway goes on.

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-token-endpoint-'))
let authority: TokenAuthority
let product: Product
let call: Call
beforeAll(async () => {
  authority = await runTokenAuthority()
  product = await runProduct({ DATA_DIR: folder, GATEWAY_WORKERS: '1' })
  call = await signIn(product.url)
  await create('quiet', { enable_custom_output: 1, custom_output: '"fine"' })
})
afterAll(async () => {
  await product?.end('SIGKILL')
  await authority?.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function create(name: string, endpoint: object, api: object = {}): Promise<number> {
  const made = async (path: string, body: object) => {
    const answer = await call('POST', path, body)
    expect(answer.status, JSON.stringify(answer.body)).toBe(201)
    return (answer.body as { id: number }).id
  }
  const api_id = await made('/api/apis', {
    name,
    api_protocol: 'http',
    gateway_status: 'active',
    api_access: 'internally',
    api_url: authority.apiUrl,
    connect_timeout_ms: 500,
    answer_timeout_ms: 1_000,
    ...api,
  })
  await made('/api/endpoint', {
    api_id,
    method_type: 'get',
    status: 'active',
    path: '/hello',
    authentication: 0,
    summery: name,
    description: name,
    ...endpoint,
  })
  return api_id
}

const through = async (name: string) => {
  const answer = await fetch(`${product.gatewayUrl}/${name}/hello`)
  const text = await answer.text()
  return answer.status === 200 ? 200 : (JSON.parse(text) as { code: string }).code
}

const modes: [string, Partial<AuthoritySettings>, RegExp][] = [
  ['silent', { mode: 'silent' }, /did not answer in time/],
  ['huge', { mode: 'huge' }, /larger than an answer to a sign-in/],
  ['html', { mode: 'html' }, /web page/],
  ['redirect', { mode: 'redirect' }, /Redirects are not followed/],
  ['inside', { mode: 'error_inside' }, /holds an error/],
  ['drop', { mode: 'drop' }, /connection broke/],
]

it.each(modes)(
  'a token endpoint that is %s: the reason on its field, and other calls go on',
  async (name, settings, reason) => {
    await authority.reset(settings)
    const credential = {
      kind: 'oauth2_client_credentials',
      token_url: authority.tokenUrl,
      client_id: 'client-1',
      client_secret: 'client-secret-of-test',
    }
    const id = await create(name, {}, { credential })
    const waiting = Array.from({ length: 20 }, () => through(name))
    for (let each = 0; each < 20; each++) expect(await through('quiet')).toBe(200)
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['upstream.sign_in']))
    const tested = await call('POST', `/api/apis/${id}/sign-in`)
    expect([422, 502]).toContain(tested.status)
    const { errors } = tested.body as { errors: Record<string, string[]> }
    expect(Object.keys(errors)).toEqual([expect.stringMatching(/^credential\./)])
    expect(Object.values(errors)[0]?.[0]).toMatch(reason)
    await authority.reset()
    expect((await call('POST', `/api/apis/${id}/sign-in`)).status).toBe(200)
    expect(await through(name)).toBe(200)
  },
)

it.each<[string, unknown]>([
  ['zero', 0],
  ['negative', -5],
  ['endless', 1e99],
  ['words', 'soon'],
])(
  'a life of a token that is %s is bounded, and calls go on with one login',
  async (name, expiresIn) => {
    await authority.reset({ expiresIn })
    const credential = {
      kind: 'oauth2_client_credentials',
      token_url: authority.tokenUrl,
      client_id: 'client-1',
      client_secret: 'client-secret-of-test',
    }
    await create(name, {}, { credential })
    for (let each = 0; each < 20; each++) expect(await through(name)).toBe(200)
    expect((await authority.counts()).logins).toBe(1)
  },
)
