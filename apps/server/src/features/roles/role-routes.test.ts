// Databases: SQLite.

import { permissions } from '@gatehouse/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildServer, type TestServer } from '../../../test/servers/build-server.ts'

let server: TestServer
let token: string
beforeAll(async () => {
  server = await buildServer()
  token = server.admin.token
})
afterAll(() => server.close())

const create = (body: unknown) => server.send('POST', '/api/role', { token, body })
const created = async (name: string, granted: string[] = []) => {
  const answer = await create({ name, permissions: granted })
  expect(answer.status, answer.text).toBe(201)
  return (answer.body as { id: number }).id
}
const edit = async (id: number, as = token) =>
  (await server.send('GET', `/api/role/${id}/edit`, { token: as })).body as {
    role: { id: number; name: string; version: number }
    rolePermissions: string[]
    grantable: string[]
    locked: string | null
    allPermissions: { id: number; name: string; group_name: string }[]
    groups: { name: string }[]
  }

describe('201 and 200', () => {
  it('the form has every permission in its group', async () => {
    const form = (await server.send('GET', '/api/role/create', { token })).body as Awaited<
      ReturnType<typeof edit>
    >
    expect(form.allPermissions.map(({ name }) => name).toSorted()).toEqual(
      [...permissions].toSorted(),
    )
    expect(form.allPermissions.find(({ name }) => name === 'token.create_any')?.group_name).toBe(
      'token',
    )
    expect(form.groups.map(({ name }) => name)).toContain('api-permission')
    expect(form.rolePermissions).toEqual([])
  })

  it('creates, changes and deletes a role', async () => {
    const id = await created('Cashier', ['tax.view', 'tax.send'])
    expect(await edit(id)).toMatchObject({
      role: { id, name: 'Cashier' },
      rolePermissions: ['tax.view', 'tax.send'],
      locked: null,
    })
    const answer = await server.send('PUT', `/api/role/${id}`, {
      token,
      body: { name: 'Cashiers', permissions: ['tax.view'] },
    })
    expect(answer.body).toEqual({ id, name: 'Cashiers' })
    expect((await edit(id)).rolePermissions).toEqual(['tax.view'])
    expect((await server.send('DELETE', `/api/role/${id}`, { token })).status).toBe(204)
    expect((await server.send('GET', `/api/role/${id}/edit`, { token })).status).toBe(404)
  })

  it('a change bites on the next call of everybody who has the role', async () => {
    const user = await server.buildUser({ permissions: ['api.view'] })
    const { id } = await server.db
      .selectFrom('role')
      .select('id')
      .where('name', '=', user.roleName)
      .executeTakeFirstOrThrow()
    const status = async () => (await server.send('GET', '/api/apis', { token: user.token })).status
    expect(await status()).toBe(200)
    await server.send('PUT', `/api/role/${id}`, {
      token,
      body: { name: user.roleName, permissions: [] },
    })
    expect(await status()).toBe(403)
    await server.send('PUT', `/api/role/${id}`, {
      token,
      body: { name: user.roleName, permissions: ['api.view'] },
    })
    expect(await status()).toBe(200)
  })

  it('says who may not change it, and why', async () => {
    const admin = await server.buildUser({ role: 'Admin' })
    const [page] = (await server.send('GET', '/api/role', { token })).body as [
      { data: { id: number; name: string; users_count: number; permissions_count: number }[] },
    ]
    const byName = (name: string) => page.data.find((role) => role.name === name)!
    expect(byName('API Consumer')).toMatchObject({ users_count: 1, permissions_count: 0 })
    expect((await edit(byName('Super Admin').id, admin.token)).locked).toMatch(/Super Admin/)
    expect((await edit(byName('Admin').id, admin.token)).locked).toMatch(/yourself/)
    expect((await edit(byName('Operator').id, admin.token)).locked).toBeNull()
    expect((await edit(byName('Operator').id, admin.token)).grantable).not.toContain(
      'token.create_any',
    )
  })
})

describe('409', () => {
  it('for a role that a user has', async () => {
    const { id } = await server.db
      .selectFrom('role')
      .select('id')
      .where('name', '=', 'API Consumer')
      .executeTakeFirstOrThrow()
    const answer = await server.send('DELETE', `/api/role/${id}`, { token })
    expect(answer.status).toBe(409)
    expect(answer.body).toMatchObject({ message: '1 user has this role. Take it from them first.' })
  })

  it('for a save over a change that another user has made', async () => {
    const id = await created('Contested')
    const { version } = (await edit(id)).role
    const save = (name: string) =>
      server.send('PUT', `/api/role/${id}`, { token, body: { name, permissions: [], version } })
    expect((await save('Contested 1')).status).toBe(200)
    expect((await save('Contested 2')).status).toBe(409)
  })
})

describe('422', () => {
  it.each([
    ['name', {}],
    ['name', { name: ' ' }],
    ['name', { name: 'x'.repeat(101) }],
    ['name', { name: 'operator' }],
    ['permissions', { name: 'Odd', permissions: ['api.view', 'api.destroy'] }],
    ['permissions', { name: 'Odd', permissions: 'api.view' }],
  ])('on %s for %j', async (field, body) => {
    const answer = await create(body)
    expect(answer.status).toBe(422)
    expect(Object.keys((answer.body as { errors: object }).errors)).toEqual([field])
  })
})

it('a name that looks like Super Admin is refused, for roles and for users', async () => {
  const refusal = {
    status: 422,
    body: { errors: { name: ['This name looks like Super Admin. Choose another one.'] } },
  }
  const id = await created('Honest')
  for (const name of ['Super\u00a0Admin', 'Ѕuper Аdmin', 'Super\u200d Admin']) {
    const body = { name, permissions: [] }
    expect(await create(body)).toMatchObject(refusal)
    expect(await server.send('PUT', `/api/role/${id}`, { token, body })).toMatchObject(refusal)
    const user = {
      name,
      email: 'someone@example.com',
      username: 'someone',
      password: 'purple elephants swim',
      password_confirmation: 'purple elephants swim',
      roles: [id],
    }
    expect(await server.send('POST', '/api/user', { token, body: user })).toMatchObject(refusal)
  }
})
