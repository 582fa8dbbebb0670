import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { buildServer, testPassword, type TestServer } from '../../../test/servers/build-server.ts'

let server: TestServer
let admin: Awaited<ReturnType<TestServer['buildUser']>>
beforeEach(async () => {
  server = await buildServer()
  admin = await server.buildUser({ role: 'Admin' })
})
afterEach(() => server.close())

const roleId = async (name: string) =>
  (
    await server.db
      .selectFrom('role')
      .select('id')
      .where('name', '=', name)
      .executeTakeFirstOrThrow()
  ).id

const person = (overrides: Record<string, unknown> = {}) => ({
  name: 'New Person',
  email: 'new@example.com',
  username: 'new.person',
  password: testPassword,
  password_confirmation: testPassword,
  ...overrides,
})

const refusals = () =>
  server.db
    .selectFrom('audit_event')
    .selectAll()
    .where('outcome', '=', 'refused')
    .where('action', '=', 'call.refused')
    .execute()

async function expectRefused(answer: { status: number; text: string }, status = 403) {
  expect(answer.status, answer.text).toBe(status)
  const [event] = await refusals()
  expect(event).toMatchObject({
    actor_id: admin.id,
    thing: 'call',
    after: expect.stringContaining('reason'),
  })
}

describe('no user reaches beyond what they hold, and each attempt is kept', () => {
  it('a role that holds more is not given to a new user', async () => {
    await expectRefused(
      await server.send('POST', '/api/user', {
        token: admin.token,
        body: person({ roles: [await roleId('Super Admin')] }),
      }),
    )
    expect(await server.stores.users.findByEmail('new@example.com')).toBeUndefined()
  })

  it('nor to an existing one', async () => {
    const other = await server.buildUser({ role: 'Operator' })
    await expectRefused(
      await server.send('PUT', `/api/user/${other.id}`, {
        token: admin.token,
        body: person({ email: other.email, roles: [await roleId('Super Admin')] }),
      }),
    )
  })

  it('nor to oneself', async () => {
    await expectRefused(
      await server.send('PUT', `/api/user/${admin.id}`, {
        token: admin.token,
        body: person({
          email: admin.email,
          username: '',
          roles: [await roleId('Admin'), await roleId('Operator')],
        }),
      }),
    )
  })

  it('the password of a more powerful account is not set', async () => {
    await expectRefused(
      await server.send('PUT', `/api/user/${server.admin.id}`, {
        token: admin.token,
        body: person({
          email: server.admin.email,
          username: '',
          roles: [await roleId('Super Admin')],
        }),
      }),
    )
    expect((await server.send('GET', '/api/auth', { token: server.admin.token })).status).toBe(200)
  })

  it('a more powerful account is not deleted', async () => {
    await expectRefused(
      await server.send('DELETE', `/api/user/${server.admin.id}`, { token: admin.token }),
    )
  })

  it('a permission that one lacks is not put into a role', async () => {
    await expectRefused(
      await server.send('POST', '/api/role', {
        token: admin.token,
        body: { name: 'Mine', permissions: ['token.create_any'] },
      }),
    )
  })

  it('one’s own role is not changed, nor its access', async () => {
    const id = await roleId('Admin')
    await expectRefused(
      await server.send('PUT', `/api/role/${id}`, {
        token: admin.token,
        body: { name: 'Admin', permissions: ['user.view'] },
      }),
    )
    expect(
      (
        await server.send('PUT', `/api/api-permission/${id}/update`, {
          token: admin.token,
          body: { endpoints: [] },
        })
      ).status,
    ).toBe(403)
  })

  it('Super Admin is not changed, not even by one', async () => {
    const id = await roleId('Super Admin')
    const answer = await server.send('PUT', `/api/role/${id}`, {
      token: server.admin.token,
      body: { name: 'Super Admin', permissions: [] },
    })
    expect(answer.status).toBe(403)
    expect(
      (await server.send('DELETE', `/api/role/${id}`, { token: server.admin.token })).status,
    ).toBe(409)
  })

  it('a token for another user is not made', async () => {
    await expectRefused(
      await server.send('POST', '/admin/token/store', {
        token: admin.token,
        body: { user: server.admin.id },
      }),
    )
    expect(await server.db.selectFrom('personal_token').selectAll().execute()).toEqual([])
  })

  it('another user’s token is not revoked, and not even shown to exist', async () => {
    const made = await server.send('POST', '/admin/token/store', {
      token: server.admin.token,
      body: { user: server.admin.id },
    })
    const { access_token } = made.body as { access_token: { id: number } }
    await expectRefused(
      await server.send('DELETE', `/api/token/${access_token.id}`, { token: admin.token }),
      404,
    )
    expect(
      (await server.db.selectFrom('personal_token').selectAll().executeTakeFirstOrThrow())
        .revoked_at,
    ).toBeNull()
  })

  it('the gateway client gets neither a password nor a role with permissions', async () => {
    const consumer = await roleId('API Consumer')
    const change = (overrides: Record<string, unknown>) =>
      server.send('PUT', '/api/user/4', {
        token: server.admin.token,
        body: {
          name: 'Gateway client',
          email: 'gateway-client@localhost',
          roles: [consumer],
          ...overrides,
        },
      })
    expect(
      (await change({ password: testPassword, password_confirmation: testPassword })).status,
    ).toBe(409)
    expect((await change({ roles: [consumer, await roleId('Auditor')] })).status).toBe(409)
    expect((await change({ roles: [await roleId('Super Admin')] })).status).toBe(409)
    expect((await change({ name: 'ERP gateway' })).status).toBe(200)
    expect((await server.stores.users.find(4))?.password_hash).toBeNull()
  })

  it('a token is not made for an account beyond one’s reach, were it even the gateway client', async () => {
    await server.stores.users.addRole(4, 'Super Admin')
    await expectRefused(
      await server.send('POST', '/admin/token/store', { token: admin.token, body: { user: 4 } }),
    )
  })

  it('fields that a form does not have change nothing', async () => {
    const answer = await server.send('POST', '/api/user', {
      token: admin.token,
      body: person({
        roles: [await roleId('Operator')],
        id: 1,
        is_admin: true,
        password_hash: 'x',
        permissions: ['token.create_any'],
        can_sign_in: true,
        version: 99,
      }),
    })
    expect(answer.status).toBe(201)
    const { id } = answer.body as { id: number }
    expect(id).not.toBe(1)
    const user = await server.stores.users.findWithRoles(id)
    expect(user?.roles.map(({ name }) => name)).toEqual(['Operator'])
    expect(user?.password_hash).toMatch(/^\$argon2id\$/)
    expect(user?.version).toBe(1)
  })
})

