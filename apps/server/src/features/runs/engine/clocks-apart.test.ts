import { randomBytes } from 'node:crypto'
import type { RunDetail, RunListItem } from '@gatehouse/contract'
import { expect, it, onTestFinished } from 'vitest'
import { endpointOf, httpApi } from '../../../../test/servers/build-server.ts'
import { startUpstream } from '../../../../test/servers/hostile-upstream.ts'
import { runServerProcess } from '../../../../test/servers/run-server-process.ts'
import { createPreparedPostgres } from '../../../../test/test-database.ts'

const password = 'correct horse battery'
const minutesMs = 120_000

/** Calls the admin API of a server as its administrator. */
async function signIn(url: string) {
  let token = ''
  const call = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return answer.json()
  }
  const login = await call('POST', '/api/login', { email: 'admin@example.com', password })
  token = (login as { token: string }).token
  return call
}

it('servers whose machines are two minutes apart leave each other’s runs alone', async () => {
  const postgres = await createPreparedPostgres()
  // SQLite has one server.
  if (!postgres) return
  onTestFinished(() => postgres.drop())
  const arrived = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  const authority = await startUpstream((_, response) => {
    arrived.resolve()
    void held.promise.then(() => response.end('{"id":7}'))
  })
  onTestFinished(() => authority.close())
  const start = (aheadMs: number) =>
    runServerProcess({
      environment: {
        ADMIN_PASSWORD: password,
        APP_KEY: key,
        DATABASE_URL: postgres.url,
        TEST_MACHINE_AHEAD_MS: String(aheadMs),
      },
    })
  const key = randomBytes(32).toString('base64')
  const call = await signIn((await start(0)).url)
  const create = async (path: string, body: object) =>
    ((await call('POST', path, body)) as { id: number }).id
  const api = await create(
    '/api/apis',
    httpApi({ api_url: authority.url, answer_timeout_ms: 60_000 }),
  )
  const submit = await create(
    '/api/endpoint',
    endpointOf(api, { path: '/submit', method_type: 'post' }),
  )
  const sending = call('POST', '/api/tax', { endpoint_1: { end_point: submit, body: '{"n":1}' } })
  await arrived.promise
  // A start closes what dead servers have left open, before the server listens.
  await start(minutesMs)
  await start(-minutesMs)
  const [page] = (await call('GET', '/api/runs')) as [{ data: RunListItem[] }]
  expect(page.data.map(({ state }) => state)).toEqual(['running'])
  held.resolve()
  const { id } = ((await sending) as { run: { id: number } }).run
  const run = (await call('GET', `/api/runs/${id}`)) as RunDetail
  expect(run.state).toBe('succeeded')
  expect(authority.received).toHaveLength(1)
})
