import { afterEach, beforeEach, expect, it } from 'vitest'
import { buildServer, type TestServer } from '../../../../test/servers/build-server.ts'
import { UsesOfMonth } from './uses-of-month.ts'

let server: TestServer
let tokens: [number, number]
beforeEach(async () => {
  server = await buildServer()
  tokens = [await makeToken(), await makeToken()]
})
afterEach(() => server.close())

async function makeToken(): Promise<number> {
  const answer = await server.send('POST', '/admin/token/store', {
    token: server.admin.token,
    body: { user: 4, limits: { quota: { per_month: 1_000 } } },
  })
  expect(answer.status, answer.text).toBe(201)
  return (answer.body as { access_token: { id: number } }).access_token.id
}

const use = (token_id: number, day: string, requests: number, at: string) =>
  server.stores.tokenUsage.add([{ token_id, day, requests }], at)

it('sums again only what was used since the last look', async () => {
  const [one, other] = tokens
  const uses = new UsesOfMonth(server.db)
  const look = async (time: string) => [...(await uses.read(new Date(time)))].toSorted()
  await use(one, '2026-06-01', 5, '2026-06-01T09:00:00.000Z')
  await use(one, '2026-05-31', 70, '2026-05-31T09:00:00.000Z')
  await use(other, '2026-06-10', 1, '2026-06-10T09:00:00.000Z')
  expect(await look('2026-06-10T10:00:00.000Z')).toEqual([
    [one, 5],
    [other, 1],
  ])
  // Nothing says that this one changed, so that it is not read again.
  await server.db
    .updateTable('token_usage')
    .set({ requests: 99 })
    .where('token_id', '=', other)
    .execute()
  await use(one, '2026-06-10', 2, '2026-06-10T10:00:30.000Z')
  expect(await look('2026-06-10T10:01:00.000Z')).toEqual([
    [one, 7],
    [other, 1],
  ])
  // A clock that was set back says nothing of what came since.
  expect(await look('2026-06-10T09:30:00.000Z')).toEqual([
    [one, 7],
    [other, 99],
  ])
})

it('begins again with each month', async () => {
  const [one] = tokens
  const uses = new UsesOfMonth(server.db)
  await use(one, '2026-06-30', 5, '2026-06-30T23:59:59.000Z')
  expect([...(await uses.read(new Date('2026-06-30T23:59:59.500Z')))]).toEqual([[one, 5]])
  await use(one, '2026-07-01', 1, '2026-07-01T00:00:00.100Z')
  expect([...(await uses.read(new Date('2026-07-01T00:00:01.000Z')))]).toEqual([[one, 1]])
})
