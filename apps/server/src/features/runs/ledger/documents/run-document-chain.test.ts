import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { endpointOf } from '../../../../../test/servers/build-server.ts'
import {
  json,
  runOf,
  startRunServer,
  type RunServer,
} from '../../../../../test/servers/run-server.ts'
import { keyOf } from '../../../../../test/rows/carry-document.ts'

let app: RunServer
let plain: number
let clearance: number
let reporting: number
let archive: number
beforeAll(async () => {
  app = await startRunServer()
  const run_settings = { reference_path: 'no' }
  plain = await app.endpoint({ method_type: 'get', path: '/plain' })
  clearance = await app.endpoint({ path: '/clearance', run_settings })
  reporting = await app.endpoint({ path: '/reporting', run_settings })
  archive = await app.endpoint({ path: '/archive' })
})
afterAll(() => app.close())
beforeEach(() => {
  app.upstream.received.length = 0
  app.answer(json(200, {}))
})

let content = 0
const carry = (end_point: number, no: string) => ({
  end_point,
  body: `{"no":"${no}","n":${++content}}`,
})
const failAt = (path: string, status = 422) =>
  app.answer((request, response, socket) =>
    json(request.url === path ? status : 200, {})(request, response, socket),
  )
const retry = (id: number, body: unknown) => app.post(`/api/runs/${id}/retry`, body)
const paths = () => app.upstream.received.map(({ url }) => url)
const documentOf = async (reference: string) => {
  const row = await app.server.stores.documents.getByReference(keyOf(reference, 'Authority'))
  return { state: row.state, run_id: row.run_id }
}

describe('a step whose endpoint takes documents', () => {
  it.each([
    ['no value at its path', '{"no":"{{steps.1.body.no}}"}', {}, 'blocked'],
    ['a blank one', '{"no":"{{steps.1.body.no}}"}', { no: '' }, 'blocked'],
    ['a list', '{"no":"{{steps.1.body.no}}"}', { no: ['A', 'B'] }, 'blocked'],
    ['null', '{"no":"{{steps.1.body.no}}"}', { no: null }, 'blocked'],
    ['another key', '{"number":"{{steps.1.body.no}}"}', { no: 'A-1' }, 'blocked'],
  ])('is not sent when the values of earlier answers leave it %s', async (_, body, said, state) => {
    app.answer(json(200, said))
    const steps = [{ end_point: plain }, { end_point: clearance, body }]
    const blocked = await app.tax(steps)
    expect(blocked.status).toBe(502)
    expect(runOf(blocked)).toMatchObject({
      state,
      steps: [{ state: 'succeeded' }, { state, message: expect.stringMatching(/\bno\b/) }],
    })
    expect(paths()).toEqual(['/plain'])
  })

  it('is not sent when what it picks from step 1 is a list of documents', async () => {
    app.answer(json(200, [{ no: 'L-1' }, { no: 'L-2' }]))
    const steps = [
      { end_point: plain },
      { end_point: clearance, is_dependent: true, dependency_field: 'no' },
    ]
    const blocked = await app.tax(steps)
    expect(runOf(blocked).steps[1]).toMatchObject({
      state: 'blocked',
      message: 'The body has no document reference at no.',
    })
    expect(paths()).toEqual(['/plain'])
    // The person corrects what was picked from; nothing was lost.
    const corrected = await retry(runOf(blocked).id, {
      endpoint_2: { body: '{"no":"L-1"}', dependency_field: '' },
    })
    expect(corrected.status, corrected.text).toBe(200)
  })
})

