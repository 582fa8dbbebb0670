import { afterEach, beforeEach, expect, it } from 'vitest'
import { buildServer, testPassword, type TestServer } from '../../../test/servers/build-server.ts'

let server: TestServer
let person: Awaited<ReturnType<TestServer['buildUser']>>
beforeEach(async () => {
  server = await buildServer()
  person = await server.buildUser({ permissions: [] })
})
afterEach(() => server.close())

const choose = (language: unknown, token: string | undefined = person.token) =>
  server.send('PUT', '/api/language', { token, body: { language } })

const languageOf = async (token: string) => {
  const { body } = await server.send('GET', '/api/auth', { token })
  return (body as { language: string | null }).language
}

it('is the browser’s until a user has chosen one', async () => {
  expect(await languageOf(person.token)).toBeNull()
})

it('is kept for the user, on every device, and can be changed', async () => {
  expect((await choose('ar')).status).toBe(204)
  const other = await server.buildUser({ permissions: [] })
  const body = { email: person.email, password: testPassword }
  const signIn = await server.send('POST', '/api/login', { body })
  expect(signIn.body).toMatchObject({ language: 'ar' })
  expect(await languageOf((signIn.body as { token: string }).token)).toBe('ar')
  expect(await languageOf(other.token)).toBeNull()
  await choose('en')
  expect(await languageOf(person.token)).toBe('en')
})

it('is one of those that there are', async () => {
  const refused = await choose('tlh')
  expect(refused.status).toBe(422)
  expect(refused.body).toMatchObject({ errors: { language: [expect.any(String)] } })
  expect((await choose('ar', 'ghs_unknown')).status).toBe(401)
})
