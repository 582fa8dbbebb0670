import { afterEach, beforeEach, expect, it } from 'vitest'
import { buildServer, testPassword, type TestServer } from '../../../test/servers/build-server.ts'
import { codeOf, stepAt } from './totp.ts'

// Two servers on one database.

let one: TestServer
let other: TestServer
beforeEach(async () => {
  one = await buildServer()
  const { db, secrets } = one
  const shared = { db, drop: async () => {} }
  other = await buildServer({}, undefined, shared, { secrets, instanceId: 'second' })
})
afterEach(async () => {
  await other.close()
  await one.close()
})

async function turnOn() {
  const { email, token } = await one.buildUser()
  const send = (path: string, body: object) =>
    one.send('POST', `/api/second-factor${path}`, { token, body })
  const begun = await send('', { current_password: testPassword })
  const { secret } = begun.body as { secret: string }
  const confirmed = await send('/confirm', { code: codeOf(secret, stepAt(one.time.now)) })
  const next = new Date(one.time.now.getTime() + 30_000)
  for (const { time } of [one, other]) time.now = next
  const { recovery_codes } = confirmed.body as { recovery_codes: string[] }
  return { email, code: codeOf(secret, stepAt(next)), recoveryCode: recovery_codes[0]! }
}

const signIn = (server: TestServer, email: string, code: string) =>
  server.send('POST', '/api/login', { body: { email, password: testPassword, code } })
const statuses = (answers: { status: number }[]) => answers.map(({ status }) => status).toSorted()

it('takes a code at one of several servers, one after the other and at once', async () => {
  const { email, code, recoveryCode } = await turnOn()
  expect((await signIn(one, email, code)).status).toBe(200)
  expect(await signIn(other, email, code)).toMatchObject({ body: { code: 'session.wrong_code' } })
  const answers = [one, other, one, other].map((server) => signIn(server, email, recoveryCode))
  expect(statuses(await Promise.all(answers))).toEqual([200, 401, 401, 401])
})

it('takes a code of the app once where two servers are shown it at once', async () => {
  const { email, code } = await turnOn()
  const answers = [one, other, one, other].map((server) => signIn(server, email, code))
  expect(statuses(await Promise.all(answers))).toEqual([200, 401, 401, 401])
})

it('counts wrong codes at all of them, also those that are shown at once', async () => {
  const { email, code, recoveryCode } = await turnOn()
  const guesses = Array.from({ length: 8 }, (_, at) =>
    signIn(at % 2 ? one : other, email, '000000'),
  )
  const answers = await Promise.all(guesses)
  const wrong = answers.filter(
    ({ body }) => (body as { code: string }).code === 'session.wrong_code',
  )
  expect(wrong).toHaveLength(5)
  const later = new Date(one.time.now.getTime() + 59_000)
  for (const { time } of [one, other]) time.now = later
  const paused = { status: 429, body: { code: 'session.codes_paused' } }
  expect(await signIn(one, email, code)).toMatchObject(paused)
  expect((await signIn(other, email, recoveryCode)).status).toBe(200)
})
