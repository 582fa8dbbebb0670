import { afterEach, beforeEach, expect, it } from 'vitest'
import { buildServer, testPassword, type TestServer } from '../../../test/servers/build-server.ts'
import type { Db } from '../../db/connect.ts'
import { isPostgres } from '../../db/dialect.ts'
import { hashPassword } from '../../kernel/passwords/password-hash.ts'

let server: TestServer
let anotherHash: string
beforeEach(async () => {
  anotherHash = await hashPassword('another password')
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

const losses: Record<string, (db: Db, id: number) => Promise<unknown>> = {
  'whose password is changed': (db, id) =>
    db.updateTable('user').set({ password_hash: anotherHash }).where('id', '=', id).execute(),
  'who is deleted': (db, id) => db.deleteFrom('user').where('id', '=', id).execute(),
}

/**
 * The account is lost while the sign-ins are under way. On PostgreSQL it is locked before they begin, so
 * that none of them is done before it is lost. SQLite's one connection keeps the order of statements.
 */
async function loseDuring(loss: string, { id, email }: { id: number; email: string }) {
  const lose = async (db: Db) => {
    const begun = await beginSignIns(email)
    await losses[loss]?.(db, id)
    return begun
  }
  if (!isPostgres(server.db)) return lose(server.db)
  return server.db.transaction().execute(async (locking) => {
    await locking.selectFrom('user').select('id').where('id', '=', id).forUpdate().execute()
    return lose(locking)
  })
}

it.each(Object.keys(losses))('sign-ins under way of a user %s get no session', async (loss) => {
  // At the cost of the product: a sign-in is under way for as long as its password is checked.
  const victim = await server.buildUser({ passwordHash: await hashPassword(testPassword) })
  const { answers } = await loseDuring(loss, victim)
  const sessions = async () =>
    (await server.stores.sessions.listOpen(victim.id)).map(({ id }) => id)
  const before = await sessions()
  expect((await answers).map(({ status, text }) => [status, text.includes('ghs_')])).toEqual(
    Array.from({ length: atOnce }, () => [401, false]),
  )
  expect(await sessions()).toEqual(before)
})
