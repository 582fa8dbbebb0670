import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildServer, httpApi, type TestServer } from '../../../test/servers/build-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await buildServer()
})
afterAll(() => server.close())

const send = (method: 'POST' | 'PUT', path: string, body: unknown) =>
  server.send(method, path, { token: server.admin.token, body })

const twin = 'This looks like one that is already in use.'
const filler = '\u3164'

it('a role can’t be named so that nobody can tell it from another', async () => {
  const role = (name: string) => ({ name, permissions: ['dashboard.view'] })
  const made = await send('POST', '/api/role', role('Tax Clerk'))
  expect(made.status).toBe(201)
  for (const name of ['Tax\u00a0Clerk', `Tax${filler} Clerk`, 'Тах Clerk']) {
    const answer = await send('POST', '/api/role', role(name))
    expect([answer.status, answer.body], name).toMatchObject([422, { errors: { name: [twin] } }])
  }
  expect((await send('POST', '/api/role', role(`${filler}\u200d`))).status).toBe(422)
  const { id } = made.body as { id: number }
  expect((await send('PUT', `/api/role/${id}`, role('Tax Сlerk'))).status).toBe(200)
})

it('an API can’t be named so that nobody can tell it from another, and one that is already so is saved', async () => {
  const made = await send('POST', '/api/apis', httpApi({ name: 'Invoices' }))
  expect(made.status).toBe(201)
  const answer = await send('POST', '/api/apis', httpApi({ name: 'Invоices' }))
  expect([answer.status, answer.body]).toMatchObject([422, { errors: { name: [twin] } }])
  const other = await send('POST', '/api/apis', httpApi({ name: 'Receipts' }))
  const { id } = other.body as { id: number }
  const name = 'Invoiсes'
  await server.db
    .updateTable('api')
    .set({ name, name_key: name.toLowerCase() })
    .where('id', '=', id)
    .execute()
  const kept = await send('PUT', `/api/apis/${id}`, httpApi({ name }))
  expect(kept.status, kept.text).toBe(200)
})

it('a username can’t be one that nobody can tell from another', async () => {
  const user = (username: string, email: string) => ({
    name: 'Somebody',
    username,
    email,
    password: 'purple elephants swim',
    password_confirmation: 'purple elephants swim',
    roles: ['Operator'],
  })
  const first = await send('POST', '/api/user', user('cashier', 'one@example.com'))
  expect(first.status, first.text).toBe(201)
  const answer = await send('POST', '/api/user', user('сashier', 'two@example.com'))
  expect([answer.status, answer.body]).toMatchObject([422, { errors: { username: [twin] } }])
})
