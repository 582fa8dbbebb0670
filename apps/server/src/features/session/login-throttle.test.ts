// Databases: SQLite.

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { buildServer, testPassword, type TestServer } from '../../../test/servers/build-server.ts'

// Each attempt costs a hash: this suite runs on SQLite alone; login-throttle-shared.test.ts on both.

let server: TestServer
beforeEach(async () => {
  server = await buildServer()
})
afterEach(() => server.close())

const login = (body: unknown, remoteAddress = '192.0.2.1') =>
  server.send('POST', '/api/login', { body, remoteAddress })

/** One guess, counted as so many: each costs a hash, and a hundred of them a busy machine half a minute. */
async function guessOften(times: number, remoteAddress?: string) {
  await login({ email: 'guess@example.com', password: 'wrong' }, remoteAddress)
  await server.db.updateTable('login_failure').set({ failures: times }).execute()
}

const hourMs = 3_600_000
const pass = (ms: number) => {
  server.time.now = new Date(server.time.now.getTime() + ms)
}

describe('guessing', () => {
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
    await guessOften(100)
    expect((await login({ email: 'newcomer@example.com', password: 'wrong' })).status).toBe(429)
    expect((await login({ email: colleague.email, password: testPassword })).status).toBe(200)
    expect(
      (await login({ email: 'admin@example.com', password: testPassword }, '192.0.2.2')).status,
    ).toBe(200)
  })

  it('counts an IPv6 address by its network of 64 bits', async () => {
    await guessOften(99, '2001:db8::1')
    const body = { email: 'guess-200@example.com', password: 'x' }
    expect((await login(body, '2001:db8::2')).status).toBe(401)
    expect((await login(body, '2001:db8::ffff:ffff')).status).toBe(429)
    expect((await login(body, '2001:db8:0:1::1')).status).toBe(401)
  })

  it('answers the same for known and unknown accounts once an address is used up', async () => {
    expect((await login({ email: 'admin@example.com', password: testPassword })).status).toBe(200)
    await guessOften(100)
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
  })

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
    await guessOften(98)
    for (let attempt = 0; attempt < 5; attempt++) {
      expect((await login({ email: 'admin@example.com', password: testPassword })).status).toBe(200)
    }
    expect((await login({ email: 'nobody@example.com', password: 'wrong' })).status).toBe(401)
  })

  it('counts parallel guesses before any of them is checked', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => login({ email: 'admin@example.com', password: 'wrong' })),
    )
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(10)
  })
})
