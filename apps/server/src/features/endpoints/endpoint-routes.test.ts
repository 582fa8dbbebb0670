import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { endpointOf, type TestServer } from '../../../test/servers/build-server.ts'
import { buildServerWithApi } from '../../../test/servers/endpoint-server.ts'

let server: TestServer
let token: string
let apiId: number
beforeAll(async () => {
  ;({ server, token, apiId } = await buildServerWithApi())
})
afterAll(() => server.close())
beforeEach(() => server.db.deleteFrom('endpoint').execute())

const create = (overrides: Record<string, unknown> = {}) =>
  server.send('POST', '/api/endpoint', { token, body: endpointOf(apiId, overrides) })
const created = async (overrides: Record<string, unknown> = {}) => {
  const answer = await create(overrides)
  expect(answer.status, answer.text).toBe(201)
  return answer.body as { id: number; version: number }
}
const errorsOf = (answer: { body: unknown }) =>
  (answer.body as { errors: Record<string, string[]> }).errors

describe('201 and 200', () => {
  it('creates an endpoint and shows it in the shapes of the spec', async () => {
    const { id } = await created({
      authentication: 1,
      enable_custom_output: '1',
      custom_output: '{"a":"{{body.a}}"}',
    })
    const edit = await server.send('GET', `/api/endpoint/${id}/edit`, { token })
    const [endpoint, apis] = edit.body as [
      Record<string, unknown>,
      { id: number; submitted_data: string }[],
    ]
    expect(endpoint).toMatchObject({
      id,
      status: 'active',
      method_type: 'get',
      path: '/posts/{id}',
      summery: 'One post',
      description: 'Reads one post',
      api: { id: apiId, name: 'Posts' },
      enable_custom_output: 1,
      custom_output: '{"a":"{{body.a}}"}',
      authentication: 1,
      auth_type: 'bearer_token',
    })
    expect(apis.map(({ id: each }) => each)).toEqual([apiId])
    const form = await server.send('GET', '/api/endpoint/create', { token })
    expect(form.body).toEqual([apis])
  })

  it('asks for a token unless the call says otherwise, and a save that says nothing keeps that', async () => {
    const asks = async (id: number) => (await server.stores.endpoints.find(id))?.authentication
    const { authentication: _, ...unsaid } = endpointOf(apiId)
    const save = (id: number, body: object) =>
      server.send('PUT', `/api/endpoint/${id}`, { token, body })
    const made = await server.send('POST', '/api/endpoint', { token, body: unsaid })
    const { id } = made.body as { id: number }
    expect(made.body).toMatchObject({ authentication: 1, auth_type: 'bearer_token' })
    expect((await save(id, { ...unsaid, authentication: '' })).status).toBe(200)
    expect(await asks(id)).toBe(0)
    expect((await save(id, unsaid)).status).toBe(200)
    expect(await asks(id)).toBe(0)
    expect((await save(id, { ...unsaid, authentication: 'true' })).status).toBe(200)
    expect((await save(id, unsaid)).status).toBe(200)
    expect(await asks(id)).toBe(1)
    const open = await created({ path: '/open', authentication: 0 })
    expect(await asks(open.id)).toBe(0)
  })

  it('empties the custom output when it is switched off', async () => {
    const { id } = await created({ enable_custom_output: 1, custom_output: 'pong' })
    await server.send('PUT', `/api/endpoint/${id}`, {
      token,
      body: endpointOf(apiId, { enable_custom_output: 0, custom_output: 'pong', auth_type: '' }),
    })
    const [endpoint] = (await server.send('GET', `/api/endpoint/${id}/edit`, { token })).body as [
      Record<string, unknown>,
    ]
    expect(endpoint).toMatchObject({ enable_custom_output: 0, custom_output: '' })
  })

  it('lists with search, sort and filters', async () => {
    await created({ path: '/a', description: 'Zeta' })
    await created({ path: '/b', description: 'alpha', method_type: 'POST' })
    await created({ path: '/c', description: 'Beta', status: 'disabled' })
    const paths = async (query: string) => {
      const [page] = (await server.send('GET', `/api/endpoint?${query}`, { token })).body as [
        { data: { path: string }[] },
      ]
      return page.data.map(({ path }) => path)
    }
    expect(await paths('')).toEqual(['/a', '/b', '/c'])
    expect(await paths('sort=description')).toEqual(['/b', '/c', '/a'])
    expect(await paths('sort=-path&limit=2')).toEqual(['/c', '/b'])
    expect(await paths('method_type=post')).toEqual(['/b'])
    expect(await paths('status=disabled')).toEqual(['/c'])
    expect(await paths('search=ZETA')).toEqual(['/a'])
    expect(await paths('search=posts%20ALPHA%20/b')).toEqual(['/b'])
    expect(await paths('search=alpha%20/c')).toEqual([])
    expect(await paths('search=/c%20%25')).toEqual([])
    expect(await paths(`status=active&method_type=get&api_id=${apiId}&search=posts`)).toEqual([
      '/a',
    ])
    expect(await paths(`api_id=${apiId + 1}`)).toEqual([])
  })

  it('takes the same path with another method', async () => {
    await created({ method_type: 'get' })
    await created({ method_type: 'post' })
    await created({ method_type: 'put' })
  })

  it('deletes an endpoint and the access that roles had to it', async () => {
    const { id } = await created()
    await server.db.insertInto('role_endpoint').values({ role_id: 1, endpoint_id: id }).execute()
    expect((await server.send('DELETE', `/api/endpoint/${id}`, { token })).status).toBe(204)
    expect((await server.send('DELETE', `/api/endpoint/${id}`, { token })).status).toBe(404)
    expect(await server.db.selectFrom('role_endpoint').selectAll().execute()).toEqual([])
  })
})

