import type { TokenDetail } from '@gatehouse/contract'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { buildServer, type TestServer } from '../../../test/servers/build-server.ts'
import type { TokenUsage } from '../../publishing/gateway-link.ts'
import { heardUsages, saidUsages } from '../../publishing/gateways/said-usages.ts'
import { inTransactionOn } from '../../stores.ts'
import { TokenUsageKeeper } from './token-usage-keeper.ts'

let server: TestServer
let token: number
beforeEach(async () => {
  server = await buildServer()
  token = await makeToken()
  server.time.now = new Date('2026-06-30T10:00:00.000Z')
})
afterEach(() => server.close())

async function makeToken(): Promise<number> {
  const answer = await server.send('POST', '/admin/token/store', {
    token: server.admin.token,
    body: { user: 4, limits: { quota: { per_day: '100', per_month: 1_000 } } },
  })
  expect(answer.status, answer.text).toBe(201)
  return (answer.body as { access_token: { id: number } }).access_token.id
}

const clock = { now: () => server.time.now }

/** One server's keeper, and what its workers and other gateways were told. */
function startKeeper({ isShared = true } = {}) {
  const told: TokenUsage[] = []
  const toldOthers: TokenUsage[] = []
  const keeper = new TokenUsageKeeper({
    stores: server.stores,
    inTransaction: inTransactionOn(server.db, clock),
    clock,
    log: pino({ enabled: false }),
    isShared,
    tell: (usages) => void told.push(...usages),
    tellOthers: async (usages) => void toldOthers.push(...usages),
  })
  return { keeper, told, toldOthers }
}
const pass = (ms: number) => (server.time.now = new Date(server.time.now.getTime() + ms))

it('workers are told what all servers have counted, and gateways that run alone by one of them', async () => {
  const [one, other] = [startKeeper(), startKeeper()]
  await other.keeper.look()
  one.keeper.record([[token, 3]])
  one.keeper.record([[token, 2]])
  await one.keeper.look()
  other.keeper.record([[token, 4]])
  await other.keeper.look()
  await one.keeper.look()
  const all = { token_id: token, day: '2026-06-30', today: 9, this_month: 9 }
  expect(one.told.at(-1)).toEqual(all)
  expect(other.told.at(-1)).toEqual(all)
  expect(one.toldOthers).toEqual([{ ...all, today: 5, this_month: 5 }])
  expect(other.toldOthers).toEqual([all])
})

it('a server that starts knows the uses of the month, and days and months start from zero in UTC', async () => {
  const before = startKeeper()
  before.keeper.record([[token, 3]])
  await before.keeper.look()
  pass(13 * 3_600_000)
  const next = startKeeper({ isShared: false })
  await next.keeper.look()
  expect(next.told).toEqual([{ token_id: token, day: '2026-06-30', today: 3, this_month: 3 }])
  pass(3_600_000)
  next.keeper.record([[token, 1]])
  await next.keeper.look()
  expect(next.told.at(-1)).toMatchObject({ day: '2026-07-01', today: 1, this_month: 1 })
})

it('what is kept is in the database once that settles, although a round was under way', async () => {
  const { keeper } = startKeeper()
  keeper.record([[token, 3]])
  const underWay = keeper.look()
  await keeper.keep([[token, 2]])
  const totals = await server.stores.tokenUsage.totals([token], '2026-06-30')
  expect(totals).toMatchObject([{ today: 5 }])
  await underWay
})

it('uses of a gateway that reports late count for their day, and none for a day to come', async () => {
  const { keeper, told } = startKeeper()
  keeper.record([
    [token, 3, '2026-06-29'],
    [token, 2, '2026-07-05'],
  ])
  await keeper.look()
  expect(told.at(-1)).toMatchObject({ today: 2, this_month: 5 })
})

it('what can’t be written is written later, once', async () => {
  const { keeper, told } = startKeeper()
  await keeper.look()
  await server.db.schema.alterTable('token_usage').renameTo('token_usage_away').execute()
  keeper.record([[token, 3]])
  await keeper.look()
  await server.db.schema.alterTable('token_usage_away').renameTo('token_usage').execute()
  keeper.record([[token, 1]])
  await keeper.look()
  await keeper.stop()
  expect(told.at(-1)).toMatchObject({ today: 4, this_month: 4 })
})

it('a token that is gone holds up no other', async () => {
  const { keeper, told } = startKeeper()
  keeper.record([
    [token + 1_000, 5],
    [token, 1],
  ])
  await keeper.look()
  expect(told).toMatchObject([{ token_id: token, today: 1 }])
})

it('the screen shows what was used of the quota', async () => {
  const { keeper } = startKeeper()
  keeper.record([
    [token, 12],
    [token, 30, '2026-06-02'],
  ])
  await keeper.look()
  const answer = await server.send('GET', `/api/token/${token}`, {
    token: await server.signIn(server.admin.email),
  })
  expect(answer.body as TokenDetail).toMatchObject({
    token: { limits: { quota: { per_day: 100, per_month: 1_000 } } },
    usage: { today: 12, this_month: 42 },
  })
})

it('rows of more than 400 days ago are removed', async () => {
  const { keeper } = startKeeper()
  keeper.record([[token, 1]])
  await keeper.look()
  pass(401 * 86_400_000)
  await keeper.look()
  expect(await server.db.selectFrom('token_usage').selectAll().execute()).toEqual([])
})

it('what gateways that run alone are told is heard as it was said', () => {
  const usages = Array.from({ length: 150 }, (_, at) => ({
    token_id: 2_147_483_000 + at,
    day: '2026-06-30',
    today: 999_999_999,
    this_month: 999_999_999,
  }))
  const said = saidUsages(usages)
  expect(said.every((each) => each.length < 8_000)).toBe(true)
  expect(said.flatMap((each) => heardUsages(each.split(' ')[1] ?? ''))).toEqual(usages)
  expect(heardUsages('1:2026-06-30:5:5,x:2026-06-30:1:1,2:June:1:1,3:2026-06-30:-1:1')).toEqual([
    { token_id: 1, day: '2026-06-30', today: 5, this_month: 5 },
  ])
})
