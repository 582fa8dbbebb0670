import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import {
  json,
  runOf,
  startRunServer,
  type Answerer,
  type RunServer,
} from '../../../../../test/servers/run-server.ts'

let app: RunServer
let plain: number
let invoices: number
let notes: number
beforeAll(async () => {
  app = await startRunServer()
  plain = await app.endpoint({ method_type: 'get', path: '/plain' })
  invoices = await app.endpoint({
    path: '/invoices',
    run_settings: { reference_path: 'no', authority_reference_path: 'number', qr_path: 'qr' },
  })
  notes = await app.endpoint({
    path: '/notes',
    run_settings: { reference_path: 'no', original_reference_path: 'of' },
  })
})
afterAll(() => app.close())
beforeEach(() => {
  app.upstream.received.length = 0
  app.answer(json(200, { number: 'EIN1', qr: 'QR' }))
})

let content = 0
const cut: Answerer = (_request, _response, socket) => socket.destroy()
const invoice = (no: string) => ({ end_point: invoices, body: `{"no":"${no}","n":${++content}}` })
const document = async (reference: string) => {
  const answer = await app.server.send('GET', '/api/documents', {
    token: app.token,
    query: { search: reference },
  })
  return (answer.body as [{ data: Record<string, unknown>[] }])[0].data[0]
}

it('an accepted document is not sent again by another run, however its body differs', async () => {
  const first = runOf(await app.tax([invoice('A-1')]))
  const again = await app.tax([invoice('A-1')])
  expect(again.status).toBe(409)
  expect(again.body).toMatchObject({ code: 'document.may_be_accepted', run_id: first.id })
  expect(app.upstream.received).toHaveLength(1)
  expect(await document('A-1')).toMatchObject({ state: 'accepted', authority_reference: 'EIN1' })
  expect(await app.show(first.id)).toMatchObject({ reference: 'A-1' })
})

it('the refusal comes before anything is sent, and leaves no run behind', async () => {
  await app.tax([invoice('A-2')])
  const before = await app.server.db.selectFrom('run').select('id').execute()
  app.upstream.received.length = 0
  const refused = await app.tax([{ end_point: plain }, invoice('A-2')])
  expect(refused.status).toBe(409)
  expect(app.upstream.received).toEqual([])
  expect(await app.server.db.selectFrom('run').select('id').execute()).toEqual(before)
})

it('a reference that is known only from an earlier answer blocks its step', async () => {
  await app.tax([invoice('A-3')])
  app.answer(json(200, { no: 'A-3' }))
  const blocked = await app.tax([
    { end_point: plain },
    { end_point: invoices, body: `{"no":"{{steps.1.body.no}}","n":${++content}}` },
  ])
  expect(blocked.status).toBe(502)
  expect(runOf(blocked).steps[1]).toMatchObject({
    state: 'blocked',
    message: expect.stringContaining('A-3'),
  })
  expect(app.upstream.received.map(({ url }) => url)).toEqual(['/invoices', '/plain'])
})

it('an unknown document is settled with its step, and its own run may go on', async () => {
  app.answer(cut)
  const { id } = runOf(await app.tax([invoice('A-4')]))
  expect(await document('A-4')).toMatchObject({ state: 'unknown' })
  expect((await app.tax([invoice('A-4')])).status).toBe(409)
  await app.post(`/api/runs/${id}/resolve`, { step: 1, verdict: 'not_received' })
  expect(await document('A-4')).toMatchObject({ state: 'open' })
  app.answer(json(200, { number: 'EIN4' }))
  expect((await app.post(`/api/runs/${id}/resume`, {})).status).toBe(200)
  expect(await document('A-4')).toMatchObject({ state: 'accepted', authority_reference: 'EIN4' })
})

it('a rejected document may be sent again, corrected', async () => {
  app.answer(json(422, {}))
  await app.tax([invoice('A-5')])
  app.answer(json(200, {}))
  expect((await app.tax([invoice('A-5')])).status).toBe(200)
})

it('a document that a run had claimed and never sent is free again', async () => {
  app.answer((request, response, socket) =>
    json(request.url === '/plain' ? 404 : 200, {})(request, response, socket),
  )
  await app.tax([{ end_point: plain }, invoice('A-6')])
  expect((await app.tax([invoice('A-6')])).status).toBe(200)
})

it('a credit is linked to the run of its original, and refused where that was not accepted', async () => {
  const original = runOf(await app.tax([invoice('B-1')]))
  const credit = await app.credit([{ end_point: notes, body: '{"no":"C-1","of":"B-1"}' }])
  expect(credit.status, credit.text).toBe(200)
  expect(await app.show(runOf(credit).id)).toMatchObject({ original: original.id })
  expect(await app.show(original.id)).toMatchObject({ credits: [runOf(credit).id] })
  app.answer(json(422, {}))
  await app.tax([invoice('B-2')])
  const refused = await app.credit([{ end_point: notes, body: '{"no":"C-2","of":"B-2"}' }])
  expect(refused.body).toMatchObject({ code: 'document.not_accepted' })
})

it('a body without the reference that its endpoint asks for is a 422', async () => {
  const refused = await app.tax([{ end_point: invoices, body: '{"n":1}' }])
  expect(refused.status).toBe(422)
  expect(refused.body).toMatchObject({
    errors: { 'endpoint_1.body': [expect.stringContaining('no')] },
  })
})

it('two runs with one reference at once: one is sent', async () => {
  const answers = await Promise.all(Array.from({ length: 10 }, () => app.tax([invoice('D-1')])))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(9)
  expect(app.upstream.received).toHaveLength(1)
})
