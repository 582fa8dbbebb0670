import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildServer, testPassword, type TestServer } from '../../../test/servers/build-server.ts'

let server: TestServer
let token: string
let operator: number
beforeAll(async () => {
  server = await buildServer()
  token = server.admin.token
  operator = (
    await server.db
      .selectFrom('role')
      .select('id')
      .where('name', '=', 'Operator')
      .executeTakeFirstOrThrow()
  ).id
})
afterAll(() => server.close())

let count = 0
const person = (overrides: Record<string, unknown> = {}) => ({
  name: 'Erika Mustermann',
  email: `erika-${++count}@example.com`,
  username: `erika-${count}`,
  password: 'a long enough secret',
  password_confirmation: 'a long enough secret',
  roles: [operator],
  ...overrides,
})
const create = (overrides?: Record<string, unknown>) =>
  server.send('POST', '/api/user', { token, body: person(overrides) })
const created = async (overrides?: Record<string, unknown>) => {
  const answer = await create(overrides)
  expect(answer.status, answer.text).toBe(201)
  return answer.body as { id: number; email: string; version: number }
}
const update = (id: number, body: Record<string, unknown>) =>
  server.send('PUT', `/api/user/${id}`, { token, body })
const errorsOf = (answer: { body: unknown }) =>
  Object.keys((answer.body as { errors: object }).errors).toSorted()
const canSignIn = async (email: string, password: string) =>
  (
    await server.send('POST', '/api/login', {
      body: { email, password },
      remoteAddress: `198.51.100.${++count % 250}`,
    })
  ).status === 200

describe('201 and 200', () => {
  it('creates a user who can sign in, with roles by id, as text or by name', async () => {
    for (const roles of [[operator], [String(operator)], ['Operator']]) {
      const user = await created({ roles })
      expect(user).toMatchObject({
        role: 'Operator',
        roles: [{ id: operator, name: 'Operator' }],
        can_sign_in: true,
      })
      expect(await canSignIn(user.email, 'a long enough secret')).toBe(true)
    }
  })

  it('never sends a password or its hash', async () => {
    const user = await created()
    for (const path of ['/api/user', `/api/user/${user.id}/edit`]) {
      const { text } = await server.send('GET', path, { token })
      expect(text).not.toContain('argon2')
      expect(text).not.toContain('password')
    }
  })

  it('lists with the gateway client, search and sort', async () => {
    await created({ name: 'Zebra 100%' })
    const names = async (query: string) => {
      const [page] = (await server.send('GET', `/api/user?${query}`, { token })).body as [
        { data: { name: string }[]; total: number },
      ]
      return page.data.map(({ name }) => name)
    }
    expect(await names('search=gateway-client')).toEqual(['Gateway client'])
    expect(await names('search=100%25')).toEqual(['Zebra 100%'])
    expect((await names('sort=-name&limit=1'))[0]).toBe('Zebra 100%')
  })

  it('keeps the password when the form leaves it blank', async () => {
    const user = await created()
    const answer = await update(user.id, {
      name: 'Renamed',
      email: user.email,
      password: '',
      password_confirmation: '',
      roles: [operator],
    })
    expect(answer.status).toBe(200)
    expect(await canSignIn(user.email, 'a long enough secret')).toBe(true)
  })

  it('ends the user’s sessions when the password or the roles change, and only then', async () => {
    const user = await server.buildUser({ role: 'Operator' })
    const isSignedIn = async () =>
      (await server.send('GET', '/api/auth', { token: user.token })).status === 200
    const same = { name: 'X', email: user.email, roles: [operator] }
    await update(user.id, same)
    expect(await isSignedIn()).toBe(true)
    await update(user.id, {
      ...same,
      password: 'another long secret',
      password_confirmation: 'another long secret',
    })
    expect(await isSignedIn()).toBe(false)
    expect(await canSignIn(user.email, testPassword)).toBe(false)
    expect(await canSignIn(user.email, 'another long secret')).toBe(true)
  })

  const linked = async () => {
    const user = await server.buildUser({ role: 'Operator' })
    const at = '2026-06-01T08:00:00.000Z'
    const link = { issuer: 'https://login.example.com', user_id: user.id, created_at: at }
    await server.stores.signOn.insertIdentity({ ...link, subject: `l-${user.id}`, is_managed: 0 })
    await server.stores.signOn.insertIdentity({ ...link, subject: `m-${user.id}`, is_managed: 1 })
    await server.stores.adminTokens.insert({
      user_id: user.id,
      name: 'CI',
      token_hash: `hash-${user.id}`,
      ending: 'aaaa',
      permissions: 'api.view',
      created_at: at,
      expires_at: '2027-06-01T08:00:00.000Z',
    })
    return user
  }
  const heldBy = async (id: number) => ({
    links: (await server.stores.signOn.identitiesOf(id)).map(({ subject }) => subject.slice(0, 1)),
    tokens: (await server.stores.adminTokens.listOf(id)).length,
    said: (
      await server.db
        .selectFrom('audit_event')
        .select('action')
        .where('thing_id', '=', id)
        .where('action', 'in', ['admin_token.revoke_all', 'user.sign_on_unlinked'])
        .execute()
    ).map(({ action }) => action),
  })
  const newPassword = {
    password: 'another long secret',
    password_confirmation: 'another long secret',
  }

  it('revokes the tokens for programs of a user whose password another person sets', async () => {
    const user = await linked()
    const same = { name: 'X', email: user.email, roles: [operator] }
    await update(user.id, { ...same, email: user.email.toUpperCase() })
    expect(await heldBy(user.id)).toEqual({ links: ['l', 'm'], tokens: 1, said: [] })
    await update(user.id, { ...same, ...newPassword })
    const after = { links: ['l', 'm'], tokens: 0, said: ['admin_token.revoke_all'] }
    expect(await heldBy(user.id)).toEqual(after)
  })

  it('forgets the link to a provider of a user whose address another person changes, unless they came by it', async () => {
    const user = await linked()
    const moved = { name: 'X', email: `moved-${user.email}`, roles: [operator] }
    expect((await update(user.id, moved)).status).toBe(200)
    const after = { links: ['m'], tokens: 1, said: ['user.sign_on_unlinked'] }
    expect(await heldBy(user.id)).toEqual(after)
  })

  it('deletes a user with sessions and tokens', async () => {
    const user = await server.buildUser({ role: 'Operator' })
    await server.send('POST', '/admin/token/store', { token, body: { user: user.id } })
    expect((await server.send('DELETE', `/api/user/${user.id}`, { token })).status).toBe(204)
    expect((await server.send('GET', '/api/auth', { token: user.token })).status).toBe(401)
    expect(
      await server.db
        .selectFrom('personal_token')
        .selectAll()
        .where('user_id', '=', user.id)
        .execute(),
    ).toEqual([])
  })
})