describe('404 and 409', () => {
  it('for an endpoint that does not exist', async () => {
    expect((await server.send('GET', '/api/endpoint/999999/edit', { token })).status).toBe(404)
    expect(
      (await server.send('PUT', '/api/endpoint/999999', { token, body: endpointOf(apiId) })).status,
    ).toBe(404)
  })

  it('for a save over a change that another user has made', async () => {
    const { id, version } = await created()
    const save = (summery: string) =>
      server.send('PUT', `/api/endpoint/${id}`, {
        token,
        body: endpointOf(apiId, { summery, version }),
      })
    expect((await save('First')).status).toBe(200)
    expect((await save('Second')).status).toBe(409)
  })
})

describe('422', () => {
  it('names every field at once', async () => {
    const answer = await server.send('POST', '/api/endpoint', { token, body: {} })
    expect(answer.status).toBe(422)
    expect(Object.keys(errorsOf(answer)).toSorted()).toEqual([
      'api_id',
      'description',
      'method_type',
      'path',
      'status',
      'summery',
    ])
  })

  it.each([
    ['api_id', { api_id: 999_999 }],
    ['api_id', { api_id: 'x' }],
    ['api_id', { api_id: '' }],
    ['method_type', { method_type: 'options' }],
    ['status', { status: 'asleep' }],
    ['path', { path: 'posts' }],
    ['path', { path: '/posts?x=1' }],
    ['path', { path: '/a//b' }],
    ['path', { path: '/a/../b' }],
    ['path', { path: '/a/./b' }],
    ['path', { path: '/a b' }],
    ['path', { path: '/a%2e%2e' }],
    ['path', { path: '/a\\b' }],
    ['path', { path: '/posts/{id' }],
    ['path', { path: '/posts/x{id}' }],
    ['path', { path: '/posts/{}' }],
    ['path', { path: '/posts/{id}/{id}' }],
    ['path', { path: `/${'x'.repeat(500)}` }],
    ['path', { path: '/posts/{key}' }],
    ['summery', { summery: ' ' }],
    ['description', { description: '' }],
    ['custom_output', { enable_custom_output: 1, custom_output: '  ' }],
    ['custom_output', { enable_custom_output: 1, custom_output: 'x'.repeat(262_145) }],
    ['custom_output', { enable_custom_output: 1, custom_output: '{{status}}'.repeat(1_001) }],
    ['custom_output', { enable_custom_output: 1, custom_output: '{{secret.token}}' }],
    ['authentication', { authentication: 'perhaps' }],
    ['auth_type', { auth_type: 'basic' }],
  ])('on %s for %j', async (field, overrides) => {
    await created()
    const answer = await create({ path: '/another', ...overrides })
    expect(answer.status, answer.text).toBe(422)
    expect(Object.keys(errorsOf(answer))).toEqual([field])
  })

  it('for the second of two saves at once of one route', async () => {
    const answers = await Promise.all([create(), create({ path: '/posts/{key}' })])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 422])
  })
})
