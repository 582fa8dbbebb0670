// Databases: SQLite.

import { runTokenAuthority, type TokenAuthority } from '@gatehouse/upstream/token-authority'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { buildServer, type TestServer } from '../../../test/servers/build-server.ts'
import { tables } from '../../db/tables.ts'

let authority: TokenAuthority
let server: TestServer

beforeAll(async () => {
  authority = await runTokenAuthority()
})
afterAll(() => authority.stop())
beforeEach(async () => {
  await authority.reset({
    clientSecret: 'planted-client-secret',
    password: 'planted-password',
    rotates: true,
  })
  server = await buildServer()
})
afterEach(() => server.close())

const client = () => ({
  token_url: authority.tokenUrl,
  client_id: 'client-1',
  client_secret: 'planted-client-secret',
})

/** Every kind, with the state that a test of its sign-in leaves. */
const credentials: Record<string, () => object> = {
  bearer: () => ({ token: 'planted-token' }),
  basic: () => ({ username: 'user', password: 'planted-password' }),
  headers: () => ({ headers: [{ name: 'Secret-Key', value: 'planted-header' }] }),
  oauth2_client_credentials: () => client(),
  oauth2_refresh_token: () => ({ ...client(), refresh_token: 'refresh-token-0' }),
  login_call: () => ({
    url: authority.loginUrl,
    body: '{"password":"planted-password"}',
    token_path: 'data.token',
    lifetime_seconds: 600,
  }),
}

/** What base64 makes of a text, wherever in a group of three bytes it begins. */
const inBase64 = (text: string) =>
  [0, 1, 2].map((start) => {
    const inner = text.slice(start)
    return Buffer.from(inner.slice(0, inner.length - (inner.length % 3))).toString('base64')
  })

/** How the secrets above, and those that the authority makes, begin. */
const planted = ['planted-', 'refresh-token-', 'token-1-'].flatMap((text) => [
  text,
  ...inBase64(text),
])

it.each(Object.keys(credentials))('no secret of %s is in clear anywhere', async (kind) => {
  const { token } = server.admin
  const body = {
    name: 'Authority',
    api_protocol: 'http',
    gateway_status: 'active',
    api_access: 'internally',
    api_url: authority.apiUrl,
    credential: { kind, ...credentials[kind]?.() },
  }
  const created = await server.send('POST', '/api/apis', { token, body })
  expect(created).toMatchObject({ status: 201 })
  const { id } = created.body as { id: number }
  const url = `/api/apis/${id}/sign-in`
  const tested = await server.send('POST', url, { token })
  expect(tested).toMatchObject({ status: 200, body: { ok: true, kind } })
  const answers = [created, tested]
  for (const path of [url, `/api/apis/${id}/edit`, '/api/apis', '/api/audit']) {
    answers.push(await server.send('GET', path, { token }))
  }
  await authority.change({ mode: 'refuse' })
  answers.push(await server.send('POST', url, { token }))
  expect((await authority.counts()).logins).toBe(kind.includes('_') ? 1 : 0)

  const places: Record<string, string> = {
    answers: JSON.stringify(answers),
    log: server.logLines.join('\n'),
  }
  for (const table of Object.keys(tables)) {
    const { rows } = await sql`select * from ${sql.table(table)}`.execute(server.db)
    places[table] = JSON.stringify(rows)
  }
  for (const [place, text] of Object.entries(places)) {
    for (const secret of planted) expect(text, `${place} holds ${secret}`).not.toContain(secret)
  }
})
