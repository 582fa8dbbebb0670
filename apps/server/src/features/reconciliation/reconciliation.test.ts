import type { ErrorAnswer, ReconciliationRecord, ReconciliationResult } from '@gatehouse/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { json } from '../../../test/servers/run-server.ts'
import { startScheduleServer, type ScheduleServer } from '../../../test/servers/schedule-server.ts'
import { keyOf } from '../../../test/rows/carry-document.ts'

let app: ScheduleServer
let flow: Awaited<ReturnType<ScheduleServer['flow']>>
beforeAll(async () => {
  app = await startScheduleServer()
  flow = await app.flow()
  // 2026-05-31 in Riyadh began at 21:00 UTC of the day before.
  await document('A', '2026-05-30T21:00:00.000Z', '{"total":10.10}')
  await document('B', '2026-05-31T12:00:00.000Z', '{"total":9007199254740993}')
  await document('C', '2026-05-31T20:59:59.999Z', '{"total":1}')
  await document('D', '2026-05-31T21:00:00.000Z', '{"total":1}')
  await document('=E', '2026-05-31T10:00:00.000Z', '{}', 'not_accepted')
  await document('TEST', '2026-05-31T10:00:00.000Z', '{}', 'accepted', 1)
})
afterAll(() => app.close())

async function document(
  reference: string,
  created_at: string,
  inputText: string,
  state: 'accepted' | 'not_accepted' = 'accepted',
  is_test: 0 | 1 = 0,
) {
  const { runId: run_id } = await app.put(flow, { inputText, key: `key-of-${reference}` })
  await app.server.db
    .insertInto('document')
    .values({ ...keyOf(reference), is_test, state, run_id, created_at, updated_at: created_at })
    .execute()
}

const body = (overrides = {}) => ({
  name: 'Day by day',
  erp: {
    endpoint_id: app.list,
    request: '{"from":"{{from}}","until":"{{to_at}}"}',
    items_path: 'items',
    reference_path: 'no',
    amount_path: 'total',
  },
  amount_path: 'total',
  time_zone: 'Asia/Riyadh',
  ...overrides,
})
const send = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, sent?: unknown) =>
  app.server.send(method, `/api/reconciliations${path}`, { token: app.token, body: sent })
async function create(overrides = {}) {
  const answer = await send('POST', '', body(overrides))
  if (answer.status !== 201) throw new Error(answer.text)
  return (answer.body as { reconciliation: ReconciliationRecord }).reconciliation
}
const look = () =>
  Promise.all([app.server, app.second].map((each) => each.unattended.reconciliation.keeper.look()))
const letLeaseExpire = () => app.setTime(new Date(app.server.time.now.getTime() + 61_000))
const days = { from_day: '2026-05-31', to_day: '2026-05-31' }
async function resultsOf(id: number) {
  const { body: page } = await send('GET', `/${id}/results`)
  return (page as [{ data: ReconciliationResult[] }])[0].data
}

it('compares the days of a period in its time zone, amounts digit by digit, without tests', async () => {
  const { id } = await create()
  app.erp.answer = json(
    200,
    '{"items":[{"no":"A","total":"10.1"},{"no":"B","total":9007199254740992},{"no":"D","total":1},{"no":"=E"},{"no":"X","total":5}]}',
  )
  app.erp.asked.length = 0
  expect((await send('POST', `/${id}/run`, days)).status).toBe(202)
  await look()
  expect(app.erp.asked).toEqual(['/erp?from=2026-05-31&until=2026-05-31T21%3A00%3A00.000Z'])
  const [result] = await resultsOf(id)
  expect(result).toMatchObject({
    state: 'done',
    counts: { erp: 5, ledger: 4, authority: null, agreeing: 2, differing: 4 },
    differences: { amount: 1, missing_in_erp: 1, state: 1, missing_here: 1 },
  })
  const lines = await send('GET', `/${id}/results/${result!.id}/lines?kind=amount&search=b`)
  expect(lines.body).toMatchObject([
    {
      total: 1,
      data: [
        {
          reference: 'B',
          erp_amount: '9007199254740992',
          ledger_amount: '9007199254740993',
          document_id: expect.any(Number),
          run_id: expect.any(Number),
        },
      ],
    },
  ])
  const csv = await send('GET', `/${id}/results/${result!.id}/csv`)
  expect(csv.headers['content-disposition']).toContain('differences-2026-05-31')
  expect(csv.text.split('\r\n')[1]).toMatch(/^state,"'=E",,,,not_accepted,\d+,\d+,default$/)
})

