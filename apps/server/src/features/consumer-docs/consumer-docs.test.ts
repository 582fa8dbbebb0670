import type { ConsumerDocs, ImportPreview } from '@gatehouse/contract'
import { generateKeyPairSync } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import {
  buildServer,
  endpointOf,
  httpApi,
  type TestServer,
} from '../../../test/servers/build-server.ts'
import { openApiProblems } from '../../../test/openapi/openapi-problems.ts'

let server: TestServer
let token: string
let orders: number
let stock: number
let put: number
let roleId: number
let viewer: { token: string; id: number; roleName: string }
let auditor: string

const parameters = [
  { name: 'id', in: 'path', is_required: true, type: 'integer (int64)', description: 'Its number' },
  { name: 'tags', in: 'query', is_required: false, type: 'array of string', description: '' },
  { name: 'X-Tenant', in: 'header', is_required: true, type: 'string', description: '' },
  { name: 'body', in: 'body', is_required: true, type: 'application/json', description: 'It' },
]

beforeAll(async () => {
  server = await buildServer()
  token = server.admin.token
  orders = await make(
    '/api/apis',
    httpApi({ name: 'Orders', authentication: 'true', auth_type: 'bearer_token' }),
  )
  stock = await make(
    '/api/apis',
    httpApi({ name: 'Stock', static_headers: [{ name: 'X-Tenant', value: 'secret-tenant' }] }),
  )
  const of = (api: number, more: object) => make('/api/endpoint', endpointOf(api, { ...more }))
  put = await of(orders, { method_type: 'put', path: '/orders/{id}', parameters })
  await of(orders, { path: '/orders/{order_id}', summery: 'One order' })
  await of(orders, { path: '/off', status: 'disabled' })
  await of(stock, {
    path: '/items/{id}',
    parameters,
    enable_custom_output: 1,
    custom_output: '{"a":1}',
  })
  viewer = await server.buildUser({ permissions: [] })
  roleId = (await server.stores.roles.findByName(viewer.roleName))!.id
  await server.stores.access.addEndpoints(roleId, [put])
  auditor = (await server.buildUser({ permissions: ['endpoint.view'] })).token
})
afterAll(() => server.close())

async function make(url: string, body: object): Promise<number> {
  const answer = await server.send('POST', url, { token, body })
  expect(answer.status, answer.text).toBe(201)
  return (answer.body as { id: number }).id
}
const get = (query: string, as = token) =>
  server.send('GET', `/api/consumer-docs${query}`, { token: as })
const addresses = ({ apis }: ConsumerDocs) =>
  apis.flatMap(({ endpoints }) => endpoints.map(({ method_type, url }) => `${method_type} ${url}`))

describe('what is shown', () => {
  it('is what the gateway serves, by context, path and method', async () => {
    const { body } = await get('')
    const found = addresses(body as ConsumerDocs)
    expect(found.map((line) => line.replace(/http:\/\/[^/]+/, ''))).toEqual([
      'put /orders/orders/{id}',
      'get /orders/orders/{order_id}',
      'get /stock/items/{id}',
    ])
  })

  it('leaves out headers that the gateway sets itself, and says what the gateway answers', async () => {
    const { body, text } = await get(`?api_id=${stock}`)
    const [endpoint] = (body as ConsumerDocs).apis[0]!.endpoints
    expect(endpoint!.parameters.map(({ name }) => name)).toEqual(['id', 'tags', 'body'])
    expect(endpoint).toMatchObject({ requires_token: false, answers: 'application/json' })
    expect(text).not.toContain('secret-tenant')
  })

  it('of a role is what it has access to', async () => {
    const { body } = await get(`?role_id=${roleId}`)
    expect(addresses(body as ConsumerDocs)).toHaveLength(1)
    expect(await get(`?role_id=${roleId}&api_id=${stock}`)).toMatchObject({ body: { apis: [] } })
  })
})

describe('who may see what', () => {
  it('a user sees the docs of their own roles, without any permission', async () => {
    expect((await get(`?role_id=${roleId}`, viewer.token)).status).toBe(200)
    const { body } = await get('/roles', viewer.token)
    expect(body).toMatchObject({ sees_all: false, roles: [{ id: roleId, shared: null }] })
  })

  it('a user sees neither everything nor an API without endpoint.view', async () => {
    for (const query of ['', `?api_id=${orders}`, '/openapi'])
      expect(await get(query, viewer.token)).toMatchObject({
        status: 422,
        body: { errors: { role_id: ['Choose one of your roles.'] } },
      })
  })

  it('the role of others does not exist for a user who may not see access', async () => {
    for (const id of [roleId, 1, 999_999])
      expect(await get(`?role_id=${id}`, auditor)).toMatchObject({
        status: 404,
        body: { code: 'role.not_found' },
      })
    expect((await get('', auditor)).status).toBe(200)
  })

  it('an API that does not exist is a 404', async () => {
    expect(await get('?api_id=999999')).toMatchObject({ body: { code: 'api.not_found' } })
  })
})

