// Databases: SQLite.

import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { routes } from '@gatehouse/contract'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { buildServer, testPassword, type TestServer } from '../../../test/servers/build-server.ts'

// A caller is let in by the head of a request, and the body may follow a minute later. What they have
// lost in the meantime, they have lost for this call too.

let server: TestServer
let port: number
beforeAll(async () => {
  server = await buildServer()
  await server.app.listen({ port: 0, host: '127.0.0.1' })
  port = (server.app.server.address() as AddressInfo).port
})
afterAll(() => server.close())

const changing = routes.filter(({ method, access }) => method !== 'GET' && access !== 'public')
/** Their handlers read the body: they ask again once it is there (batch-routes.test.ts). */
const uploads = new Set([
  'POST /api/workflows/:slug/batches',
  'POST /api/workflows/:slug/batches/check',
])
const keys = changing
  .map(({ method, path }) => `${method} ${path}`)
  .filter((key) => !uploads.has(key))

type Person = Awaited<ReturnType<TestServer['buildUser']>>

const losses: Record<string, (person: Person) => Promise<unknown>> = {
  'who is deleted': ({ id }) => server.stores.users.remove(id),
  'who signs out': ({ token }) => server.send('POST', '/api/logout', { token }),
  'who is demoted': ({ id }) => server.stores.users.setRoles(id, []),
}

/** Sends the head, lets `between` happen once the head was judged, sends the body, returns the status. */
async function hold(key: string, token: string, body: string, between: () => Promise<unknown>) {
  const [method, path] = key.split(' ') as [string, string]
  const url = path.replace(':subject', 'user').replace(/:\w+/g, '999999')
  // Judging a head writes the last use of the session, if the last one is more than a minute ago.
  server.time.now = new Date(server.time.now.getTime() + 61_000)
  const at = server.time.now.toISOString()
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  let answer = ''
  socket.setEncoding('latin1').on('data', (text: string) => (answer += text))
  const ended = once(socket, 'close')
  socket.write(
    `${method} ${url} HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\nauthorization: Bearer ${token}\r\n` +
      `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body.slice(0, 1)}`,
  )
  const isJudged = async () => {
    const judged = await server.db
      .selectFrom('session')
      .select('id')
      .where('last_used_at', '=', at)
      .execute()
    expect(judged).toHaveLength(1)
  }
  await vi.waitFor(isJudged, { interval: 5 })
  await between()
  // Not `end`: Node answers nobody who has closed their side before the answer is ready.
  socket.write(body.slice(1))
  await ended
  return Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1])
}

describe.each(Object.keys(losses))('a user %s while the body of their request is held', (loss) => {
  it.each(keys)('%s is refused', async (key) => {
    const person = await server.buildUser({ role: 'Super Admin' })
    const status = await hold(key, person.token, '{}', async () => losses[loss]?.(person))
    const isAnybodys =
      changing.find(({ method, path }) => `${method} ${path}` === key)?.access === 'session'
    const refusal = loss === 'who is demoted' ? 403 : 401
    expect(status === refusal).toBe(refusal === 401 || !isAnybodys)
  })
})

it.each(Object.keys(losses))('nothing is made for a user %s', async (loss) => {
  const count = async () => {
    const users = await server.db.selectFrom('user').select('id').execute()
    const tokens = await server.db.selectFrom('personal_token').select('id').execute()
    return users.length + tokens.length
  }
  const bodies = {
    'POST /api/user': {
      name: 'Later',
      email: 'later@example.com',
      username: 'later',
      password: testPassword,
      password_confirmation: testPassword,
      roles: ['Super Admin'],
    },
    'POST /admin/token/store': { name: 'Later' },
  }
  for (const [key, body] of Object.entries(bodies)) {
    const person = await server.buildUser({ role: 'Super Admin' })
    let before = 0
    await hold(key, person.token, JSON.stringify(body), async () => {
      await losses[loss]?.(person)
      before = await count()
    })
    expect(await count()).toBe(before)
  }
})
