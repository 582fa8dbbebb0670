import { afterEach, beforeEach, expect, it } from 'vitest'
import { buildServer, testPassword, type TestServer } from '../../../test/build-server.ts'

let server: TestServer
beforeEach(async () => {
  server = await buildServer()
})
afterEach(() => server.close())

const atOnce = 8

/** Sign-ins that have read the account and are checking the password. */
async function beginSignIns(email: string) {
  const { promise: areLetIn, resolve } = Promise.withResolvers<void>()
  let letIn = 0
  server.hooks.beforeHandler = async () => {
    if (++letIn === atOnce) resolve()
  }
  const body = { email, password: testPassword }
  const answers = Promise.all(
    Array.from({ length: atOnce }, () => server.send('POST', '/api/login', { body })),
  )
  await areLetIn
  server.hooks.beforeHandler = undefined
  // Each handler reads the account and its addresses first; statements of one connection keep their order.
  for (let turn = 0; turn < 5; turn++) await server.db.selectFrom('user').select('id').execute()
  return { answers }
}

const losses: Record<string, (id: number) => Promise<unknown>> = {
  'whose password is changed': (id) =>
    server.db
      .updateTable('user')
      .set({ password_hash: 'of another password' })
      .where('id', '=', id)
      .execute(),
  'who is deleted': (id) => server.stores.users.remove(id),
}

it.each(Object.keys(losses))('sign-ins under way of a user %s get no session', async (loss) => {
  const victim = await server.buildUser()
  const { answers } = await beginSignIns(victim.email)
  await losses[loss]?.(victim.id)
  const sessions = async () =>
    (await server.stores.sessions.listOpen(victim.id)).map(({ id }) => id)
  const before = await sessions()
  expect((await answers).map(({ status, text }) => [status, text.includes('ghs_')])).toEqual(
    Array.from({ length: atOnce }, () => [401, false]),
  )
  expect(await sessions()).toEqual(before)
})
