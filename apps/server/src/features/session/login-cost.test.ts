// Databases: SQLite.

import { afterAll, beforeAll, beforeEach, afterEach, expect, it } from 'vitest'
import { buildServer, testPassword, type TestServer } from '../../../test/servers/build-server.ts'
import { countHashes } from '../../../test/counting/count-hashes.ts'
import { hashPassword } from '../../kernel/passwords/password-hash.ts'

let server: TestServer
let hashes: ReturnType<typeof countHashes>
beforeAll(async () => {
  server = await buildServer()
})
afterAll(() => server.close())
beforeEach(() => {
  hashes = countHashes()
})
afterEach(() => hashes.stop())

let lastAddress = 0
/** From another address each time, so that no limit per address applies. */
const logIn = (email: string, password: string) =>
  server.send('POST', '/api/login', {
    body: { email, password },
    remoteAddress: `10.0.${lastAddress >> 8}.${lastAddress++ & 255}`,
  })

/** What the processor did for one sign-in of each kind, many times over, in microseconds. */
async function processorTime(email: string, password: string): Promise<number> {
  const before = process.cpuUsage()
  for (let round = 0; round < 8; round++) expect((await logIn(email, password)).status).toBe(401)
  const { user, system } = process.cpuUsage(before)
  return user + system
}

it('a wrong password and an unknown account cost the same: one hash and as many statements each', async () => {
  await server.db.updateTable('user').set({ password_hash: null }).where('id', '=', 4).execute()
  const { email: withoutPassword } = await server.db
    .selectFrom('user')
    .select('email')
    .where('id', '=', 4)
    .executeTakeFirstOrThrow()
  const costs: Record<string, number> = {}
  const statements = new Set<number>()
  for (const email of ['admin@example.com', 'nobody@example.com', withoutPassword]) {
    const before = hashes.total()
    const made = await server.statements.during(() => logIn(email, 'a wrong pass phrase'))
    expect(made.answer.body).toMatchObject({ code: 'session.invalid_credentials' })
    statements.add(made.statements)
    costs[email] = hashes.total() - before
  }
  expect(Object.values(costs)).toEqual([1, 1, 1])
  expect(statements.size).toBe(1)
})

it('and the same work: the processor is as busy with one as with the other', async () => {
  await processorTime('warm@example.com', 'up')
  const known = await server.buildUser({ passwordHash: await hashPassword(testPassword) })
  const times = [
    await processorTime(known.email, 'a wrong pass phrase'),
    await processorTime('nobody-else@example.com', 'a wrong pass phrase'),
  ]
  // Without the hash it would be a twentieth. The clock on the wall is not asked.
  expect(Math.max(...times) / Math.min(...times)).toBeLessThan(3)
})

it('two hashes run at once, the queue is bounded, and past it a sign-in is asked to come back', async () => {
  const answers = await Promise.all(
    Array.from({ length: 150 }, (_, at) => logIn(`guess-${at}@example.com`, 'a wrong pass phrase')),
  )
  const refused = answers.filter(({ status }) => status === 429)
  expect(refused.length).toBeGreaterThan(0)
  expect(refused.length).toBeLessThan(150 - 33)
  for (const { body, headers } of refused) {
    expect(body).toMatchObject({ code: 'server.busy' })
    expect(Number(headers['retry-after'])).toBeGreaterThan(0)
  }
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(150 - refused.length)
  expect(hashes.total()).toBe(150 - refused.length)
  expect(hashes.mostAtOnce()).toBe(2)
  expect((await logIn('admin@example.com', testPassword)).status).toBe(200)
})
