import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { buildServer, testPassword, type TestServer } from '../../../test/build-server.ts'

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

  it('delays an account after ten failures, without locking it out', async () => {
    for (let attempt = 0; attempt < 10; attempt++) {
      expect((await login({ email: 'admin@example.com', password: 'wrong' })).status).toBe(401)
    }
    const refused = await login({ email: 'admin@example.com', password: testPassword })
    expect(refused.status).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60)
    pass(Number(refused.headers['retry-after']) * 1000)
    expect((await login({ email: 'admin@example.com', password: testPassword })).status).toBe(200)
  })

  it('treats unknown accounts no differently', async () => {
    for (let attempt = 0; attempt < 10; attempt++)
      await login({ email: 'nobody@example.com', password: 'wrong' })
    expect((await login({ email: 'nobody@example.com', password: 'wrong' })).status).toBe(429)
  })

  it('lets users in who have signed in from an address before, whatever is guessed there', async () => {
    const colleague = await server.buildUser({ email: 'colleague@example.com' })
    expect((await login({ email: colleague.email, password: testPassword })).status).toBe(200)
    for (let attempt = 0; attempt < 101; attempt++) {
      await login({ email: `guess-${attempt}@example.com`, password: 'wrong' })
    }
    expect((await login({ email: 'newcomer@example.com', password: 'wrong' })).status).toBe(429)
    expect((await login({ email: colleague.email, password: testPassword })).status).toBe(200)
    expect(
      (await login({ email: 'admin@example.com', password: testPassword }, '192.0.2.2')).status,
    ).toBe(200)
  })

  it('counts an IPv6 address by its network of 64 bits', async () => {
    for (let attempt = 0; attempt < 100; attempt++)
      await login({ email: `guess-${attempt}@example.com`, password: 'x' }, `2001:db8::${attempt}`)
    const body = { email: 'guess-200@example.com', password: 'x' }
    expect((await login(body, '2001:db8::ffff:ffff')).status).toBe(429)
    expect((await login(body, '2001:db8:0:1::1')).status).toBe(401)
  }, 60_000)

  it('answers the same for known and unknown accounts once an address is used up', async () => {
    expect((await login({ email: 'admin@example.com', password: testPassword })).status).toBe(200)
    for (let attempt = 0; attempt < 100; attempt++)
      await login({ email: `guess-${attempt}@example.com`, password: 'x' })
    const answers = []
    // Eleven: the last one is delayed by the failures of the account itself.
    for (let attempt = 0; attempt < 11; attempt++) {
      const known = await login({ email: 'admin@example.com', password: 'wrong' })
      const unknown = await login({ email: 'nobody@example.com', password: 'wrong' })
      answers.push([known, unknown])
    }
    for (const [known, unknown] of answers) {
      expect(known?.status).toBe(429)
      const shown = ({ status, headers, body }: typeof known & {}) => ({
        status,
        wait: headers['retry-after'],
        message: (body as { message: string }).message,
      })
      expect(shown(known!)).toEqual(shown(unknown!))
    }
  }, 60_000)

  it('waits by a clock that can’t be set', async () => {
    server.time.monotonicMs = 1_000_000
    for (let attempt = 0; attempt < 10; attempt++)
      await login({ email: 'admin@example.com', password: 'wrong' })
    const early = await login({ email: 'admin@example.com', password: testPassword })
    pass(-24 * hourMs)
    const setBack = await login({ email: 'admin@example.com', password: testPassword })
    pass(48 * hourMs)
    const setAhead = await login({ email: 'admin@example.com', password: testPassword })
    for (const answer of [early, setBack, setAhead])
      expect([answer.status, answer.headers['retry-after']]).toEqual([429, '1'])
    server.time.monotonicMs += 1000
    expect((await login({ email: 'admin@example.com', password: testPassword })).status).toBe(200)
  })

  it('does not count successes against an address', async () => {
    for (let attempt = 0; attempt < 105; attempt++) {
      expect((await login({ email: 'admin@example.com', password: testPassword })).status).toBe(200)
    }
    expect((await login({ email: 'nobody@example.com', password: 'wrong' })).status).toBe(401)
  }, 60_000)

  it('counts parallel guesses before any of them is checked', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => login({ email: 'admin@example.com', password: 'wrong' })),
    )
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(10)
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
