// Databases: SQLite.

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { buildServer, testPassword, type TestServer } from '../../../test/servers/build-server.ts'

let server: TestServer
let person: Awaited<ReturnType<TestServer['buildUser']>>
beforeEach(async () => {
  server = await buildServer()
  person = await server.buildUser({ permissions: ['user.edit', 'user.view'] })
})
afterEach(() => server.close())

async function signIn(email: string, userAgent: string, remoteAddress = '192.0.2.7') {
  const { body } = await server.send('POST', '/api/login', {
    body: { email, password: testPassword },
    headers: { 'user-agent': userAgent },
    remoteAddress,
  })
  return (body as { token: string }).token
}

const sessionsOf = async (token: string) => {
  const { body } = await server.send('GET', '/api/sessions', { token })
  return (body as { sessions: { id: number; is_current: boolean; user_agent: string }[] }).sessions
}
const statusOf = async (token: string) => (await server.send('GET', '/api/auth', { token })).status

describe('one’s own sessions', () => {
  it('are listed with device, address and times, the current one marked', async () => {
    const phone = await signIn(person.email, 'Phone/1.0')
    const listed = await sessionsOf(phone)
    expect(listed).toHaveLength(2)
    expect(listed).toContainEqual({
      id: expect.any(Number),
      address: '192.0.2.7',
      user_agent: 'Phone/1.0',
      created_at: '2026-06-01T08:00:00.000Z',
      last_used_at: '2026-06-01T08:00:00.000Z',
      is_current: true,
    })
    expect(listed.filter((session) => session.is_current)).toHaveLength(1)
    expect(JSON.stringify(listed)).not.toContain('hash')
  })

  it('hold neither ended nor expired ones, nor anybody else’s', async () => {
    const ended = await signIn(person.email, 'Ended')
    await server.send('POST', '/api/logout', { token: ended })
    server.time.now = new Date(server.time.now.getTime() + 13 * 3_600_000)
    const fresh = await signIn(person.email, 'Fresh')
    expect((await sessionsOf(fresh)).map(({ user_agent }) => user_agent)).toEqual(['Fresh'])
  })

  it('one is ended, and refused on its next call', async () => {
    const phone = await signIn(person.email, 'Phone')
    const own = (await sessionsOf(person.token)).find(({ user_agent }) => user_agent === 'Phone')!
    const answer = await server.send('DELETE', `/api/sessions/${own.id}`, { token: person.token })
    expect(answer.status).toBe(204)
    expect(await statusOf(phone)).toBe(401)
    expect(await statusOf(person.token)).toBe(200)
    const again = await server.send('DELETE', `/api/sessions/${own.id}`, { token: person.token })
    expect(again.status).toBe(404)
  })

  it('of another user are reported as if they did not exist', async () => {
    const [theirs] = await sessionsOf(server.admin.token)
    const answer = await server.send('DELETE', `/api/sessions/${theirs!.id}`, {
      token: person.token,
    })
    expect(answer.status).toBe(404)
    expect(answer.body).toMatchObject({ code: 'session.not_found' })
    expect(await statusOf(server.admin.token)).toBe(200)
  })

  it('all others are ended at once', async () => {
    const others = [await signIn(person.email, 'A'), await signIn(person.email, 'B')]
    const answer = await server.send('DELETE', '/api/sessions', { token: person.token })
    expect(answer.status).toBe(204)
    for (const token of others) expect(await statusOf(token)).toBe(401)
    expect(await statusOf(person.token)).toBe(200)
    expect(await statusOf(server.admin.token)).toBe(200)
  })
})

describe('one’s own password and e-mail address on the form of users', () => {
  async function save(changes: Record<string, unknown>, token = person.token, id = person.id) {
    const user = (await server.stores.users.findWithRoles(id))!
    return server.send('PUT', `/api/user/${id}`, {
      token,
      body: {
        name: user.name,
        email: user.email,
        roles: user.roles.map((role) => role.id),
        ...changes,
      },
    })
  }
  const newPassword = {
    password: 'purple elephants swim',
    password_confirmation: 'purple elephants swim',
  }

  it.each([
    ['a password', newPassword],
    ['an e-mail address', { email: 'mine@example.org' }],
  ])('%s needs the current password', async (_, change) => {
    for (const current of [{}, { current_password: 'a wrong guess' }]) {
      const refused = await save({ ...change, ...current })
      expect(refused.status).toBe(422)
      expect(Object.keys((refused.body as { errors: object }).errors)).toEqual(['current_password'])
    }
    expect((await save({ ...change, current_password: testPassword })).status).toBe(200)
  })

  it('a name does not, nor does anybody else’s password', async () => {
    expect((await save({ name: 'Another' })).status).toBe(200)
    const other = await server.buildUser()
    expect((await save(newPassword, server.admin.token, other.id)).status).toBe(200)
  })

  it('guesses of the current password are slowed down', async () => {
    const statuses = []
    for (let guess = 0; guess < 11; guess++)
      statuses.push((await save({ ...newPassword, current_password: `guess ${guess}` })).status)
    expect(statuses).toEqual([...Array(10).fill(422), 429])
  })
})
