import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { buildServer, testPassword, type TestServer } from '../../../test/servers/build-server.ts'

let server: TestServer
beforeEach(async () => {
  server = await buildServer()
})
afterEach(() => server.close())

const login = (body: unknown, remoteAddress = '192.0.2.1') =>
  server.send('POST', '/api/login', { body, remoteAddress })

const hourMs = 3_600_000
const pass = (ms: number) => {
  server.time.now = new Date(server.time.now.getTime() + ms)
}

describe('signing in', () => {
  it('answers with a token and the user, whatever the case of the address', async () => {
    const answer = await login({ email: 'ADMIN@Example.com', password: testPassword })
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({
      token: expect.stringMatching(/^ghs_[\w-]{43}$/),
      user: { email: 'admin@example.com', role: 'Super Admin', roles: [{ name: 'Super Admin' }] },
    })
    expect(JSON.stringify(answer.body)).not.toContain('argon2')
  })

  it('stores the token as a hash only', async () => {
    const { body } = await login({ email: 'admin@example.com', password: testPassword })
    const { token } = body as { token: string }
    const rows = await server.db.selectFrom('session').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(token)
    expect(JSON.stringify(rows)).not.toContain(token.slice(4))
  })

  it('refuses a wrong password and an unknown account with the same words', async () => {
    const wrong = await login({ email: 'admin@example.com', password: 'not the password' })
    const unknown = await login({ email: 'nobody@example.com', password: 'not the password' })
    expect(wrong.status).toBe(401)
    expect(wrong.body).toMatchObject({ message: 'Invalid email or password' })
    expect({ ...(unknown.body as object), request_id: '' }).toEqual({
      ...(wrong.body as object),
      request_id: '',
    })
  })

  it('refuses an account without a password', async () => {
    const answer = await login({ email: 'gateway-client@localhost', password: '' })
    expect(answer.status).toBe(422)
    expect(
      (await login({ email: 'gateway-client@localhost', password: 'anything at all' })).status,
    ).toBe(401)
  })

  it('names every missing field', async () => {
    for (const body of [{}, undefined, { email: '  ', password: null }]) {
      const answer = await login(body)
      expect(answer.status).toBe(422)
      expect(answer.body).toMatchObject({
        errors: {
          email: ['The email field is required.'],
          password: ['The password field is required.'],
        },
      })
    }
  })
})

describe('a session', () => {
  const auth = (token: string | undefined) => server.send('GET', '/api/auth', { token })

  it('learns whose it is', async () => {
    const answer = await auth(server.admin.token)
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({
      user: { id: server.admin.id, permissions: expect.arrayContaining(['api.view']) },
    })
  })

  it('is refused without a token, with a made-up one and with another scheme', async () => {
    const { token } = server.admin
    const refused = [
      await auth(undefined),
      await auth('ghs_made-up'),
      await server.send('GET', '/api/auth', { headers: { authorization: `Basic ${token}` } }),
      await server.send('GET', '/api/auth', { headers: { cookie: `authToken=${token}` } }),
      await server.send('GET', `/api/auth?token=${token}`),
    ]
    for (const answer of refused) {
      expect(answer.status).toBe(401)
      expect(answer.body).toMatchObject({ message: 'Unauthenticated.' })
      expect(answer.headers['www-authenticate']).toBe('Bearer')
    }
  })

  it('ends on the server with the logout, and no other session does', async () => {
    const other = await server.signIn(server.admin.email)
    expect((await server.send('POST', '/api/logout', { token: server.admin.token })).status).toBe(
      204,
    )
    expect((await auth(server.admin.token)).status).toBe(401)
    expect((await auth(other)).status).toBe(200)
  })

  it('ends after 12 hours without use, and after 7 days at the latest', async () => {
    pass(11 * hourMs)
    expect((await auth(server.admin.token)).status).toBe(200)
    pass(11 * hourMs)
    expect((await auth(server.admin.token)).status).toBe(200)
    pass(13 * hourMs)
    expect((await auth(server.admin.token)).status).toBe(401)

    const used = await server.signIn(server.admin.email)
    for (let hours = 0; hours < 168; hours += 8) {
      expect((await auth(used)).status).toBe(200)
      pass(8 * hourMs)
    }
    pass(1)
    expect((await auth(used)).status).toBe(401)
  })

  it('loses a permission at once when its role does', async () => {
    const user = await server.buildUser({ permissions: ['api.view'] })
    expect((await server.send('GET', '/api/apis', { token: user.token })).status).toBe(200)
    await server.db
      .deleteFrom('role_permission')
      .where('role_id', 'in', (select) =>
        select.selectFrom('role').select('id').where('name', '=', user.roleName),
      )
      .execute()
    expect((await server.send('GET', '/api/apis', { token: user.token })).status).toBe(403)
  })
})
