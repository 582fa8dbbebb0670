// Databases: SQLite.

import { readFileSync } from 'node:fs'
import type { ImportPreview } from '@gatehouse/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildServer, httpApi, type TestServer } from '../../../test/servers/build-server.ts'

let server: TestServer
let token: string
beforeAll(async () => {
  server = await buildServer()
  token = server.admin.token
})
afterAll(() => server.close())

const fixture = (name: string) =>
  readFileSync(new URL(`../../../fixtures/openapi/${name}.json`, import.meta.url), 'utf8')

const post = (url: string, body: unknown, as = token) =>
  server.send('POST', url, { token: as, body })

async function preview(document: string, more = {}): Promise<ImportPreview> {
  const answer = await post('/api/import/preview', { document, ...more })
  expect(answer.status, answer.text).toBe(200)
  return answer.body as ImportPreview
}

/** Everything of the preview, under the names that it proposes. */
const whole = (document: string, { apis }: ImportPreview) => ({
  document,
  apis: apis.map(({ key, name, api_url, operations }) => ({
    key,
    name,
    api_url,
    operations: operations.map((operation) => operation.key),
  })),
})

/** What comes of the operations of the first server at the oldest API that has its base URL. */
const there = ({ apis }: ImportPreview) => apis[0]?.existing[0]?.operations ?? []

const counted = async () => ({
  apis: (await server.stores.apis.listAll()).length,
  endpoints: (await server.stores.endpoints.listAll()).length,
})

const orders = (more = {}) =>
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Orders' },
    servers: [{ url: 'https://orders.example.com' }, { url: '/sandbox' }],
    paths: {
      '/orders': { get: { summary: 'All orders' }, post: { summary: 'New order' } },
      '/orders/{id}': { get: { summary: 'One order', ...more } },
    },
  })

describe('200', () => {
  it('makes what was shown, and audits it; a second import leaves it', async () => {
    const document = fixture('petstore')
    const shown = await preview(document)
    expect(shown).toMatchObject({ title: 'Swagger Petstore', format: 'openapi' })
    expect(shown.apis).toMatchObject([{ existing: [] }])
    expect(shown.apis[0]?.operations).toHaveLength(20)
    expect(await counted()).toEqual({ apis: 0, endpoints: 0 })
    const made = await post('/api/import', whole(document, shown))
    expect(made.status, made.text).toBe(200)
    expect(await counted()).toEqual({ apis: 1, endpoints: 20 })
    const events = await server.db.selectFrom('audit_event').select('action').execute()
    expect(events.filter(({ action }) => action === 'endpoint.create')).toHaveLength(20)

    const again = await preview(document)
    expect(again.apis[0]?.existing.map(({ name }) => name)).toEqual(['Swagger Petstore'])
    expect(new Set(there(again).map(({ action }) => action))).toEqual(new Set(['left']))
    const left = await post('/api/import', whole(document, again))
    expect(left.body).toMatchObject({ apis: [{ action: 'left' }] })
    expect(await counted()).toEqual({ apis: 1, endpoints: 20 })
  })

  it('keeps the parameters, and shows them with the endpoint', async () => {
    const row = (await server.stores.endpoints.listAll()).find(
      ({ path, method_type }) => path === '/pet/{petId}' && method_type === 'get',
    )
    const shown = await server.send('GET', `/api/endpoint/${row!.id}/edit`, { token })
    expect((shown.body as unknown[])[0]).toMatchObject({
      parameters: [{ name: 'petId', in: 'path', is_required: true, type: 'integer (int64)' }],
    })
  })

  it('changes only what the document says of an endpoint that is there', async () => {
    const shown = await preview(orders())
    expect(shown.apis.map(({ key, api_url }) => [key, api_url])).toEqual([
      ['https://orders.example.com', 'https://orders.example.com'],
      ['/sandbox', ''],
    ])
    const [first] = whole(orders(), shown).apis
    const made = await post('/api/import', { document: orders(), apis: [first] })
    expect(made.status, made.text).toBe(200)
    const { endpoints } = made.body as { endpoints: { id: number; key: string }[] }
    const one = endpoints.find(({ key }) => key === 'GET /orders/{id}')!
    const custom = { custom_output: 'fixed', status: 'disabled' as const }
    await server.db.updateTable('endpoint').set(custom).where('id', '=', one.id).execute()

    const changed = orders({ description: 'By its number.' })
    const next = await preview(changed)
    expect(there(next).map(({ action, changes }) => [action, ...changes])).toEqual([
      ['left'],
      ['left'],
      ['update', 'description'],
    ])
    const saved = await post(
      '/api/import',
      whole(changed, { ...next, apis: next.apis.slice(0, 1) }),
    )
    expect(saved.body).toMatchObject({
      endpoints: [{ action: 'left' }, { action: 'left' }, { action: 'update', id: one.id }],
    })
    expect(await server.stores.endpoints.find(one.id)).toMatchObject({
      description: 'By its number.',
      ...custom,
    })
  })

  it('takes a base URL for a server that has none', async () => {
    const shown = whole(orders(), await preview(orders()))
    const sandbox = { ...shown.apis[1]!, api_url: 'https://sandbox.example.com' }
    const made = await post('/api/import', { document: orders(), apis: [sandbox] })
    expect(made.status, made.text).toBe(200)
    expect(await server.stores.apis.findByName(sandbox.name)).toMatchObject({
      api_url: 'https://sandbox.example.com',
      authentication: 1,
    })
  })
})

