import { startRecordingUpstream } from '@gatehouse/http1/testing/recording-upstream'
import { expect, it } from 'vitest'
import type { SnapshotApi, SnapshotEndpoint } from '@gatehouse/contract/gateway'
import { buildApi, buildEndpoint, buildSnapshot } from '../testing/build-snapshot.ts'
import { RawClient } from '../testing/raw-client.ts'
import { startGateway } from '../testing/test-gateway.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** What the upstream got of calls with these fields, and what the client got. */
async function send(
  api: Partial<SnapshotApi>,
  endpoint: Partial<SnapshotEndpoint> = {},
  fields = '',
) {
  const upstream = await startRecordingUpstream((socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')
  })
  const gateway = await startGateway(
    buildSnapshot({
      apis: [buildApi({ base_url: upstream.url, ...api })],
      endpoints: [buildEndpoint(endpoint)],
    }),
  )
  const client = new RawClient(gateway.port)
  const request = `GET /sales/orders HTTP/1.1\r\nHost: shop.example.com\r\n${fields}\r\n`
  const statuses: (number | undefined)[] = []
  for (let count = 0; count < 2; count++) {
    client.send(request)
    statuses.push((await client.answer())?.status)
  }
  return { statuses, got: upstream.requests.map(({ headers }) => headers) }
}

const named = (headers: readonly (readonly [string, string])[] | undefined, name: string) =>
  (headers ?? []).flatMap(([each, value]) => (each === name ? [value] : []))

it('static headers replace those of a client; an endpoint’s win over its API’s', async () => {
  const { got } = await send(
    {
      static_headers: [
        { name: 'Accept-Version', value: 'V1' },
        { name: 'Clearance-Status', value: '1' },
      ],
    },
    { static_headers: [{ name: 'accept-version', value: 'V2' }] },
    'Accept-VERSION: V0\r\nX-Other: kept\r\n',
  )
  expect(named(got[0], 'accept-version')).toEqual(['V2'])
  expect(named(got[0], 'clearance-status')).toEqual(['1'])
  expect(named(got[0], 'x-other')).toEqual(['kept'])
})

it('{uuid} is a fresh UUID in each call', async () => {
  const { got } = await send({ static_headers: [{ name: 'X-Id', value: 'till-{uuid}' }] })
  const ids = got.map((headers) => named(headers, 'x-id')[0]?.replace('till-', ''))
  expect(ids).toEqual([expect.stringMatching(uuid), expect.stringMatching(uuid)])
  expect(ids[0]).not.toBe(ids[1])
})

it('a header pair signs in, in place of what a client shows under the same names', async () => {
  const headers = [
    { name: 'Client-Id', value: 'till' },
    { name: 'Secret-Key', value: 'opened' },
  ]
  const credential = { kind: 'headers' as const, headers, refused_when: null }
  const fields = 'Client-ID: other\r\nAuthorization: Bearer of-the-client\r\n'
  const { got } = await send({ credential }, {}, fields)
  expect(named(got[0], 'client-id')).toEqual(['till'])
  expect(named(got[0], 'secret-key')).toEqual(['opened'])
  expect(named(got[0], 'authorization')).toEqual([])
})

it('user and password sign in', async () => {
  const { got } = await send({
    credential: { kind: 'basic', username: 'tax', password: 'opened', refused_when: null },
  })
  expect(named(got[0], 'authorization')).toEqual([`Basic ${btoa('tax:opened')}`])
})

it('an API whose sign-in needs a token is not called without one', async () => {
  const { statuses, got } = await send({
    connect_timeout_ms: 20,
    answer_timeout_ms: 20,
    credential: {
      kind: 'login_call',
      url: 'https://id.example.com/login',
      method: 'POST',
      headers: [],
      body: '',
      content_type: 'application/json',
      token_path: 'token',
      expires_path: '',
      lifetime_seconds: null,
      send_as: [{ name: 'Authorization', value: 'Bearer {token}' }],
      refused_when: null,
    },
  })
  expect(statuses).toEqual([502, 502])
  expect(got).toEqual([])
})
