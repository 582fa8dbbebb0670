import type { Kysely } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { up } from '../../../migrations/0151-unknown-passwords.ts'
import { buildServer, testPassword, type TestServer } from '../../../test/build-server.ts'
import { isKnownPassword } from '../../kernel/password-hash.ts'

// Users as earlier versions made them at a sign-on, and what the migration makes of them.

let server: TestServer
beforeAll(async () => {
  server = await buildServer()
})
afterAll(() => server.close())

const madeAt = '2026-11-01T08:00:00.000Z'
async function buildOld({ isManaged = true, updatedAt = madeAt } = {}) {
  const person = await server.buildUser()
  const { db } = server
  await db
    .updateTable('user')
    .set({ created_at: madeAt, updated_at: updatedAt })
    .where('id', '=', person.id)
    .execute()
  await db
    .insertInto('user_identity')
    .values({
      issuer: 'https://login.example.com',
      subject: String(person.id),
      user_id: person.id,
      is_managed: isManaged ? 1 : 0,
      created_at: madeAt,
    })
    .execute()
  return person
}
const hashOf = async (id: number) => (await server.stores.users.find(id))?.password_hash
const update = () => up(server.db as unknown as Kysely<unknown>)
const isLetIn = async (email: string) => {
  const body = { email, password: testPassword }
  return (await server.send('POST', '/api/login', { body })).status === 200
}

it('a user who was made at a sign-on has no password, and says so', async () => {
  const { id, email, token } = await buildOld()
  const old = await hashOf(id)
  await update()
  expect(isKnownPassword(await hashOf(id))).toBe(false)
  expect((await hashOf(id))?.length).toBe(old?.length)
  expect((await server.send('GET', '/api/auth', { token })).body).toMatchObject({
    has_password: false,
  })
  expect(await isLetIn(email)).toBe(false)
  const before = await hashOf(id)
  await update()
  expect(await hashOf(id)).toBe(before)
})

it.each([
  ['was changed since, perhaps by a password', { updatedAt: '2026-11-02T08:00:00.000Z' }],
  ['was here before the first sign-on', { isManaged: false }],
])('one who %s keeps theirs', async (_, old) => {
  const { id, email } = await buildOld(old)
  await update()
  expect(isKnownPassword(await hashOf(id))).toBe(true)
  expect(await isLetIn(email)).toBe(true)
})