describe('the last Super Admin', () => {
  it('is not deleted by two who delete each other at once', async () => {
    const second = await server.buildUser({ role: 'Super Admin' })
    const answers = await Promise.all([
      server.send('DELETE', `/api/user/${second.id}`, { token: server.admin.token }),
      server.send('DELETE', `/api/user/${server.admin.id}`, { token: second.token }),
    ])
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 204)).toHaveLength(1)
    expect(await server.stores.users.countMembers('Super Admin')).toBe(1)
  })

  it('does not lose the role', async () => {
    const second = await server.buildUser({ role: 'Super Admin' })
    const [superAdmin, operator] = [await roleId('Super Admin'), await roleId('Operator')]
    const demote = (id: number, email: string, token: string) =>
      server.send('PUT', `/api/user/${id}`, {
        token,
        body: person({ email, username: '', roles: [operator] }),
      })
    const answers = await Promise.all([
      demote(second.id, second.email, server.admin.token),
      demote(server.admin.id, server.admin.email, second.token),
    ])
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await server.stores.users.countMembers('Super Admin')).toBe(1)
    const left = answers[0]?.status === 200 ? server.admin : second
    const other = answers[0]?.status === 200 ? second : server.admin
    const token = await server.signIn(left.email)
    expect(
      (await server.send('DELETE', `/api/api-permission/${superAdmin}/${left.id}`, { token }))
        .status,
    ).toBe(409)
    expect((await server.send('DELETE', `/api/user/${left.id}`, { token })).status).toBe(409)
    expect((await server.send('DELETE', `/api/user/${other.id}`, { token })).status).toBe(204)
  })
})