describe('a correction whose later step carries what a kept step had accepted', () => {
  it('is sent: the run before it is not another sender', async () => {
    failAt('/reporting')
    const first = runOf(await app.tax([carry(clearance, 'K-1'), carry(reporting, 'K-1')]))
    expect(first.state).toBe('rejected')
    app.answer(json(200, {}))
    const corrected = await retry(first.id, { endpoint_2: { body: carry(reporting, 'K-1').body } })
    expect(corrected.status, corrected.text).toBe(200)
    expect(paths()).toEqual(['/clearance', '/reporting', '/reporting'])
    expect(await documentOf('K-1')).toEqual({ state: 'accepted', run_id: runOf(corrected).id })
  })

  it('is sent by a correction of the correction too, and by its resume', async () => {
    failAt('/reporting')
    const first = runOf(await app.tax([carry(clearance, 'K-2'), carry(reporting, 'K-2')]))
    const correction = () => ({ endpoint_2: { body: carry(reporting, 'K-2').body } })
    const second = runOf(await retry(first.id, correction()))
    expect(await documentOf('K-2')).toEqual({ state: 'accepted', run_id: first.id })
    failAt('/reporting', 401)
    const third = runOf(await retry(second.id, correction()))
    expect(third.state).toBe('blocked')
    app.answer(json(200, {}))
    const resumed = await app.post(`/api/runs/${third.id}/resume`, {})
    expect(resumed.status, resumed.text).toBe(200)
    expect(paths().filter((path) => path === '/clearance')).toHaveLength(1)
  })

  it('is refused where it would go to the endpoint that has accepted it', async () => {
    failAt('/archive')
    const first = runOf(await app.tax([carry(clearance, 'K-3'), carry(archive, 'K-3')]))
    const other = runOf(await app.tax([carry(clearance, 'K-4'), carry(clearance, 'K-5')]))
    expect(other.state).toBe('succeeded')
    failAt('/clearance')
    const again = runOf(await app.tax([carry(archive, 'K-6'), carry(clearance, 'K-6')]))
    expect(again.state).toBe('rejected')
    app.upstream.received.length = 0
    app.answer(json(200, {}))
    // Step 2 is corrected to a document that another chain had accepted.
    for (const [id, no] of [
      [again.id, 'K-3'],
      [again.id, 'K-5'],
    ] as const) {
      const refused = await retry(id, { endpoint_2: { body: carry(clearance, no).body } })
      expect(refused.status).toBe(409)
      expect(refused.body).toMatchObject({ code: 'document.may_be_accepted' })
    }
    expect(paths()).toEqual([])
    expect((await retry(first.id, {})).status).toBe(200)
    expect(paths()).toEqual(['/archive'])
  })

  it('is refused where the kept step sent it to the same endpoint', async () => {
    app.answer((request, response, socket) =>
      json(request.body.includes('"K-7"') ? 200 : 422, {})(request, response, socket),
    )
    const first = runOf(await app.tax([carry(clearance, 'K-7'), carry(clearance, 'K-8')]))
    expect(first.steps.map(({ state }) => state)).toEqual(['succeeded', 'rejected'])
    const refused = await retry(first.id, { endpoint_2: { body: carry(clearance, 'K-7').body } })
    expect(refused.status).toBe(409)
    expect(refused.body).toMatchObject({
      code: 'document.may_be_accepted',
      message: expect.stringContaining('step 1'),
    })
    expect(await documentOf('K-7')).toEqual({ state: 'accepted', run_id: first.id })
  })
})

it('one bundle never sends a document to one endpoint twice', async () => {
  const refused = await app.tax([carry(clearance, 'T-1'), carry(clearance, 'T-1')])
  expect(refused.status).toBe(409)
  expect(refused.body).toMatchObject({ code: 'document.may_be_accepted' })
  expect(paths()).toEqual([])
  // Where it shows only amid the run, the second step is blocked.
  app.answer(json(200, { no: 'T-2' }))
  const blocked = runOf(
    await app.tax([
      carry(clearance, 'T-2'),
      { end_point: clearance, body: '{"no":"{{steps.1.body.no}}"}' },
    ]),
  )
  expect(blocked.steps.map(({ state }) => state)).toEqual(['succeeded', 'blocked'])
  expect(paths()).toEqual(['/clearance'])
  expect(await documentOf('T-2')).toEqual({ state: 'accepted', run_id: blocked.id })
})

it('what was sent stays the document it was sent as, when the settings change before it is sent again', async () => {
  const settings = (reference_path: string) => ({ reference_path, is_duplicate_safe: true })
  const changing = { path: '/changing', method_type: 'post', summery: 'Changing' }
  const id = await app.endpoint({ ...changing, run_settings: settings('no') })
  app.answer((_request, _response, socket) => socket.destroy())
  const run = runOf(await app.tax([{ end_point: id, body: '{"no":"S-1","number":"S-2"}' }]))
  expect(await documentOf('S-1')).toEqual({ state: 'unknown', run_id: run.id })
  const { api_id } = await app.server.db
    .selectFrom('endpoint')
    .select('api_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const changed = await app.server.send('PUT', `/api/endpoint/${id}`, {
    token: app.token,
    body: endpointOf(api_id, { ...changing, run_settings: settings('number') }),
  })
  expect(changed.status, changed.text).toBe(200)
  app.answer(json(200, {}))
  expect((await app.post(`/api/runs/${run.id}/resume`, {})).status).toBe(200)
  expect(await documentOf('S-1')).toEqual({ state: 'accepted', run_id: run.id })
  expect(
    await app.server.stores.documents.findByReference(keyOf('S-2', 'Authority')),
  ).toBeUndefined()
})
