import { startRecordingUpstream } from '@gatehouse/http1/testing/recording-upstream'
import type { SnapshotRole } from '@gatehouse/contract/gateway'
import { expect, it } from 'vitest'
import {
  adminToken,
  buildApi,
  buildEndpoint,
  buildSnapshot,
  buildToken,
  clientToken,
} from '../testing/build-snapshot.ts'
import { buildIssuer, makeKey, signJwt } from '../testing/jwt-issuer.ts'
import { startGateway } from '../testing/test-gateway.ts'

const key = makeKey('one')

/** Behind a proxy that says where the client is. The token's user has the roles 2 and 3. */
async function start(access: SnapshotRole[]) {
  const upstream = await startRecordingUpstream()
  const [usual, admin] = buildSnapshot().tokens
  const gateway = await startGateway(
    buildSnapshot({
      apis: [buildApi({ base_url: upstream.url, requires_token: true })],
      endpoints: [buildEndpoint({ id: 1 }), buildEndpoint({ id: 2, path: '/items' })],
      tokens: [buildToken({ ...usual!, role_ids: [2, 3] }), admin!],
      issuers: [buildIssuer([key])],
      access,
    }),
    { trustedProxies: ['127.0.0.1/32', '::1/128'] },
  )
  const ask = async (address: string, path = '/orders', token = clientToken) => {
    const headers = { authorization: `Bearer ${token}`, 'x-forwarded-for': address }
    const answer = await fetch(`${gateway.url}/sales${path}`, { headers })
    const text = await answer.text()
    return answer.status === 200 ? 200 : (JSON.parse(text) as { code: string; message: string })
  }
  return { ask, upstream }
}

const refusal = {
  code: 'client.address_denied',
  message: 'None of your roles may call this from your address.',
}

it.each([
  ['10.1.2.3', true],
  ['11.1.2.3', false],
  ['203.0.113.7', true],
  ['203.0.113.8', false],
  ['fd00::9', true],
  ['fe80::9', false],
  ['not-an-address', false],
])('a role counts from its addresses alone: %s', async (address, isTaken) => {
  const addresses = ['10.0.0.0/8', '203.0.113.7', 'fd00::/8']
  const { ask, upstream } = await start([{ role_id: 2, endpoint_ids: [1], addresses }])
  const answer = await ask(address)
  if (isTaken) expect(answer).toBe(200)
  else expect(answer).toMatchObject(refusal)
  expect(upstream.requests).toHaveLength(isTaken ? 1 : 0)
})

it('another role with access counts from where it may, and none lends its addresses to another', async () => {
  const { ask } = await start([
    { role_id: 2, endpoint_ids: [1], addresses: ['10.0.0.0/8'] },
    { role_id: 3, endpoint_ids: [2], addresses: ['192.0.2.0/24'] },
  ])
  expect(await ask('10.0.0.1', '/orders')).toBe(200)
  expect(await ask('10.0.0.1', '/items')).toMatchObject(refusal)
  expect(await ask('192.0.2.1', '/items')).toBe(200)
  const both = await start([
    { role_id: 2, endpoint_ids: [1], addresses: ['10.0.0.0/8'] },
    { role_id: 3, endpoint_ids: [1] },
  ])
  expect(await both.ask('192.0.2.1', '/orders')).toBe(200)
})

it('a role without access is refused as before, wherever the client is', async () => {
  const { ask } = await start([{ role_id: 2, endpoint_ids: [1], addresses: ['10.0.0.0/8'] }])
  for (const address of ['10.0.0.1', '192.0.2.1'])
    expect(await ask(address, '/items')).toMatchObject({ code: 'client.access_denied' })
})

it('holds for JWTs, and not for a Super Admin', async () => {
  const { ask } = await start([{ role_id: 2, endpoint_ids: [1], addresses: ['10.0.0.0/8'] }])
  const jwt = signJwt(key)
  expect(await ask('10.0.0.1', '/orders', jwt)).toBe(200)
  expect(await ask('192.0.2.1', '/orders', jwt)).toMatchObject(refusal)
  expect(await ask('192.0.2.1', '/orders', adminToken)).toBe(200)
})