it('a comparison of one register sees its documents alone, and is found by it', async () => {
  const { runId: run_id } = await app.put(flow, { inputText: '{}', key: 'key-of-other' })
  const at = '2026-04-10T10:00:00.000Z'
  await app.server.db
    .insertInto('document')
    .values({
      ...keyOf('R'),
      register: 'Other company',
      is_test: 0,
      state: 'accepted',
      run_id,
      created_at: at,
      updated_at: at,
    })
    .execute()
  const { id } = await create({ name: 'Of the other', register: 'Other company' })
  app.erp.answer = json(200, { items: [] })
  await send('POST', `/${id}/run`, {
    from_day: '2026-04-10',
    to_day: '2026-04-10',
  })
  await look()
  const [result] = await resultsOf(id)
  expect(result).toMatchObject({ counts: { ledger: 1 } })
  const csv = await send('GET', `/${id}/results/${result!.id}/csv`)
  expect(csv.text.split('\r\n')[0]).toMatch(/,register$/)
  expect(csv.text.split('\r\n')[1]).toMatch(/^missing_in_erp,R,.*,Other company$/)
  const namesOf = async (register: string) => {
    const { body: page } = await send('GET', `?limit=100&register=${encodeURIComponent(register)}`)
    return (page as [{ data: ReconciliationRecord[] }])[0].data.map(({ name }) => name)
  }
  expect(await namesOf('Other company')).toEqual(['Of the other'])
  expect(await namesOf('None')).toEqual([])
})

it('compares with the list of an authority too', async () => {
  const { erp } = body()
  const { id } = await create({ authority: { ...erp, request: '{"of":"authority"}' } })
  app.erp.answer = (request, ...rest) =>
    json(200, {
      items: request.url.includes('authority') ? [{ no: 'A' }, { no: 'Z' }] : [{ no: 'A' }],
    })(request, ...rest)
  await send('POST', `/${id}/run`, days)
  await look()
  expect(await resultsOf(id)).toMatchObject([
    {
      counts: { authority: 2 },
      differences: { missing_in_erp: 2, missing_at_authority: 2, only_at_authority: 1 },
    },
  ])
})

it('compares the day before at its time, once on two servers, and again after a server has died', async () => {
  app.setTime(new Date('2026-06-01T01:00:00Z'))
  const { id } = await create({ cron: '0 5 * * *' })
  app.erp.answer = json(200, { items: [] })
  app.setTime(new Date('2026-06-03T02:00:00Z'))
  await look()
  await look()
  const ofDay = async (day: string) =>
    (await resultsOf(id)).filter(({ from_day, to_day }) => from_day === day && to_day === day)
  expect(await ofDay('2026-05-31')).toMatchObject([
    { state: 'done', ...days, is_by_hand: false, differences: { missing_in_erp: 3 } },
  ])
  // No server was there on these days.
  expect(await ofDay('2026-06-01')).toMatchObject([{ state: 'done', is_by_hand: false }])
  expect(await ofDay('2026-06-02')).toMatchObject([{ state: 'done', is_by_hand: false }])
  expect(await resultsOf(id)).toHaveLength(3)
  // As a server leaves it that is killed while it compares.
  await app.server.db.updateTable('reconciliation_result').set({ state: 'running' }).execute()
  app.setTime(new Date('2026-06-03T02:02:00Z'))
  await look()
  const [{ total }] = (
    await send('GET', `/${id}/results/${(await ofDay('2026-05-31'))[0]!.id}/lines`)
  ).body as [{ total: number }]
  expect(total).toBe(3)
})

