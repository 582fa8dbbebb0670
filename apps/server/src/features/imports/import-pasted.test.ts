import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ImportPreview } from '@gatehouse/contract'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { buildServer, type TestServer } from '../../../test/servers/build-server.ts'

// What is pasted instead of a document: an address, which is asked what it answers, or a curl command.

let server: TestServer
let upstream: Server
let origin: string
let asked: IncomingMessage[]
beforeAll(async () => {
  server = await buildServer()
  upstream = createServer((request, response) => {
    asked.push(request)
    if (request.url === '/openapi.json') return response.end(document)
    if (request.url === '/broken.yaml') return response.end('openapi: 3.1.0\npaths: [')
    if (request.url === '/secret') return response.end(request.headers.authorization)
    response.statusCode = request.url === '/gone' ? 404 : 200
    response.setHeader('content-type', 'application/json')
    return response.end('{"ours":true}')
  })
  await new Promise<void>((resolve) => void upstream.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`
})
beforeEach(() => void (asked = []))
afterAll(async () => {
  upstream.close()
  await server.close()
})

const document = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Hosted' },
  servers: [{ url: '/v1' }],
  paths: { '/orders': { get: { summary: 'All orders' }, post: { summary: 'New order' } } },
})

const post = (url: string, body: unknown, token = server.admin.token) =>
  server.send('POST', url, { token, body })

async function preview(text: string, token?: string): Promise<ImportPreview> {
  const answer = await post('/api/import/preview', { document: text }, token)
  expect(answer.status, answer.text).toBe(200)
  return answer.body as ImportPreview
}

const importing = (text: string, { apis }: ImportPreview, more = {}) => ({
  document: text,
  apis: apis.map(({ key, name, api_url, operations }) => ({
    key,
    name,
    api_url,
    operations: operations.map((operation) => operation.key),
  })),
  ...more,
})

const newRole = async (name: string) =>
  ((await post('/api/role', { name, permissions: [] })).body as { id: number }).id

it('an address is asked once, and becomes one endpoint', async () => {
  const shown = await preview(` ${origin}/orders?page=1\n`)
  expect(shown).toMatchObject({
    format: 'address',
    fetched: null,
    answer: { status: 200, content_type: 'application/json', body: '{"ours":true}', problem: null },
    call: { query: 'page=1', body: '' },
    sign_in: null,
  })
  expect(shown.apis).toMatchObject([{ api_url: origin, operations: [{ key: 'GET /orders' }] }])
  expect(asked.map(({ method, url }) => `${method} ${url}`)).toEqual(['GET /orders?page=1'])
})

it('an answer with an error is shown, and so is a connection that was refused', async () => {
  expect((await preview(`${origin}/gone`)).answer).toMatchObject({ status: 404 })
  const { answer } = await preview('http://169.254.169.254/latest')
  expect(answer).toMatchObject({ status: null, problem: expect.stringMatching(/169\.254/) })
})

it('the document that an address leads to is imported, with the host of the address', async () => {
  const shown = await preview(`${origin}/openapi.json`)
  expect(shown).toMatchObject({ format: 'openapi', title: 'Hosted', fetched: document })
  expect(shown.apis).toMatchObject([{ key: '/v1', api_url: `${origin}/v1` }])
  const made = await post('/api/import', importing(shown.fetched!, shown))
  expect(made.status, made.text).toBe(200)
  expect(await server.stores.apis.findByName('Hosted')).toMatchObject({ api_url: `${origin}/v1` })
})

it('mistakes of a document behind an address have their places', async () => {
  const refused = await post('/api/import/preview', { document: `${origin}/broken.yaml` })
  expect(refused.status).toBe(422)
  expect(refused.text).toContain('Line 2')
})

it('nobody asks an address who could not register it and send to it', async () => {
  const user = await server.buildUser({ permissions: ['endpoint.create', 'request.send'] })
  const shown = await preview(`${origin}/orders`, user.token)
  expect(shown.answer).toBeNull()
  expect(shown.notes).toMatchObject([{ message: expect.stringContaining('api.create') }])
  expect(asked).toEqual([])
})

it('a command that changes something is not sent', async () => {
  const shown = await preview(`curl ${origin}/orders -d 'a=1'`)
  expect(shown).toMatchObject({ format: 'curl', answer: null, call: { body: 'a=1' } })
  expect(asked).toEqual([])
})

it('the sign-in of a command is used, shown nowhere, and stored encrypted where it is wanted', async () => {
  const secret = 'sk-0123456789abcdef'
  const command = `curl ${origin}/secret -H 'Authorization: Bearer ${secret}'`
  const answer = await post('/api/import/preview', { document: command })
  expect(asked[0]?.headers.authorization).toBe(`Bearer ${secret}`)
  expect(answer.text).not.toContain(secret)
  const shown = answer.body as ImportPreview
  expect(shown.sign_in).toBe('bearer')
  const without = await post('/api/import', importing(command, shown))
  expect(without.status, without.text).toBe(200)
  const name = 'With its key'
  const input = importing(command, shown, { takes_sign_in: true })
  const apis = input.apis.map((api) => ({ ...api, name, api_id: null }))
  const taken = await post('/api/import', { ...input, apis })
  expect(taken.status, taken.text).toBe(200)
  const [plain, signed] = await Promise.all(
    [shown.apis[0]!.name, name].map((each) => server.stores.apis.findByName(each)),
  )
  expect(plain?.upstream_token_encrypted).toBeNull()
  expect(signed?.upstream_token_encrypted).toEqual(expect.any(String))
  const rows = JSON.stringify([
    signed,
    await server.db.selectFrom('audit_event').selectAll().execute(),
  ])
  expect(rows).not.toContain(secret)
})

it('roles get access to what is imported, in the same transaction', async () => {
  const roles = [await newRole('First caller'), await newRole('Second caller')]
  const text = `${origin}/granted`
  const shown = await preview(text)
  const { revision } = await server.stores.revisions.get()
  const made = await post('/api/import', importing(text, shown, { roles }))
  expect(made.body).toMatchObject({ endpoints: [{ key: 'GET /granted', roles_count: 2 }] })
  expect((await server.stores.revisions.get()).revision).toBeGreaterThan(revision)
  const events = await server.db
    .selectFrom('audit_event')
    .select(['action', 'thing_id'])
    .where('action', '=', 'access.update')
    .execute()
  expect(events.map(({ thing_id }) => Number(thing_id))).toEqual(roles)
})

it('an import that may not give access makes nothing', async () => {
  const role = await newRole('Nobody’s')
  const text = `${origin}/refused`
  const shown = await preview(text)
  const count = async () => (await server.stores.endpoints.listAll()).length
  const before = await count()
  const user = await server.buildUser({ permissions: ['endpoint.create', 'api.create'] })
  const refused = await post('/api/import', importing(text, shown, { roles: [role] }), user.token)
  expect(refused.status).toBe(403)
  expect(refused.text).toContain('api-permission.edit')
  const missing = await post('/api/import', importing(text, shown, { roles: [999_999] }))
  expect(missing.status).toBe(404)
  expect(await count()).toBe(before)
})