describe('the OpenAPI document', () => {
  const openApi = async (query: string) => (await get(`/openapi${query}`)).text

  it.each(['?format=json', '?format=yaml', '?format=json&role_id=ROLE', '?format=json&api_id=API'])(
    '%s is valid, the same each time',
    async (query) => {
      const asked = query.replace('ROLE', String(roleId)).replace('API', String(orders))
      const text = await openApi(asked)
      const document = (query.includes('yaml') ? parse(text) : JSON.parse(text)) as object
      expect(document).toMatchObject({ openapi: '3.1.0' })
      expect(await openApiProblems(document)).toEqual([])
      expect(await openApi(asked)).toBe(text)
    },
  )

  it('says how to authenticate, and what the gateway answers itself', async () => {
    const { paths, components } = JSON.parse(await openApi('?format=json')) as OpenApi
    const put = paths['/orders/orders/{id}']!['put']!
    expect(put).toMatchObject({
      security: [{ personal_token: [] }],
      requestBody: { required: true },
    })
    expect(Object.keys(put.responses)).toEqual([
      '401',
      '403',
      '404',
      '429',
      '502',
      '503',
      '504',
      '2XX',
    ])
    expect(paths['/stock/items/{id}']!['get']!).toMatchObject({ security: [] })
    expect(components.responses['AccessDenied']?.description).toContain('client.access_denied')
  })

  it('names the header of API keys, and signatures where an API asks for them', async () => {
    const policies = {
      Keyed: { api_key: { header: 'X-Shop-Key' } },
      Signed: { signature: { window_seconds: '60' } },
    }
    for (const [name, traffic_policy] of Object.entries(policies)) {
      const api = await make(
        '/api/apis',
        httpApi({ name, authentication: 'true', auth_type: 'bearer_token', traffic_policy }),
      )
      const id = await make('/api/endpoint', endpointOf(api, { path: '/all' }))
      onTestFinished(async () => {
        await server.send('DELETE', `/api/endpoint/${id}`, { token })
      })
      const shown = (await get(`?api_id=${api}`)).body as ConsumerDocs
      const isSigned = name === 'Signed'
      expect(shown.apis[0]).toMatchObject({
        key_header: isSigned ? null : 'X-Shop-Key',
        is_signed: isSigned,
      })
      const text = await openApi(`?format=json&api_id=${api}`)
      expect(await openApiProblems(JSON.parse(text) as object)).toEqual([])
      const { paths, components } = JSON.parse(text) as OpenApi
      expect(paths['/all']!['get']).toMatchObject({
        security: isSigned
          ? [{ signature: [] }]
          : [{ personal_token: [] }, { 'token_in_x-shop-key': [] }],
      })
      expect(
        components.securitySchemes[isSigned ? 'signature' : 'token_in_x-shop-key'],
      ).toMatchObject({
        type: 'apiKey',
        in: 'header',
        name: isSigned ? 'Signature' : 'X-Shop-Key',
      })
    }
  })

  it('names JWTs where an issuer gives the role', async () => {
    const other = (await server.buildUser({ permissions: [] })).roleName
    const otherId = (await server.stores.roles.findByName(other))!.id
    const issuer = {
      name: 'Company login',
      is_active: true,
      issuer: 'https://login.example.com/',
      audience: 'gatehouse',
      jwks_url: '',
      jwks: generateKeyPairSync('ed25519').publicKey.export({ format: 'pem', type: 'spki' }),
      algorithms: ['EdDSA'],
      skew_seconds: 60,
      role_claim: 'groups',
      roles: [{ value: 'tills', role_id: roleId }],
    }
    const id = await make('/api/token-issuers', issuer)
    onTestFinished(async () => {
      await server.send('DELETE', `/api/token-issuers/${id}`, { token })
    })
    const securityFor = async (query: string) => {
      const text = await openApi(`?format=json&${query}`)
      expect(await openApiProblems(JSON.parse(text) as object)).toEqual([])
      return (JSON.parse(text) as OpenApi).paths['/orders/orders/{id}']!['put']
    }
    const both = { security: [{ personal_token: [] }, { jwt: [] }] }
    expect(await securityFor(`role_id=${roleId}`)).toMatchObject(both)
    expect(await securityFor('')).toMatchObject(both)
    await server.stores.access.addEndpoints(otherId, [put])
    expect(await securityFor(`role_id=${otherId}`)).toMatchObject({
      security: [{ personal_token: [] }],
    })
  })

  it('gives operations of one path the same names of parameters', async () => {
    const { paths } = JSON.parse(await openApi('?format=json')) as OpenApi
    expect(Object.keys(paths['/orders/orders/{id}']!)).toEqual(['put', 'get'])
    expect(paths['/orders/orders/{id}']!['get']!.parameters?.[0]).toMatchObject({ name: 'id' })
  })

  it('gives the same endpoints when it is imported', async () => {
    const document = await openApi(`?api_id=${orders}`)
    const answer = await server.send('POST', '/api/import/preview', { token, body: { document } })
    const [api] = (answer.body as ImportPreview).apis
    const put = api!.operations.find(({ method_type }) => method_type === 'put')
    expect(put).toMatchObject({ path: '/orders/{id}', summery: 'One post', parameters })
    expect(api!.operations.map(({ key }) => key)).toEqual(['PUT /orders/{id}', 'GET /orders/{id}'])
    expect(api!.api_url).toMatch(/\/orders$/)
  })
})

