import { startRecordingUpstream } from '@gatehouse/http1/testing/recording-upstream'
import { noTokenLimits, type TokenLimits } from '@gatehouse/contract/gateway'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  buildApi,
  buildEndpoint,
  buildSnapshot,
  buildToken,
  clientToken,
} from '../testing/build-snapshot.ts'
import { startGateway } from '../testing/test-gateway.ts'
import { compileLimits } from './token-limits.ts'

/** Two endpoints, each with GET and POST, that the token's role may call. */
async function start(limits: Partial<TokenLimits>, trustedProxies: string[] = []) {
  const dataDir = mkdtempSync(join(tmpdir(), 'token-limits-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true }))
  const upstream = await startRecordingUpstream()
  const gateway = await startGateway(
    buildSnapshot({
      apis: [buildApi({ base_url: upstream.url, requires_token: true })],
      endpoints: [
        buildEndpoint({ id: 1 }),
        buildEndpoint({ id: 2, method: 'POST' }),
        buildEndpoint({ id: 3, path: '/items/{id}' }),
        buildEndpoint({ id: 4, path: '/open', requires_token: false }),
      ],
      tokens: [buildToken({ limits: { ...noTokenLimits, ...limits } })],
      access: [{ role_id: 2, endpoint_ids: [1, 2, 3] }],
    }),
    { dataDir, trustedProxies },
  )
  const send = async (method: string, path: string, more: Record<string, string> = {}) => {
    const headers = { authorization: `Bearer ${clientToken}`, ...more }
    const answer = await fetch(gateway.url + path, { method, headers })
    const text = await answer.text()
    const body = text.startsWith('{') ? (JSON.parse(text) as { message: string; code: string }) : {}
    return { status: answer.status, ...body }
  }
  async function logged(): Promise<unknown> {
    await gateway.close()
    const folder = join(dataDir, 'logs', 'gateway')
    return JSON.parse(readFileSync(join(folder, readdirSync(folder)[0] ?? ''), 'utf8'))
  }
  return { upstream, send, logged }
}

it('a token that names endpoints opens those alone, however their path is written', async () => {
  const { send, upstream } = await start({ endpoints: [1] })
  expect((await send('GET', '/sales/orders')).status).toBe(200)
  expect((await send('GET', '/sales/%6frders?x=1')).status).toBe(200)
  const refused = { status: 403, code: 'client.token_scope' }
  const message = 'This token may not be used for this endpoint.'
  expect(await send('POST', '/sales/orders')).toMatchObject({ ...refused, message })
  for (const path of ['/sales/items/7', '/sales/items/orders', '/sales/%69tems/1'])
    expect(await send('GET', path)).toMatchObject(refused)
  expect(upstream.requests).toHaveLength(2)
})

it('a token that names workflows alone opens no endpoint', async () => {
  const { send } = await start({ workflows: [1] })
  expect(await send('GET', '/sales/orders')).toMatchObject({ code: 'client.token_scope' })
})

it('methods are compared as they arrive; what opens GET opens HEAD too', async () => {
  const { send } = await start({ methods: ['GET'] })
  expect((await send('GET', '/sales/orders')).status).toBe(200)
  expect((await send('HEAD', '/sales/orders')).status).toBe(200)
  expect(await send('POST', '/sales/orders')).toMatchObject({
    status: 403,
    code: 'client.token_scope',
    message: 'This token may not be used for POST.',
  })
})

it('limits add nothing to the roles, and a role that was taken away is missed first', async () => {
  const { send } = await start({ endpoints: [1, 4] })
  expect(await send('GET', '/sales/open')).toMatchObject({ code: 'client.access_denied' })
})

it('the access log says why, and whose token it was', async () => {
  const { send, logged } = await start({ endpoints: [2], methods: ['POST'] })
  await send('GET', '/sales/orders')
  expect(await logged()).toMatchObject({
    status: 403,
    code: 'client.token_scope',
    token_id: 1,
    detail: 'The token is limited to other endpoints',
  })
})

describe('a token that is limited to addresses', () => {
  const client_addresses = { allow: ['203.0.113.0/24', 'fd00::/8'], deny: ['203.0.113.9'] }
  const refused = {
    status: 403,
    code: 'client.address_denied',
    message: 'This token may not be used from your address.',
  }

  it.each([
    ['203.0.113.7', 200],
    ['::ffff:203.0.113.7', 200],
    ['fd12::1', 200],
    // A proxy may append the port.
    ['203.0.113.7:4711', 200],
    // What a client wrote itself is further left.
    ['198.51.100.1, 203.0.113.7', 200],
    ['203.0.113.7, 198.51.100.1', 403],
    ['203.0.113.9', 403],
    ['::ffff:203.0.113.9', 403],
    ['::ffff:cb00:7109', 403],
    ['198.51.100.1', 403],
    ['garbage', 403],
    ['', 403],
  ])('behind a trusted proxy that gives %j: %i', async (forwarded, status) => {
    const { send } = await start({ client_addresses }, ['127.0.0.1/32'])
    const answer = await send('GET', '/sales/orders', { 'x-forwarded-for': forwarded })
    expect(answer).toMatchObject(status === 403 ? refused : { status })
  })

  it('believes no header of a client that is no proxy', async () => {
    const { send, upstream } = await start({ client_addresses })
    const claims = {
      'x-forwarded-for': '203.0.113.7',
      forwarded: 'for=203.0.113.7',
      'x-real-ip': '203.0.113.7',
    }
    expect(await send('GET', '/sales/orders', claims)).toMatchObject(refused)
    expect(upstream.requests).toHaveLength(0)
  })
})

it('limits that limit nothing compile to null', () => {
  expect(compileLimits(null)).toBeNull()
  expect(compileLimits(noTokenLimits)).toBeNull()
})