describe('who may call what was imported', () => {
  const document = orders().replaceAll('orders.example.com', 'callers.example.com')
  const open = (id: number) =>
    server.db.updateTable('endpoint').set({ authentication: 0 }).where('id', '=', id).execute()

  it('new endpoints ask for a token, at an API that asks for none too, and no role holds them', async () => {
    const api = await post(
      '/api/apis',
      httpApi({ name: 'Open API', api_url: 'https://callers.example.com' }),
    )
    const { id } = api.body as { id: number }
    const shown = await preview(document)
    expect(shown.apis[0]?.existing).toMatchObject([{ id, api_access: 'internally' }])
    expect(there(shown)).toEqual(
      there(shown).map(({ key }) => ({
        key,
        action: 'create',
        changes: [],
        endpoint_id: null,
        is_token_required: true,
        roles_count: 0,
      })),
    )
    const { apis } = whole(document, shown)
    const made = await post('/api/import', { document, apis: [{ ...apis[0]!, api_id: id }] })
    expect(made.body).toMatchObject({
      apis: [{ id, action: 'left', api_access: 'internally' }],
      endpoints: apis[0]!.operations.map((key) => ({
        key,
        api_id: id,
        action: 'create',
        is_token_required: true,
        roles_count: 0,
      })),
    })
    const stored = await server.stores.endpoints.listOfApis([id], 10)
    expect(stored.map(({ authentication }) => authentication)).toEqual([1, 1, 1])
  })

  it('what is there keeps what it asks of callers, and both answers say who they are', async () => {
    const [first, second] = there(await preview(document))
    await open(first!.endpoint_id!)
    const role = await post('/api/role', { name: 'Callers', permissions: [] })
    const role_id = (role.body as { id: number }).id
    await post('/api/api-permission/bulk', { role_id, endpoints: [second!.endpoint_id] })
    const callers = [
      { is_token_required: false, roles_count: 0 },
      { is_token_required: true, roles_count: 1 },
      { is_token_required: true, roles_count: 0 },
    ]
    const changed = document.replace('All orders', 'Every order')
    const shown = await preview(changed)
    expect(there(shown)).toMatchObject(callers)
    const { apis } = whole(changed, shown)
    const saved = await post('/api/import', { document: changed, apis: [apis[0]] })
    expect(saved.body).toMatchObject({ endpoints: callers })
    expect(await server.stores.endpoints.find(first!.endpoint_id!)).toMatchObject({
      summary: 'Every order',
      authentication: 0,
    })
    await server.db.updateTable('api').set({ authentication: 1 }).execute()
    expect(there(await preview(changed))[0]).toMatchObject({ is_token_required: true })
  })

  it('a known base URL can be that of a new API, and of no other one', async () => {
    const shown = await preview(document)
    const [known] = shown.apis[0]!.existing
    const { apis } = whole(document, shown)
    const made = await post('/api/import', { document, apis: [{ ...apis[0]!, api_id: null }] })
    expect(made.body).toMatchObject({ apis: [{ action: 'create', name: apis[0]!.name }] })
    const both = (await preview(document)).apis[0]!.existing
    const [fresh] = (made.body as { apis: { id: number }[] }).apis
    expect(both.map(({ id }) => id)).toEqual([known!.id, fresh!.id])
    const other = await server.stores.apis.findByName('Swagger Petstore')
    const wrong = { ...apis[0]!, api_id: other!.id }
    const refused = await post('/api/import', { document, apis: [wrong] })
    expect(refused.body).toMatchObject({ errors: { 'apis.0.api_id': [expect.any(String)] } })
  })

  it('a base URL that was entered is looked up too', async () => {
    const shown = await preview(orders(), {
      api_urls: { '/sandbox': 'https://callers.example.com/' },
    })
    expect(shown.apis[1]).toMatchObject({
      key: '/sandbox',
      api_url: 'https://callers.example.com/',
    })
    expect(shown.apis[1]?.existing).toHaveLength(2)
  })
})