interface OpenApi {
  paths: Record<string, Record<string, { responses: object; parameters?: object[] }>>
  components: {
    responses: Record<string, { description: string }>
    securitySchemes: Record<string, object>
  }
}

describe('a link', () => {
  const share = async () => {
    const url = `/api/consumer-docs/roles/${roleId}/link`
    const answer = await server.send('POST', url, { token })
    expect(answer.status, answer.text).toBe(201)
    return (answer.body as { link: string }).link
  }
  const open = (link: string, more = '', body = {}) =>
    server.send('POST', `/api/consumer-docs/shared${more}`, { body: { link, ...body } })

  it('is off at first; shows the docs of its role to anybody, and ends', async () => {
    expect((await open('')).status).toBe(404)
    const link = await share()
    const shown = await open(link)
    expect(shown.status).toBe(200)
    expect(addresses(shown.body as ConsumerDocs)).toHaveLength(1)
    expect(shown.headers).toMatchObject({
      'x-robots-tag': 'noindex, nofollow',
      'cache-control': 'no-store',
    })
    const file = await open(link, '/openapi', { format: 'json' })
    expect(await openApiProblems(JSON.parse(file.text) as object)).toEqual([])
    const removed = await server.send('DELETE', `/api/consumer-docs/roles/${roleId}/link`, {
      token,
    })
    expect(removed.status).toBe(204)
    for (const more of ['', '/openapi'])
      expect(await open(link, more, more ? { format: 'yaml' } : {})).toMatchObject({
        status: 404,
        body: { code: 'docs.link_unknown' },
      })
  })

  it('ends when a new one is made, is audited, and stored nowhere', async () => {
    const first = await share()
    const second = await share()
    expect((await open(first)).status).toBe(404)
    expect((await open(second)).status).toBe(200)
    const events = await server.db.selectFrom('audit_event').selectAll().execute()
    const shared = events.filter(({ action }) => action === 'role.docs-share')
    expect(shared.at(-1)).toMatchObject({ thing: 'role', thing_id: roleId })
    const stored = JSON.stringify([
      events,
      await server.db.selectFrom('docs_link').selectAll().execute(),
    ])
    expect(stored).not.toContain(second)
    const { body } = await get('/roles')
    expect(body).toMatchObject({ sees_all: true })
    expect(JSON.stringify(body)).toContain('"shared":{"at":')
  })

  it('follows the access of its role, and ends with the role', async () => {
    const link = await share()
    await server.stores.access.removeEndpoints(
      roleId,
      await server.stores.access.listEndpointIdsOf(roleId),
    )
    expect(await open(link)).toMatchObject({ body: { apis: [] } })
    const empty = await open(link, '/openapi', { format: 'json' })
    expect(await openApiProblems(empty.body as object)).toEqual([])
    await server.stores.users.setRoles(viewer.id, [])
    await server.stores.roles.remove(roleId)
    expect((await open(link)).status).toBe(404)
  })
})
