import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildServer, type TestServer } from '../../../test/servers/build-server.ts'
import { recordingGateway } from '../../../test/servers/recording-gateway.ts'
import type { TriedAs } from '../../publishing/gateway-link.ts'

// A listener takes the gateway's address; e2e/agents.test.ts covers real workers.

const asked: { url: string | undefined; body: string; trace: string | undefined }[] = []
const lent: (TriedAs | undefined)[] = []
let answer: { status: number; body: string }[] = []
const gatewayServer = createServer((request, reply) => {
  let body = ''
  request.on('data', (part) => (body += part))
  request.on('end', () => {
    const trace = request.headers['x-gatehouse-trace']?.toString()
    asked.push({ url: request.url, body, trace })
    const next = answer.shift() ?? { status: 500, body: '' }
    reply.writeHead(next.status, { 'content-type': 'application/json' }).end(next.body)
  })
})
let server: TestServer
let apiId: number
beforeAll(async () => {
  gatewayServer.listen(0, '127.0.0.1')
  await once(gatewayServer, 'listening')
  const { port } = gatewayServer.address() as AddressInfo
  const { link } = recordingGateway()
  server = await buildServer(
    {},
    {
      ...link,
      address: { address: '0.0.0.0', port },
      startTrace: (endpointId, as) => {
        lent.push(as)
        return {
          header: ['x-gatehouse-trace', `e${endpointId}`],
          trace: Promise.resolve(undefined),
        }
      },
    },
  )
  const { body } = await server.send('POST', '/api/apis', {
    token: server.admin.token,
    body: {
      name: 'Shop',
      api_protocol: 'http',
      gateway_status: 'active',
      api_access: 'internally',
      api_url: 'http://127.0.0.1:9',
    },
  })
  apiId = (body as { id: number }).id
})
afterAll(async () => {
  await server.close()
  gatewayServer.close()
})

const see = (as_role: number, id = apiId) =>
  server.send('POST', `/api/apis/${id}/tools/seen`, {
    token: server.admin.token,
    body: { as_role },
  })
const page = (tools: object[], nextCursor?: string) => ({
  status: 200,
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, result: { tools, nextCursor } }),
})
const roleId = async () => (await server.stores.roles.findByName('API Consumer'))!.id

it('the gateway is asked page by page, as the role, for no endpoint, and each is recorded', async () => {
  answer = [page([{ name: 'a' }], 'bmV4dA'), page([{ name: 'b' }])]
  const role = await roleId()
  expect((await see(role)).body).toEqual({ tools: [{ name: 'a' }, { name: 'b' }] })
  expect(asked).toMatchObject([
    { url: '/mcp/shop', trace: 'e0', body: expect.stringContaining('"params":{}') },
    { url: '/mcp/shop', trace: 'e0', body: expect.stringContaining('"cursor":"bmV4dA"') },
  ])
  expect(lent).toEqual([
    { roleId: role, method: 'POST', target: '/mcp/shop' },
    { roleId: role, method: 'POST', target: '/mcp/shop' },
  ])
  const trail = await server.send('GET', '/api/audit?action=api.try', { token: server.admin.token })
  expect(JSON.stringify(trail.body)).toContain('tools/list')
})

it.each([
  ['nothing is offered there', { status: 404, body: '{}' }, 200, { tools: [] }],
  ['it answers something else', { status: 200, body: '[]' }, 502, { code: 'gateway.silent' }],
  ['it refuses', { status: 503, body: 'no' }, 502, { code: 'gateway.silent' }],
])('where %s', async (_, answered, status, body) => {
  answer = [answered]
  expect(await see(await roleId())).toMatchObject({ status, body })
})

it('no such API, and no such role, are a 404', async () => {
  expect((await see(await roleId(), 9_999)).status).toBe(404)
  expect((await see(9_999)).status).toBe(404)
})