describe('422, and nothing is made', () => {
  it('a document that can’t be read, with its place', async () => {
    const answer = await post('/api/import/preview', { document: 'openapi: 3.1.0\npaths: [' })
    expect(answer.status).toBe(422)
    const { errors } = answer.body as { errors: { document: string[] } }
    expect(errors.document[0]).toMatch(/^Line 2, column \d+: /)
  })

  it('a name that is taken, and a base URL that is missing, under their fields', async () => {
    const before = await counted()
    const document = orders().replaceAll('orders.example.com', 'third.example.com')
    const { apis } = whole(document, await preview(document))
    const taken = { ...apis[0]!, name: 'Swagger Petstore' }
    const refused = await post('/api/import', { document, apis: [taken] })
    expect(refused.body).toMatchObject({ errors: { 'apis.0.name': [expect.any(String)] } })
    const blank = await post('/api/import', { document, apis: [apis[0], { ...apis[1]! }] })
    expect(blank.body).toMatchObject({ errors: { 'apis.1.api_url': [expect.any(String)] } })
    expect(await counted()).toEqual(before)
  })

  it('an operation that the document does not have', async () => {
    const before = await counted()
    const { apis } = whole(orders(), await preview(orders()))
    const strange = { ...apis[0]!, operations: ['GET /orders', 'GET /gone'] }
    const refused = await post('/api/import', { document: orders(), apis: [strange] })
    expect(refused.status).toBe(422)
    expect(refused.text).toContain('GET /gone')
    expect(await counted()).toEqual(before)
  })

  it('an address that may not be called', async () => {
    const document = orders().replaceAll('https://orders.example.com', 'http://169.254.169.254')
    const { apis } = whole(document, await preview(document))
    const refused = await post('/api/import', { document, apis: [apis[0]] })
    expect(refused.body).toMatchObject({ errors: { 'apis.0.api_url': [expect.any(String)] } })
  })
})

it('403 for a new API without api.create, and for a change without endpoint.edit', async () => {
  const before = await counted()
  const maker = await server.buildUser({ permissions: ['endpoint.create'] })
  const fresh = orders().replaceAll('orders.example.com', 'fourth.example.com')
  const { apis } = whole(fresh, await preview(fresh))
  const refused = await post('/api/import', { document: fresh, apis: [apis[0]] }, maker.token)
  expect(refused.status).toBe(403)
  expect(refused.text).toContain('api.create')
  const changed = orders({ description: 'Another text.' })
  const next = whole(changed, await preview(changed))
  const denied = await post('/api/import', { ...next, apis: [next.apis[0]] }, maker.token)
  expect(denied.status).toBe(403)
  expect(denied.text).toContain('endpoint.edit')
  expect(await counted()).toEqual(before)
})
