import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { CheckedAgentToken } from '@gatehouse/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildServer, type TestServer } from '../../../test/servers/build-server.ts'
import { recordingGateway } from '../../../test/servers/recording-gateway.ts'

// A listener takes the gateway's address; e2e/agents/agent-token.test.ts covers real workers.

const asked: { url: string | undefined; authorization: string | undefined }[] = []
let answer = { status: 200, body: '' }
const gatewayServer = createServer((request, reply) => {
  const { url, headers } = request
  asked.push({ url, authorization: headers.authorization })
  request.resume().on('end', () => {
    reply.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body)
  })
})
let server: TestServer
beforeAll(async () => {
  gatewayServer.listen(0, '127.0.0.1')
  await once(gatewayServer, 'listening')
  const { port } = gatewayServer.address() as AddressInfo
  const { link } = recordingGateway()
  server = await buildServer({}, { ...link, address: { address: '0.0.0.0', port } })
})
afterAll(async () => {
  await server.close()
  gatewayServer.close()
})

const check = (token: unknown, by = server.admin.token) =>
  server.send('POST', '/api/token/check-agent', { token: by, body: { token } })
async function checked(status: number, body: object | string, token = 'ghp_x') {
  answer = { status, body: typeof body === 'string' ? body : JSON.stringify(body) }
  const said = await check(token)
  expect(said.status, said.text).toBe(200)
  return said.body as CheckedAgentToken
}

it('asks the gateway with the token itself, and shows the names of the tools', async () => {
  const tools = [{ name: 'sales_order' }, { name: 'run_status' }]
  expect(await checked(200, { result: { tools } })).toEqual({
    url: expect.stringMatching(/\/mcp$/),
    tools: ['sales_order', 'run_status'],
    has_more: false,
    problem: null,
  })
  expect(asked).toEqual([{ url: '/mcp', authorization: 'Bearer ghp_x' }])
  const more = await checked(200, { result: { tools, nextCursor: 'x' } })
  expect(more.has_more).toBe(true)
})

it('says why the gateway does not take the token', async () => {
  const refusal = { message: 'The token is unknown, has expired or was revoked.' }
  expect((await checked(401, refusal)).problem).toBe(refusal.message)
  expect((await checked(404, refusal)).problem).toBe('No API is offered to agents.')
  expect((await checked(503, {})).problem).toBe('The gateway answered with status 503.')
  const before = asked.length
  expect((await checked(200, {}, 'a b')).problem).toBe('This is no token.')
  expect(asked).toHaveLength(before)
})

it('is refused without a token, without the permission, and where the gateway is silent', async () => {
  expect((await check('')).status).toBe(422)
  const viewer = await server.buildUser({ permissions: ['token.view'] })
  expect((await check('ghp_x', viewer.token)).status).toBe(403)
  answer = { status: 200, body: 'no JSON' }
  expect((await check('ghp_x')).body).toMatchObject({ code: 'gateway.silent' })
})
