import { startRecordingUpstream } from '@gatehouse/http1/testing/recording-upstream'
import { expect, it } from 'vitest'
import type { SnapshotEndpoint } from '@gatehouse/contract/gateway'
import { buildApi, buildEndpoint, buildSnapshot } from '../testing/build-snapshot.ts'
import { RawClient } from '../testing/raw-client.ts'
import { startGateway } from '../testing/test-gateway.ts'

async function send(method: string, endpoints: SnapshotEndpoint[], target = '/sales/orders') {
  const upstream = await startRecordingUpstream((socket) => {
    socket.write('HTTP/1.1 204 No Content\r\n\r\n')
  })
  const apis = [buildApi({ base_url: upstream.url })]
  const gateway = await startGateway(buildSnapshot({ apis, endpoints }))
  const client = new RawClient(gateway.port)
  client.send(`${method} ${target} HTTP/1.1\r\nHost: shop.example.com\r\nContent-Length: 0\r\n\r\n`)
  const answer = await client.answer()
  return { status: answer?.status, allow: answer?.headers.get('allow'), sent: upstream.requests }
}

it.each(['PATCH', 'DELETE', 'HEAD'] as const)('%s is an endpoint’s method', async (method) => {
  const { status, sent } = await send(method, [buildEndpoint({ method })])
  expect(status).toBe(204)
  expect(sent).toHaveLength(1)
})

it('HEAD leads to its own endpoint, and to that of GET where there is none', async () => {
  const get = buildEndpoint()
  const head = buildEndpoint({
    id: 2,
    method: 'HEAD',
    static_headers: [{ name: 'X-Own', value: 'yes' }],
  })
  const isOwn = async (endpoints: SnapshotEndpoint[]) => {
    const { sent } = await send('HEAD', endpoints)
    return sent[0]?.headers.some(([name]) => name === 'x-own')
  }
  expect(await isOwn([get])).toBe(false)
  expect(await isOwn([get, head])).toBe(true)
})

it('a method that a path does not have is refused with those that it has', async () => {
  const endpoints = [buildEndpoint(), buildEndpoint({ id: 2, method: 'PATCH' })]
  expect(await send('DELETE', endpoints)).toMatchObject({
    status: 405,
    allow: 'GET, HEAD, PATCH',
    sent: [],
  })
})

it('OPTIONS of a path tells its methods to those who may call it, and calls nothing', async () => {
  const endpoints = [buildEndpoint(), buildEndpoint({ id: 2, method: 'PATCH' })]
  expect(await send('OPTIONS', endpoints)).toEqual({
    status: 204,
    allow: 'GET, HEAD, PATCH, OPTIONS',
    sent: [],
  })
  const guarded = endpoints.map((each) => ({ ...each, requires_token: true }))
  expect(await send('OPTIONS', guarded)).toMatchObject({ status: 401, sent: [] })
})

it('OPTIONS * tells the methods of the gateway', async () => {
  const { status, allow } = await send('OPTIONS', [buildEndpoint()], '*')
  expect(status).toBe(200)
  expect(allow).toMatch(/^GET, .*PATCH.*, OPTIONS$/)
})
