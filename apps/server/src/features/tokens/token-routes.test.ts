import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildServer, type TestServer } from '../../../test/servers/build-server.ts'
import { hashPersonalToken, isPersonalToken, makePersonalToken } from './personal-token.ts'

let server: TestServer
let admin: Awaited<ReturnType<TestServer['buildUser']>>
beforeAll(async () => {
  server = await buildServer()
  admin = await server.buildUser({ role: 'Admin' })
})
afterAll(() => server.close())
beforeEach(() => server.db.deleteFrom('personal_token').execute())

interface Made {
  id: number
  token: string
  name: string
  user: { id: number; name: string }
  expires_at: string
  state: string
}

const make = async (body: unknown, as = admin.token) => {
  const answer = await server.send('POST', '/admin/token/store', {
    token: as,
    body,
    headers: { 'x-csrf-token': as },
  })
  expect(answer.status, answer.text).toBe(201)
  return (answer.body as { access_token: Made }).access_token
}
const list = async (as = admin.token) => {
  const [page] = (await server.send('GET', '/api/token', { token: as })).body as [{ data: Made[] }]
  return page.data
}

describe('a token', () => {
  it('has a prefix and a checksum that distinguish it from anything else', () => {
    const token = makePersonalToken()
    expect(token).toMatch(/^ghp_[\w-]{49}$/)
    expect(isPersonalToken(token)).toBe(true)
    expect(
      isPersonalToken(`${token.slice(0, 10)}${token[10] === 'x' ? 'y' : 'x'}${token.slice(11)}`),
    ).toBe(false)
    expect(isPersonalToken(token.replace('ghp_', 'ghs_'))).toBe(false)
    expect(new Set(Array.from({ length: 100 }, makePersonalToken)).size).toBe(100)
  })

  it('is made for the gateway client, for oneself by default, and shown once', async () => {
    const forClient = await make({ user: 4, name: 'ERP', expires_in_days: 30 })
    expect(forClient).toMatchObject({
      name: 'ERP',
      user: { id: 4, name: 'Gateway client' },
      state: 'active',
      expires_at: '2026-07-01T08:00:00.000Z',
    })
    expect(await make({})).toMatchObject({
      user: { id: admin.id },
      expires_at: '2027-06-01T08:00:00.000Z',
    })
    expect(await make({ user: '4' })).toMatchObject({ user: { id: 4 } })
    const rows = await server.db.selectFrom('personal_token').selectAll().execute()
    expect(JSON.stringify([rows, await list()])).not.toContain(forClient.token)
    expect(rows[0]?.token_hash).toBe(hashPersonalToken(forClient.token))
    expect(server.logLines.join('')).not.toContain(forClient.token)
  })

  it('opens nothing on the admin API', async () => {
    const { token } = await make({ user: admin.id })
    expect((await server.send('GET', '/api/auth', { token })).status).toBe(401)
  })

  it('is listed to its owner and its maker, and to those who may make any', async () => {
    const other = await server.buildUser({ role: 'Admin' })
    await make({}, other.token)
    await make({ user: 4 }, other.token)
    await make({}, server.admin.token)
    expect((await list(other.token)).map(({ user }) => user.id).toSorted()).toEqual(
      [4, other.id].toSorted(),
    )
    expect((await list()).map(({ user }) => user.id)).toEqual([4])
    expect(await list(server.admin.token)).toHaveLength(3)
  })

  it('is revoked once and stays listed as revoked; an expired one as expired', async () => {
    const { id } = await make({})
    expect((await server.send('DELETE', `/api/token/${id}`, { token: admin.token })).status).toBe(
      204,
    )
    expect((await server.send('DELETE', `/api/token/${id}`, { token: admin.token })).status).toBe(
      204,
    )
    expect(await list()).toMatchObject([{ id, state: 'revoked' }])
    const short = await make({ expires_in_days: 1 })
    server.time.now = new Date(server.time.now.getTime() + 2 * 86_400_000)
    const token = await server.signIn(admin.email)
    expect((await list(token)).find((each) => each.id === short.id)?.state).toBe('expired')
    server.time.now = new Date(server.time.now.getTime() - 2 * 86_400_000)
  })

  it.each([
    ['user', { user: 'x' }],
    ['user', { user: 999_999 }],
    ['name', { name: 'x'.repeat(101) }],
    ['expires_in_days', { expires_in_days: 0 }],
    ['expires_in_days', { expires_in_days: 3651 }],
    ['expires_in_days', { expires_in_days: '1.5' }],
  ])('is refused on %s for %j', async (field, body) => {
    const answer = await server.send('POST', '/admin/token/store', {
      token: server.admin.token,
      body,
    })
    expect(answer.status, answer.text).toBe(422)
    expect(Object.keys((answer.body as { errors: object }).errors)).toEqual([field])
  })
})

it('the form offers oneself and the gateway client, or everybody to those who may', async () => {
  const users = async (token: string) =>
    (
      (await server.send('GET', '/api/token/create', { token })).body as { users: { id: number }[] }
    ).users.map(({ id }) => id)
  expect((await users(admin.token)).toSorted()).toEqual([4, admin.id].toSorted())
  expect((await users(server.admin.token)).length).toBeGreaterThan(2)
})
