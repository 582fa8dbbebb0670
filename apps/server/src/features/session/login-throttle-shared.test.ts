import { afterEach, beforeEach, expect, it } from 'vitest'
import { buildServer, testPassword, type TestServer } from '../../../test/servers/build-server.ts'

// Two servers on one database.

const buildBeside = ({ db, secrets }: TestServer) =>
  buildServer({}, undefined, { db, drop: async () => {} }, { secrets, instanceId: 'second' })

let one: TestServer
let other: TestServer
beforeEach(async () => {
  one = await buildServer()
  other = await buildBeside(one)
})
afterEach(async () => {
  await other.close()
  await one.close()
})

const guess = (server: TestServer, email: string, remoteAddress = '192.0.2.1', password = 'x') =>
  server.send('POST', '/api/login', { body: { email, password }, remoteAddress })
const refused = (answers: { status: number }[]) =>
  answers.filter(({ status }) => status === 429).length

it('counts what is guessed at one server at the other, before any of it is checked', async () => {
  const answers = await Promise.all(
    Array.from({ length: 24 }, (_, at) => guess(at % 2 ? one : other, 'admin@example.com')),
  )
  expect(refused(answers)).toBe(14)
  // From elsewhere too, and for an account that does not exist.
  expect((await guess(one, 'admin@example.com', '198.51.100.7')).status).toBe(429)
  for (let at = 0; at < 10; at++)
    await guess(at % 2 ? one : other, 'nobody@example.com', '192.0.2.2')
  expect((await guess(other, 'nobody@example.com', '192.0.2.3')).status).toBe(429)
})

it('forgets the failures of an account at all of them when its user signs in at one', async () => {
  for (let at = 0; at < 9; at++) await guess(one, 'admin@example.com')
  expect((await guess(other, 'admin@example.com', '192.0.2.1', testPassword)).status).toBe(200)
  const answers = []
  for (let at = 0; at < 10; at++) answers.push(await guess(one, 'admin@example.com'))
  expect(refused(answers)).toBe(0)
  expect((await guess(other, 'admin@example.com')).status).toBe(429)
})

it('outlives a restart, stores no account and no address, and forgets both within an hour', async () => {
  for (let at = 0; at < 10; at++) await guess(one, 'my-password-by-mistake', '192.0.2.77')
  const restarted = await buildBeside(one)
  try {
    expect((await guess(restarted, 'my-password-by-mistake', '192.0.2.77')).status).toBe(429)
  } finally {
    await restarted.close()
  }
  const rows = await one.db.selectFrom('login_failure').selectAll().execute()
  expect(rows.filter(({ failures }) => failures === 10)).toHaveLength(3)
  expect(JSON.stringify(rows)).not.toMatch(/my-password|192\.0\.2/)

  one.time.now = new Date(one.time.now.getTime() + 3_600_001)
  await guess(one, 'someone@example.com', '192.0.2.78')
  expect(await one.db.selectFrom('login_failure').selectAll().execute()).toHaveLength(3)
})
