import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ApiRole, ApiToken, CallableEndpoint } from '@gatehouse/contract'
import {
  buildServer,
  endpointOf,
  httpApi,
  type TestServer,
} from '../../../test/servers/build-server.ts'

let server: TestServer
let token: string
let api: number
let other: number
let role: { id: number; name: string }
const endpoints: number[] = []

beforeAll(async () => {
  server = await buildServer()
  token = server.admin.token
  api = await created('/api/apis', httpApi())
  other = await created('/api/apis', httpApi({ name: 'Other' }))
  for (const path of ['/a', '/b', '/c'])
    endpoints.push(
      await created(
        '/api/endpoint',
        endpointOf(api, { path, authentication: path === '/a' ? 1 : 0 }),
      ),
    )
  const elsewhere = await created('/api/endpoint', endpointOf(other))
  const caller = await server.buildUser({ email: 'caller@example.com' })
  await server.buildUser({ email: 'idle@example.com' })
  role = await server.db
    .selectFrom('role')
    .select(['id', 'name'])
    .where('name', '=', caller.roleName)
    .executeTakeFirstOrThrow()
  const held = [endpoints[0], endpoints[2], elsewhere]
  const body = { endpoints: held }
  await server.send('PUT', `/api/api-permission/${role.id}/update`, { token, body })
  await created('/admin/token/store', { name: 'Of the caller', user: caller.id })
  await created('/admin/token/store', { name: 'Of the admin', user: server.admin.id })
  await created('/admin/token/store', { name: 'Revoked', user: caller.id })
  await server.db
    .updateTable('personal_token')
    .set({ revoked_at: server.time.now.toISOString() })
    .where('name', '=', 'Revoked')
    .execute()
})
afterAll(() => server.close())

async function created(url: string, body: unknown): Promise<number> {
  const answer = await server.send('POST', url, { token, body })
  expect(answer.status, answer.text).toBe(201)
  return (answer.body as { id: number }).id
}

async function list(path: string): Promise<unknown> {
  const answer = await server.send('GET', `/api/apis/${path}`, { token })
  expect(answer.status, answer.text).toBe(200)
  return (answer.body as unknown[])[0]
}

interface Page<Row> {
  data: Row[]
  total: number
}
const listRoles = async (query = '') =>
  (await list(`${api}/access/roles?${query}`)) as Page<ApiRole>
const listTokens = async (query = '') =>
  (await list(`${api}/access/tokens?${query}`)) as Page<ApiToken>
const listEndpoints = async (query = '') =>
  (await list(`${api}/access/endpoints?sort=path&${query}`)) as Page<CallableEndpoint>

describe('200', () => {
  it('names the roles that may call an API, with how many of its endpoints', async () => {
    const { data, total } = await listRoles()
    expect(total).toBe(2)
    expect(data).toEqual([
      { ...role, endpoints_count: 2, users_count: 1, tokens_count: 1 },
      expect.objectContaining({ name: 'Super Admin', endpoints_count: 3, tokens_count: 1 }),
    ])
    const found = await listRoles('search=caller&limit=1')
    expect(found.data.map(({ id }) => id)).toEqual([role.id])
  })

  it('names the valid tokens that may call it, and through which roles', async () => {
    const { data } = await listTokens('sort=name')
    expect(data).toMatchObject([
      { name: 'Of the admin', roles: [{ name: 'Super Admin' }], endpoints_count: 3 },
      { name: 'Of the caller', user: { name: 'caller' }, roles: [role], endpoints_count: 2 },
    ])
  })

  it('names who holds each endpoint, and which need no token', async () => {
    const { data } = await listEndpoints()
    expect(data.map(({ path, is_guarded, roles }) => [path, is_guarded, roles])).toEqual([
      ['/a', true, [role]],
      ['/b', false, []],
      ['/c', false, [role]],
    ])
  })

  it('narrows the endpoints to those of a role, of a token, and of a search', async () => {
    const paths = async (query: string) => (await listEndpoints(query)).data.map(({ path }) => path)
    expect(await paths(`role_id=${role.id}`)).toEqual(['/a', '/c'])
    expect(await paths('search=b')).toEqual(['/b'])
    const tokens = (await listTokens('sort=name')).data
    expect(await paths(`token_id=${tokens[1]?.id}`)).toEqual(['/a', '/c'])
    expect(await paths(`token_id=${tokens[0]?.id}`)).toEqual(['/a', '/b', '/c'])
    const one = await listTokens(`token_id=${tokens[1]?.id}`)
    expect(one.data.map(({ name }) => name)).toEqual([tokens[1]?.name])
  })
})

it('needs the right to view access, and an API that there is', async () => {
  const user = await server.buildUser({ permissions: ['api.view'] })
  for (const part of ['roles', 'tokens', 'endpoints']) {
    const path = `/api/apis/${api}/access/${part}`
    expect((await server.send('GET', path)).status).toBe(401)
    expect((await server.send('GET', path, { token: user.token })).status).toBe(403)
    expect((await server.send('GET', `/api/apis/9999/access/${part}`, { token })).status).toBe(404)
    expect((await server.send('GET', `${path}?sort=nothing`, { token })).status).toBe(422)
  }
  const path = `/api/apis/${api}/access/endpoints?role_id=9999`
  expect((await server.send('GET', path, { token })).status).toBe(404)
})
