import type { GapAnswer } from '@gatehouse/contract'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { startLaneServer, type LaneServer } from '../../../../test/servers/lane-server.ts'
import { json } from '../../../../test/servers/run-server.ts'

// After a restore, the authorities are asked which queued runs they have already (spec: restore).

let app: LaneServer
let flow: Awaited<ReturnType<LaneServer['workflow']>>
let silent: typeof flow
const has = new Set<string>()
beforeAll(async () => {
  app = await startLaneServer()
  const status = await app.endpoint({ method_type: 'get', path: '/status/{n}' })
  const asked = await app.endpoint({
    path: '/asked',
    run_settings: {
      reference_path: 'n',
      status_query: {
        endpoint_id: status,
        parameter: 'n',
        received: { statuses: '200' },
        not_received: { statuses: '404' },
        reference_path: 'number',
      },
    },
  })
  const plain = await app.endpoint({ path: '/plain', run_settings: { reference_path: 'n' } })
  flow = await app.workflow([{ endpointId: asked, text: '{"n":"{{input.n}}"}' }], { kind: 'tax' })
  silent = await app.workflow([{ endpointId: plain, text: '{"n":"{{input.n}}"}' }], { kind: 'tax' })
})
afterAll(() => app.close())
beforeEach(async () => {
  await app.startOver()
  app.answer((request, ...rest) => {
    if (request.method !== 'GET') return json(200, {})(request, ...rest)
    const reference = request.url.split('/').at(-1) ?? ''
    if (reference === 'odd') return json(500, {})(request, ...rest)
    return json(has.has(reference) ? 200 : 404, { number: `A-${reference}` })(request, ...rest)
  })
})

const put = async (reference: string, of = flow) => {
  const inputText = JSON.stringify({ n: reference })
  return (await app.put(of, { reference, orderKey: null, inputText })).runId
}
const check = (body: object = {}, token = app.token) =>
  app.post('/api/installation/check-gap', body, token)
const submits = () => app.upstream.received.filter(({ method }) => method === 'POST')

it('what they have is accepted and leaves its lane; the rest is sent once after the release', async () => {
  expect(await check()).toMatchObject({ status: 409, body: { code: 'installation.not_held' } })
  await app.server.stores.installationHold.begin({
    reason: 'restore',
    backup_made_at: '2026-06-01T07:00:00.000Z',
    held_since: '2026-06-01T07:30:00.000Z',
  })
  has.add('there')
  const ids = [
    await put('there'),
    await put('missing'),
    await put('odd'),
    await put('alone', silent),
  ]
  const answer = await check()
  expect(answer.status, answer.text).toBe(200)
  expect(answer.body as GapAnswer).toMatchObject({
    results: [
      { id: ids[0], reference: 'there', outcome: 'received' },
      { id: ids[1], outcome: 'not_received' },
      { id: ids[2], outcome: 'unclear' },
      { id: ids[3], outcome: 'no_query' },
    ],
    next_after: null,
  })
  const overtaken = await app.show(ids[0] ?? 0)
  expect(overtaken).toMatchObject({ state: 'cancelled' })
  const found = await app.show(overtaken.overtaken_by ?? 0)
  expect(found).toMatchObject({
    state: 'succeeded',
    reference: 'there',
    user_name: 'Gatehouse',
    steps: [{ documents: [{ state: 'accepted', authority_reference: 'A-there' }] }],
    resume: { step: null },
    run_again: { is_allowed: false },
  })
  // What was accepted is not asked about again.
  const questions = app.upstream.received.length
  expect((await check({ after: ids[1] })).body).toMatchObject({ results: [{}, {}] })
  expect(app.upstream.received).toHaveLength(questions + 1)

  await app.server.stores.installationHold.release(app.server.time.now.toISOString())
  await app.server.db.updateTable('lane').set({ is_paused: 0 }).execute()
  await app.later(1_000)
  expect(
    submits()
      .map(({ body }) => JSON.parse(body) as { n: string })
      .map(({ n }) => n)
      .toSorted(),
  ).toEqual(['alone', 'missing', 'odd'])
  // A program that sends it again meets the document.
  const again = await put('there')
  await app.settled()
  expect(await app.show(again)).toMatchObject({ state: 'blocked' })
  expect(submits()).toHaveLength(3)
})

it('the list of an authority answers for runs that no query asks about, and what it has besides is entered', async () => {
  const list = await app.endpoint({ method_type: 'get', path: '/list' })
  const listed = { n: ['listed', 'elsewhere'] }
  app.answer((request, ...rest) =>
    json(200, request.url.startsWith('/list') ? { items: listed.n.map((no) => ({ no })) } : {})(
      request,
      ...rest,
    ),
  )
  const side = { endpoint_id: list, request: '', items_path: 'items', reference_path: 'no' }
  const comparison = async (name: string, workflow_id: number | null) => {
    const body = { name, workflow_id, time_zone: 'Europe/Berlin', erp: side, authority: side }
    const made = await app.post('/api/reconciliations', body)
    expect(made.status, made.text).toBe(201)
  }
  await comparison('Sales', silent.id)
  await comparison('All', null)
  const madeAt = new Date(app.server.time.now.getTime() - 3_600_000).toISOString()
  await app.server.stores.installationHold.begin({
    reason: 'restore',
    backup_made_at: madeAt,
    held_since: madeAt,
  })
  const queued = await put('listed', silent)
  const answer = (await check()).body as GapAnswer
  expect(answer.results).toMatchObject([{ id: queued, outcome: 'received' }])
  expect(answer.lists).toEqual([
    { name: 'Sales', listed: 2, entered: 1, message: null },
    {
      name: 'All',
      listed: 2,
      entered: 0,
      message: 'It names no workflow that submits, so nothing was entered.',
    },
  ])
  expect(await app.show(queued)).toMatchObject({ state: 'cancelled' })
  // Once more: all of it is known.
  const again = (await check()).body as GapAnswer
  expect(again.lists).toMatchObject([{ entered: 0 }, { entered: 0 }])
  await app.server.stores.installationHold.release(app.server.time.now.toISOString())
  await app.server.db.updateTable('lane').set({ is_paused: 0 }).execute()
  await app.later(1_000)
  // A program that sends it after the release meets the document.
  const later = await put('elsewhere', silent)
  await app.settled()
  expect(await app.show(later)).toMatchObject({ state: 'blocked' })
  expect(submits()).toEqual([])
})

it('takes workflow.operate, and a number', async () => {
  const person = await app.person(['workflow.view'])
  expect((await check({}, person.token)).status).toBe(403)
  expect((await check({ after: -1 })).status).toBe(422)
})