it('catches up day by day, once for each, however often its times come, for 90 days at most', async () => {
  const { id } = await create({ cron: '0 * * * *' })
  app.erp.answer = json(200, { items: [] })
  await app.server.db
    .updateTable('reconciliation')
    .set({ next_run_at: '2026-01-01T00:00:00.000Z' })
    .where('id', '=', id)
    .execute()
  for (let round = 0; round < 6; round++) await look()
  const found: string[] = []
  for (let page = 1; page <= 5; page++) {
    const { body: read } = await send('GET', `/${id}/results?page=${page}&limit=25`)
    found.push(...(read as [{ data: ReconciliationResult[] }])[0].data.map((each) => each.from_day))
  }
  expect(new Set(found).size).toBe(found.length)
  expect(found.toSorted().at(-1)).toBe('2026-06-02')
  expect(found.length).toBeGreaterThanOrEqual(90)
  expect(found.length).toBeLessThanOrEqual(91)
})

it.each([
  ['twice the same reference', json(200, { items: [{ no: 'A' }, { no: 'A' }] }), 'another one'],
  ['an element without reference', json(200, { items: [{}] }), 'element 1 has no reference'],
  ['an error', json(500, {}), 'answered 500'],
])('fails with %s instead of comparing a part', async (_, answer, message) => {
  const { id } = await create()
  app.erp.answer = answer
  await send('POST', `/${id}/run`, days)
  await look()
  const [result] = await resultsOf(id)
  expect(result?.state).toBe('failed')
  expect(result?.message).toContain(message)
})

it('is refused once its user may not do it any more', async () => {
  const person = await app.person(
    ['reconciliation.view', 'reconciliation.edit', 'reconciliation.run'],
    [app.list],
  )
  const made = await app.server.send('POST', '/api/reconciliations', {
    token: person.token,
    body: body(),
  })
  const { id } = (made.body as { reconciliation: ReconciliationRecord }).reconciliation
  await app.server.db.deleteFrom('role_endpoint').execute()
  await send('POST', `/${id}/run`, days)
  await look()
  expect(await resultsOf(id)).toMatchObject([{ state: 'refused' }])
})

it('refuses what can’t be compared, each problem under its field', async () => {
  const { id } = await create()
  const fieldsOf = (answer: { body: unknown }) =>
    Object.keys((answer.body as ErrorAnswer).errors ?? {})
  const post = await app.endpoint({ path: '/erp-post' })
  const { erp } = body()
  expect(fieldsOf(await send('POST', '', body({ cron: '61 * * * *', name: '' })))).toEqual(['name'])
  expect(fieldsOf(await send('POST', '', body({ cron: '61 * * * *' })))).toEqual(['cron'])
  expect(fieldsOf(await send('POST', '', body({ erp: { ...erp, endpoint_id: post } })))).toEqual([
    'erp.endpoint_id',
  ])
  const long = { from_day: '2026-01-01', to_day: '2026-03-01' }
  expect(fieldsOf(await send('POST', `/${id}/run`, long))).toEqual(['to_day'])
  app.erp.answer = json(200, { items: [{ no: 'A', total: 1.5 }] })
  expect((await send('POST', '/try', { list: erp })).body).toEqual({
    found: 1,
    rows: [{ reference: 'A', amount: '1.5' }],
  })
  expect((await send('PUT', `/${id}`, body({ name: 'Other' }))).status).toBe(200)
  expect((await send('DELETE', `/${id}`)).status).toBe(204)
  expect((await send('GET', `/${id}`)).status).toBe(404)
})

it('a server that stood still does not overwrite what another one has compared meanwhile', async () => {
  const { id } = await create()
  // Either server may hold the lease of the rounds before.
  letLeaseExpire()
  await send('POST', `/${id}/run`, days)
  const items = [{ no: 'A', total: 1 }]
  let isStill = false
  app.erp.answer = (...exchange) => {
    if (isStill) return json(200, { items: [] })(...exchange)
    isStill = true
    letLeaseExpire()
    const other = app.second.unattended.reconciliation.keeper
    void other.look().then(() => json(200, { items })(...exchange))
  }
  await app.server.unattended.reconciliation.keeper.look()
  expect(await resultsOf(id)).toMatchObject([{ state: 'done', counts: { erp: 0 } }])
})
