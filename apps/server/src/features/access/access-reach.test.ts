import type { Permission } from '@gatehouse/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  buildServer,
  endpointOf,
  httpApi,
  testPassword,
  type TestServer,
} from '../../../test/servers/build-server.ts'

// Access to endpoints is the second axis beside permissions, and no user can grant more of it than they have.

let server: TestServer
let endpoint: number
let tills: { id: number; name: string }
beforeEach(async () => {
  server = await buildServer()
  const { id: api } = await make('/api/apis', httpApi())
  endpoint = (await make('/api/endpoint', endpointOf(api))).id
  tills = { ...(await make('/api/role', { name: 'Tills', permissions: [] })), name: 'Tills' }
  await server.stores.access.addEndpoints(tills.id, [endpoint])
})
afterEach(() => server.close())

async function make(url: string, body: unknown) {
  const answer = await server.send('POST', url, { token: server.admin.token, body })
  expect(answer.status, answer.text).toBe(201)
  return answer.body as { id: number }
}

const reason = 'The role Tills has access to endpoints that you do not have access to.'

async function expectRefused(answer: { status: number; body: unknown }) {
  expect(answer).toMatchObject({
    status: 403,
    body: { code: 'permission.denied', message: reason },
  })
}

const person = (roles: number[], more = {}) => ({
  name: 'New Person',
  email: 'new@example.com',
  username: 'new.person',
  password: testPassword,
  password_confirmation: testPassword,
  roles,
  ...more,
})

describe('a role that holds endpoints beyond one’s own', () => {
  const manager = (...permissions: Permission[]) => server.buildUser({ permissions })

  it('is not given to a new user, nor offered', async () => {
    const { token } = await manager('user.create')
    await expectRefused(await server.send('POST', '/api/user', { token, body: person([tills.id]) }))
    const form = await server.send('GET', '/api/user/create', { token })
    expect((form.body as { roles: unknown[] }).roles).not.toContainEqual(tills)
  })

  it('is not given to an existing user, nor taken', async () => {
    const { token } = await manager('user.edit', 'api-permission.view')
    const other = await server.buildUser()
    const { roles } = (await server.stores.users.findWithRoles(other.id))!
    const body = person([roles[0]!.id, tills.id], { email: other.email, username: '' })
    await expectRefused(await server.send('PUT', `/api/user/${other.id}`, { token, body }))
    await server.stores.users.addRole(other.id, 'Tills')
    const without = { ...body, roles: [roles[0]!.id], password: '', password_confirmation: '' }
    await expectRefused(await server.send('PUT', `/api/user/${other.id}`, { token, body: without }))
  })

  it('keeps its people’s passwords and accounts out of reach', async () => {
    const { token } = await manager('user.edit', 'user.delete')
    const other = await server.buildUser({ role: 'Tills' })
    const body = person([tills.id], { email: other.email, username: '' })
    await expectRefused(await server.send('PUT', `/api/user/${other.id}`, { token, body }))
    await expectRefused(await server.send('DELETE', `/api/user/${other.id}`, { token }))
  })

  it('is not changed, and no token is made for those who have it', async () => {
    const { token } = await manager('role.edit', 'token.create', 'token.create_any')
    const body = { name: 'Tills', permissions: [] }
    await expectRefused(await server.send('PUT', `/api/role/${tills.id}`, { token, body }))
    const { id: user } = await server.buildUser({ role: 'Tills' })
    await expectRefused(await server.send('POST', '/admin/token/store', { token, body: { user } }))
  })

  it('is given by who may call the same endpoints, or may edit access', async () => {
    const peer = await manager('user.create')
    await server.stores.users.addRole(peer.id, 'Tills')
    const editor = await manager('user.create', 'api-permission.edit')
    for (const [index, { token }] of [peer, editor].entries()) {
      const more = { email: `new-${index}@example.com`, username: `new-${index}` }
      const answer = await server.send('POST', '/api/user', {
        token,
        body: person([tills.id], more),
      })
      expect(answer.status, answer.text).toBe(201)
    }
  })
})

describe('an endpoint that goes to another API', () => {
  const token = () => server.admin.token

  it('leaves its access behind, and says so in the answer, on the form and in the trail', async () => {
    const other = await make('/api/apis', httpApi({ name: 'Other' }))
    const editor = await server.buildUser({ permissions: ['endpoint.edit', 'endpoint.view'] })
    const form = await server.send('GET', `/api/endpoint/${endpoint}/edit`, { token: editor.token })
    expect(form.body).toMatchObject([{ access_count: 1 }, expect.anything()])
    const moved = await server.send('PUT', `/api/endpoint/${endpoint}`, {
      token: editor.token,
      body: endpointOf(other.id),
    })
    expect(moved).toMatchObject({ status: 200, body: { access_cleared: 1 } })
    expect(await server.stores.access.listEndpointsOf(tills.id)).toEqual([])
    const trail = await server.send('GET', '/api/audit?action=endpoint.clear_access', {
      token: token(),
    })
    expect(trail.body).toMatchObject([
      {
        data: [
          {
            actor_id: editor.id,
            thing: 'endpoint',
            thing_id: endpoint,
            before: { roles: ['Tills'] },
            after: { roles: [] },
            can_restore: false,
          },
        ],
      },
    ])
  })

  it('keeps its access while it stays with its API', async () => {
    const { api_id } = (await server.stores.endpoints.find(endpoint))!
    const saved = await server.send('PUT', `/api/endpoint/${endpoint}`, {
      token: token(),
      body: endpointOf(api_id, { path: '/elsewhere' }),
    })
    expect(saved.body).toMatchObject({ access_cleared: 0 })
    expect(await server.stores.access.listEndpointsOf(tills.id)).toHaveLength(1)
  })
})
