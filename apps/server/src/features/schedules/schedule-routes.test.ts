import type { ErrorAnswer } from '@gatehouse/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { json } from '../../../test/servers/run-server.ts'
import { startScheduleServer, type ScheduleServer } from '../../../test/servers/schedule-server.ts'

let app: ScheduleServer
let flow: Awaited<ReturnType<ScheduleServer['flow']>>
beforeAll(async () => {
  app = await startScheduleServer()
  flow = await app.flow()
})
afterAll(() => app.close())

const send = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown) =>
  app.server.send(method, `/api/schedules${path}`, { token: app.token, body })
const errorsOf = ({ body }: { body: unknown }) => (body as ErrorAnswer).errors ?? {}

it('shows the next five moments, and what is wrong with an expression or a zone', async () => {
  app.setTime(new Date('2026-03-27T12:00:00Z'))
  const when = { cron: '30 2 * * *', time_zone: 'Europe/Berlin' }
  expect((await send('POST', '/times', when)).body).toEqual({
    times: [
      '2026-03-28T01:30:00.000Z',
      '2026-03-29T01:00:00.000Z',
      '2026-03-30T00:30:00.000Z',
      '2026-03-31T00:30:00.000Z',
      '2026-04-01T00:30:00.000Z',
    ],
  })
  const wrong = await send('POST', '/times', { cron: '0 0 6 * * *', time_zone: 'Mars' })
  expect(wrong.status).toBe(422)
  expect(Object.keys(errorsOf(wrong))).toEqual(['cron', 'time_zone'])
})

it('refuses what can’t be carried out, each problem under its field', async () => {
  const post = await app.endpoint({ path: '/erp-post' })
  const list = { endpoint_id: app.list, items_path: '' }
  const cases: [Record<string, unknown>, string][] = [
    [{ cron: '61 * * * *' }, 'cron'],
    [{ time_zone: 'CET+1' }, 'time_zone'],
    [{ input: '{' }, 'input'],
    [{ workflow_id: 999_999 }, 'workflow_id'],
    [{ start: 'list' }, 'list.endpoint_id'],
    [{ start: 'list', list: { ...list, endpoint_id: post } }, 'list.endpoint_id'],
    [{ start: 'list', list: { ...list, request: '{"a":"{{watermark}}"}' } }, 'list.request'],
    [
      { start: 'list', list: { ...list, watermark: { path: 'a', type: 'number', value: 'x' } } },
      'list.watermark.value',
    ],
  ]
  for (const [change, field] of cases) {
    const answer = await send('POST', '', app.bodyOf(flow.id, change))
    expect(answer.status, answer.text).toBe(422)
    expect(Object.keys(errorsOf(answer)), answer.text).toEqual([field])
  }
})

it('tries a list: says what would start and stores nothing', async () => {
  app.erp.answer = json(200, {
    items: [
      { no: 'A', at: 1 },
      { no: 'B', at: 3 },
      { no: 'B', at: 3 },
    ],
  })
  const watermark = { path: 'at', type: 'number', value: '2' }
  const list = { endpoint_id: app.list, items_path: 'items', reference_path: 'no', watermark }
  expect((await send('POST', '/try', { list })).body).toEqual({
    found: 3,
    old: 1,
    known: 1,
    new: 1,
    watermark: '3',
    rows: [{ reference: 'B', input: '{"no":"B","at":3}' }],
  })
  expect(await app.runsOf(flow.id)).toEqual([])
  app.erp.answer = json(503, {})
  const failed = await send('POST', '/try', { list })
  expect(failed).toMatchObject({ status: 422, body: { code: 'schedule.list_failed' } })
})

it('is listed, searched, changed, audited and deleted', async () => {
  const { id } = await app.create(app.bodyOf(flow.id, { name: 'Morning_run' }))
  const found = await send('GET', `?workflow=${flow.id}&search=morning_`)
  expect(found.body).toMatchObject([{ total: 1, data: [{ id, name: 'Morning_run' }] }])
  const body = app.bodyOf(flow.id, { name: 'Later', cron: '0 7 * * *', version: 1 })
  expect((await send('PUT', `/${id}`, body)).body).toMatchObject({ schedule: { name: 'Later' } })
  expect((await send('PUT', `/${id}`, body)).body).toMatchObject({ code: 'record.changed' })
  expect((await send('DELETE', `/${id}`)).status).toBe(204)
  expect((await send('GET', `/${id}`)).body).toMatchObject({ code: 'schedule.not_found' })
  const events = await app.server.db
    .selectFrom('audit_event')
    .select('action')
    .where('thing', '=', 'schedule')
    .where('thing_id', '=', id)
    .orderBy('id')
    .execute()
  expect(events.map(({ action }) => action)).toEqual([
    'schedule.create',
    'schedule.update',
    'schedule.delete',
  ])
})

it('a user saves only what that user may start, from endpoints that the user may call', async () => {
  const cantRun = await app.person(['workflow.view', 'workflow.edit'], [app.list])
  const cantCall = await app.person(['workflow.view', 'workflow.edit', 'workflow.run'])
  const as = (token: string, body: unknown) =>
    app.server.send('POST', '/api/schedules', { token, body })
  expect((await as(cantRun.token, app.bodyOf(flow.id))).status).toBe(403)
  expect((await as(cantCall.token, app.bodyOf(flow.id))).status).toBe(201)
  const list = await as(cantCall.token, app.listBody(flow.id))
  expect(errorsOf(list)).toHaveProperty(['list.endpoint_id'])
})

it('refuses to fire by hand while it goes on', async () => {
  const { id } = await app.create(app.listBody(flow.id))
  const { promise: asked, resolve } = Promise.withResolvers<() => void>()
  app.erp.answer = (...exchange) => resolve(() => json(200, { items: [] })(...exchange))
  expect((await send('POST', `/${id}/run`)).body).toMatchObject({
    schedule: { last_firing: { state: 'running', is_by_hand: true } },
  })
  expect((await send('POST', `/${id}/run`)).body).toMatchObject({ code: 'schedule.under_way' })
  const answerNow = await asked
  answerNow()
  await app.look()
  expect(await app.show(id)).toMatchObject({ last_firing: { state: 'done', found: 0 } })
})
