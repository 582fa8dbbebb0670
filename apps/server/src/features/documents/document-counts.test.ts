import type { DocumentState } from '@gatehouse/contract'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { buildServer, type TestServer } from '../../../test/servers/build-server.ts'
import { quarterMs, startOfQuarter } from '../../db/quarters.ts'
import { lastLocalDays } from '../../kernel/time/local-days.ts'
import { inTransactionOn } from '../../stores.ts'
import { keyOf } from '../../../test/rows/carry-document.ts'

let server: TestServer
beforeAll(async () => {
  server = await buildServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  for (const table of ['document', 'document_quarter', 'document_change'] as const)
    await server.db.deleteFrom(table).execute()
})

const minuteMs = 60_000
interface InsertedDocument {
  state?: DocumentState
  api?: number
  isTest?: 0 | 1
  register?: string
}

const own = { api_id: 1, register: 'default' } as const
let references = 0
const insert = async (
  at: Date,
  { state = 'sending', api = 1, isTest = 0, register = 'default' }: InsertedDocument = {},
) => {
  const created_at = at.toISOString()
  const { id } = await server.db
    .insertInto('document')
    .values({
      ...keyOf(`R-${++references}`, register),
      is_test: isTest,
      state,
      api_id: api,
      created_at,
      updated_at: created_at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
const change = (id: number, values: { state?: DocumentState; api_id?: number }) =>
  server.stores.documents.update(id, { ...values, updated_at: server.time.now.toISOString() })
const remove = (id: number) => server.db.deleteFrom('document').where('id', '=', id).execute()
const pass = (ms: number) => {
  server.time.now = new Date(server.time.now.getTime() + ms)
}
const look = () => server.unattended.documentCounter.look()

const bounds = (zone = 'Asia/Kathmandu') => lastLocalDays(server.time.now, zone, 14).bounds
const counted = async (zone?: string) =>
  (await server.stores.documentCounts.countByDay(bounds(zone)))
    .map(({ day, api_id, state, documents }) => `${day} ${api_id} ${state} ${documents}`)
    .toSorted()

/** The same without anything that was kept. */
async function reallyThere(zone?: string) {
  const days = bounds(zone)
  const rows = await server.db.selectFrom('document').selectAll().where('is_test', '=', 0).execute()
  const sums = new Map<string, number>()
  for (const { created_at, api_id, state } of rows) {
    const day = days.findLastIndex((from) => created_at >= from)
    if (day < 0 || day > 13) continue
    const key = `${day} ${api_id ?? 0} ${state}`
    sums.set(key, (sums.get(key) ?? 0) + 1)
  }
  return [...sums].map(([key, sum]) => `${key} ${sum}`).toSorted()
}
const rowsOf = (table: 'document_quarter' | 'document_change') =>
  server.db.selectFrom(table).selectAll().execute()

/** The last quarter of what was counted has a row in any case. */
const countedRows = async () =>
  (await rowsOf('document_quarter')).filter(({ documents }) => documents !== 0)

it('a quarter is counted fifteen minutes after its end, once', async () => {
  server.time.now = new Date('2026-06-10T10:00:00Z')
  await insert(new Date('2026-06-10T09:29:59.999Z'))
  await insert(new Date('2026-06-10T09:30:00.000Z'))
  await insert(new Date('2026-06-10T09:44:59.999Z'), { isTest: 1 })
  await insert(new Date('2026-06-10T09:45:00.000Z'))
  await look()
  expect(await rowsOf('document_quarter')).toEqual([
    { ...own, at: '2026-06-10T09:15:00.000Z', state: 'sending', documents: 1 },
    { ...own, at: '2026-06-10T09:30:00.000Z', state: 'sending', documents: 1 },
  ])
  expect(await counted()).toEqual(['13 1 sending 3'])
  await look()
  expect(await counted()).toEqual(['13 1 sending 3'])
})

it('a document of a counted quarter that changes is counted as it is, before and after the next round', async () => {
  server.time.now = new Date('2026-06-10T10:00:00Z')
  const at = new Date('2026-06-09T12:07:00Z')
  const [changed, moved, removed] = [await insert(at), await insert(at), await insert(at)]
  await insert(at)
  await look()
  await change(changed, { state: 'accepted' })
  await change(moved, { api_id: 2 })
  await remove(removed)
  const now = ['12 1 accepted 1', '12 1 sending 1', '12 2 sending 1']
  expect(await counted('UTC')).toEqual(now)
  expect(await rowsOf('document_change')).toHaveLength(5)
  await look()
  expect(await rowsOf('document_change')).toEqual([])
  expect(await countedRows()).toHaveLength(3)
  expect(await counted('UTC')).toEqual(now)
})

it('runs that end at once note nothing', async () => {
  server.time.now = new Date('2026-06-10T10:03:00Z')
  const id = await insert(server.time.now)
  pass(2_000)
  await change(id, { state: 'accepted' })
  expect(await rowsOf('document_change')).toEqual([])
})

it('counts of days that no screen shows are removed', async () => {
  server.time.now = new Date('2026-06-10T10:00:00Z')
  await insert(new Date('2026-06-09T12:07:00Z'))
  await look()
  pass(20 * 86_400_000)
  await look()
  expect(await rowsOf('document_quarter')).toEqual([])
})

it('a document after a long quiet time is counted in one round', async () => {
  server.time.now = new Date('2026-06-10T10:00:00Z')
  for (const day of ['05-26', '06-01', '06-09']) await insert(new Date(`2026-${day}T01:00:00Z`))
  await look()
  expect(await countedRows()).toHaveLength(3)
})

it('a round ends where only test documents were created for hours', async () => {
  server.time.now = new Date('2026-06-10T10:00:00Z')
  for (const hour of ['00', '01', '04'])
    await insert(new Date(`2026-06-10T${hour}:07:00Z`), { isTest: 1 })
  await insert(new Date('2026-06-10T09:50:00Z'))
  await look()
  expect(await counted()).toEqual(['13 1 sending 1'])
  const { documentCounts } = server.stores
  expect(await documentCounts.findUncounted('2026-06-01T00:00:00.000Z')).toBe(
    '2026-06-10T09:45:00.000Z',
  )
})

it('changes that two servers add at the same time are added once', async () => {
  server.time.now = new Date('2026-06-10T10:00:00Z')
  const ids = []
  for (let each = 0; each < 30; each++) ids.push(await insert(new Date('2026-06-09T12:07:00Z')))
  await look()
  for (const id of ids) await change(id, { state: 'accepted' })
  const add = () =>
    inTransactionOn(server.db, { now: () => server.time.now })(({ documentCounts }) =>
      documentCounts.addChanges(100),
    )
  const added = await Promise.all([add(), add(), add()])
  expect(added.reduce((sum, each) => sum + each, 0)).toBe(60)
  expect(await counted('UTC')).toEqual(['12 1 accepted 30'])
  expect(await countedRows()).toEqual([
    { ...own, at: '2026-06-09T12:00:00.000Z', state: 'accepted', documents: 30 },
  ])
})

it('each register of an API is counted by itself, before and after', async () => {
  server.time.now = new Date('2026-06-10T10:00:00Z')
  const at = new Date('2026-06-10T08:00:00Z')
  const first = await insert(at, { register: 'Acme' })
  await insert(at, { register: 'Acme' })
  await insert(at, { register: 'Beta', state: 'unknown' })
  const byRegister = async () =>
    (await server.stores.documentCounts.countByDay(bounds('UTC')))
      .map(({ register, state, documents }) => `${register} ${state} ${documents}`)
      .toSorted()
  const before = ['Acme sending 2', 'Beta unknown 1']
  expect(await byRegister()).toEqual(before)
  await look()
  expect(await byRegister()).toEqual(before)
  pass(3_600_000)
  await change(first, { state: 'accepted' })
  const after = ['Acme accepted 1', 'Acme sending 1', 'Beta unknown 1']
  expect(await byRegister()).toEqual(after)
  await look()
  expect(await byRegister()).toEqual(after)
  expect(await server.stores.documentCounts.countUndecided()).toMatchObject([
    { register: 'Beta', state: 'unknown', documents: 1 },
  ])
})

it('in whatever order things happen, the counts are those of the rows', async () => {
  server.time.now = new Date('2026-06-20T00:00:00Z')
  const states: DocumentState[] = [
    'open',
    'sending',
    'accepted',
    'not_accepted',
    'unknown',
    'pending',
  ]
  const ids: number[] = []
  let seed = 7
  const dice = (sides: number) => (seed = (seed * 48_271) % 2_147_483_647) % sides
  for (let step = 0; step < 400; step++) {
    const some = ids[dice(ids.length + 1)]
    const action = dice(10)
    if (action < 4)
      ids.push(
        await insert(new Date(server.time.now.getTime() - dice(minuteMs)), {
          api: 1 + dice(3),
          isTest: dice(4) === 0 ? 1 : 0,
        }),
      )
    else if (action < 6 && some) await change(some, { state: states[dice(6)] ?? 'open' })
    else if (action === 6 && some) await change(some, { api_id: 1 + dice(3) })
    else if (action === 7 && some) await remove(some)
    else if (action === 8) pass(dice(5 * 3_600_000))
    else await look()
    if (step % 20 === 0) expect(await counted(), `step ${step}`).toEqual(await reallyThere())
  }
  await look()
  expect(await counted('America/St_Johns')).toEqual(await reallyThere('America/St_Johns'))
  expect(await rowsOf('document_change')).toEqual([])
  const line = startOfQuarter(new Date(server.time.now.getTime() - quarterMs))
  expect((await rowsOf('document_quarter')).every(({ at }) => at < line)).toBe(true)
})
