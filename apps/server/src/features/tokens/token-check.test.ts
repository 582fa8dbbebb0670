import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildServer, type TestServer } from '../../../test/servers/build-server.ts'
import { makePersonalToken } from './personal-token.ts'

let server: TestServer
beforeAll(async () => {
  server = await buildServer()
})
afterAll(() => server.close())

const minuteMs = 60_000
const pass = (ms: number) => (server.time.now = new Date(server.time.now.getTime() + ms))

/** A token for a user, made by the Super Admin, whose session may have ended in the meantime. */
async function make(user: number, expires_in_days = '365') {
  const token = await server.signIn(server.admin.email)
  const body = { user, expires_in_days }
  const answer = await server.send('POST', '/admin/token/store', { token, body })
  expect(answer.status, answer.text).toBe(201)
  return (answer.body as { access_token: { id: number; token: string } }).access_token
}

/** 404 for a caller who was let in: there is no such run. */
const call = async (token: string) =>
  (await server.send('GET', '/api/workflows/none/runs/1', { token })).status

it('is held by users who can sign in, who can’t, and by the gateway client', async () => {
  const person = await server.buildUser()
  const service = await server.buildUser()
  await server.db
    .updateTable('user')
    .set({ password_hash: null })
    .where('id', '=', service.id)
    .execute()
  for (const user of [person.id, service.id, 4])
    expect(await call((await make(user)).token)).toBe(404)
})

it('a session opens the same route', async () => {
  expect(await call((await server.buildUser()).token)).toBe(404)
})

it('is refused once it is revoked, has expired or has lost its user', async () => {
  const person = await server.buildUser()
  const revoked = await make(person.id)
  const expired = await make(person.id, '1')
  const orphan = await make((await server.buildUser()).id)
  const token = await server.signIn(server.admin.email)
  await server.send('DELETE', `/api/token/${revoked.id}`, { token })
  expect(await call(revoked.token)).toBe(401)
  expect(await call(expired.token)).toBe(404)
  pass(24 * 60 * minuteMs)
  expect(await call(expired.token)).toBe(401)
  const { user_id } = (await server.stores.tokens.find(orphan.id))!
  await server.stores.users.remove(user_id)
  expect(await call(orphan.token)).toBe(401)
})

it('costs a look-up only if it has the format of a token', async () => {
  const statementsFor = async (token: string) => {
    const { statements, answer } = await server.statements.during(() => call(token))
    expect(answer).toBe(401)
    return statements
  }
  const unknown = makePersonalToken()
  const mistyped = `${unknown.slice(0, -1)}${unknown.endsWith('x') ? 'y' : 'x'}`
  // One more than for text that is no token at all: the look-up in the table of tokens.
  expect(await statementsFor(unknown)).toBe((await statementsFor(mistyped)) + 1)
})

it('its last use is written once a minute', async () => {
  const { id, token } = await make((await server.buildUser()).id)
  const lastUsed = async () => (await server.stores.tokens.find(id))?.last_used_at
  await call(token)
  const first = server.time.now.toISOString()
  expect(await lastUsed()).toBe(first)
  pass(minuteMs)
  await call(token)
  expect(await lastUsed()).toBe(first)
  pass(1)
  await Promise.all([call(token), call(token)])
  expect(await lastUsed()).toBe(server.time.now.toISOString())
})

it('is refused in a query, a cookie and any other scheme', async () => {
  const { token } = await make((await server.buildUser()).id)
  const url = '/api/workflows/none/runs/1'
  const status = async (headers: Record<string, string>, query = '') =>
    (await server.send('GET', `${url}${query}`, { headers })).status
  expect(await status({}, `?token=${token}`)).toBe(401)
  expect(await status({ cookie: `token=${token}` })).toBe(401)
  expect(await status({ authorization: token })).toBe(401)
  expect(await status({ authorization: `Basic ${token}` })).toBe(401)
})