describe('404 and 409', () => {
  it('for users that do not exist, oneself, and the gateway client', async () => {
    expect((await server.send('GET', '/api/user/999999/edit', { token })).status).toBe(404)
    expect((await server.send('DELETE', '/api/user/999999', { token })).status).toBe(404)
    expect((await server.send('DELETE', `/api/user/${server.admin.id}`, { token })).status).toBe(
      409,
    )
    expect((await server.send('DELETE', '/api/user/4', { token })).status).toBe(409)
  })

  it('for a save over a change that another user has made', async () => {
    const { id, email, version } = await created()
    const save = (name: string) => update(id, { name, email, roles: [operator], version })
    expect((await save('First')).status).toBe(200)
    expect((await save('Second')).status).toBe(409)
  })
})

describe('422', () => {
  it('names every field at once', async () => {
    const answer = await server.send('POST', '/api/user', { token, body: {} })
    expect(answer.status).toBe(422)
    expect(errorsOf(answer)).toEqual(['email', 'name', 'password', 'roles', 'username'])
  })

  it.each([
    ['email', { email: 'nobody' }],
    ['email', { email: 'a b@example.com' }],
    ['email', { email: 'ADMIN@example.com' }],
    ['username', { username: 'two words' }],
    ['username', { username: 'GATEWAY-client' }],
    ['password', { password: 'short', password_confirmation: 'short' }],
    ['password', { password: 'a long enough secret', password_confirmation: 'another' }],
    ['password', { password: 'x'.repeat(129), password_confirmation: 'x'.repeat(129) }],
    [
      'password',
      { password: 'passwordpasswordpassword', password_confirmation: 'passwordpasswordpassword' },
    ],
    ['password', { password: 'aaaaaaaaaaaaaaaa', password_confirmation: 'aaaaaaaaaaaaaaaa' }],
    ['password', { password: 'abcdefghijklmnop', password_confirmation: 'abcdefghijklmnop' }],
    ['roles', { roles: [] }],
    ['roles', { roles: [999_999] }],
    ['roles', { roles: ['Nobody'] }],
    ['roles', { roles: 'Operator' }],
  ])('on %s for %j', async (field, overrides) => {
    const answer = await create(overrides)
    expect(answer.status, answer.text).toBe(422)
    expect(errorsOf(answer)).toEqual([field])
  })
})

describe('one’s own password', () => {
  const change = (as: string, body: Record<string, unknown>) =>
    server.send('PUT', '/api/password', { token: as, body })
  const good = {
    current_password: testPassword,
    password: 'my own new secret',
    password_confirmation: 'my own new secret',
  }

  it('is changed with the current one, and ends all other sessions', async () => {
    const user = await server.buildUser({ role: 'Operator' })
    const other = await server.signIn(user.email)
    expect((await change(user.token, good)).status).toBe(204)
    expect((await server.send('GET', '/api/auth', { token: user.token })).status).toBe(200)
    expect((await server.send('GET', '/api/auth', { token: other })).status).toBe(401)
    expect(await canSignIn(user.email, 'my own new secret')).toBe(true)
  })

  it('is refused with a wrong current one, and guessing it is slowed down', async () => {
    const user = await server.buildUser({ role: 'Operator' })
    const wrong = () => change(user.token, { ...good, current_password: 'a guess' })
    const refused = await wrong()
    expect(refused.status).toBe(422)
    expect(errorsOf(refused)).toEqual(['current_password'])
    for (let guess = 0; guess < 9; guess++) await wrong()
    expect((await wrong()).status).toBe(429)
  })

  it('is not estimated for a caller that does not know the current one', async () => {
    const user = await server.buildUser({ role: 'Operator' })
    const weak = { ...good, password: 'password1234', password_confirmation: 'password1234' }
    const refused = await change(user.token, { ...weak, current_password: 'a guess' })
    expect(errorsOf(refused)).toEqual(['current_password'])
    expect(errorsOf(await change(user.token, weak))).toEqual(['password'])
  })

  it('names every field at once', async () => {
    const user = await server.buildUser({ role: 'Operator' })
    expect(errorsOf(await change(user.token, {}))).toEqual(['current_password', 'password'])
    expect(
      errorsOf(
        await change(user.token, {
          ...good,
          password: user.email,
          password_confirmation: user.email,
        }),
      ),
    ).toEqual(['password'])
  })
})
