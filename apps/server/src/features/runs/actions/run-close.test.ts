import type { RunListItem } from '@gatehouse/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { json, runOf, startRunServer, type RunServer } from '../../../../test/servers/run-server.ts'

let app: RunServer
let post: number
let carrier: number
beforeAll(async () => {
  app = await startRunServer()
  const patient = await app.createApi({ name: 'Patient', answer_timeout_ms: 20_000 })
  post = await app.endpoint({}, patient)
  carrier = await app.endpoint({ run_settings: { reference_path: 'no' } }, patient)
})
afterAll(() => app.close())
beforeEach(() => {
  app.upstream.received.length = 0
  app.answer(json(200, { id: 7 }))
})

let content = 0
const fresh = () => `{"n":${++content}}`
const listed = async (query: string) => {
  const { body } = await app.server.send('GET', `/api/runs?limit=100&${query}`, {
    token: app.token,
  })
  return (body as [{ data: RunListItem[] }])[0].data
}
const ids = async (query: string) => (await listed(query)).map(({ id }) => id)
async function ended(status: number, body = fresh()) {
  app.answer(json(status, {}))
  const { id } = runOf(await app.tax([{ end_point: post, body }]))
  app.answer(json(200, { id: 7 }))
  return { id, body }
}
const close = (id: number, as = app.token) =>
  app.post(`/api/runs/${id}/close`, { reason: 'Sent by hand' }, as)

describe('a run in whose place another was sent', () => {
  it('is overtaken by the run that corrects it', async () => {
    const { id } = await ended(400)
    expect(await ids('work=open')).toContain(id)
    const corrected = runOf(
      await app.post(`/api/runs/${id}/retry`, { endpoint_1: { body: fresh() } }),
    )
    expect(await app.show(id)).toMatchObject({ overtaken_by: corrected.id, state: 'rejected' })
    expect(await ids('work=open')).not.toContain(id)
    expect(await ids('work=overtaken')).toContain(id)
  })

  it('is overtaken by the same content with a new key', async () => {
    const { id, body } = await ended(401)
    const next = runOf(await app.tax([{ end_point: post, body }], { key: 'another-key-1' }))
    expect(next.id).not.toBe(id)
    expect(await app.show(id)).toMatchObject({ overtaken_by: next.id })
  })

  it('is open work again once it goes on itself, and the other is not', async () => {
    const { id, body } = await ended(401)
    app.answer(json(401, {}))
    const next = runOf(await app.tax([{ end_point: post, body }], { key: 'another-key-2' }))
    expect((await app.post(`/api/runs/${id}/resume`, {})).status).toBe(502)
    expect(await app.show(id)).toMatchObject({ overtaken_by: null })
    expect(await app.show(next.id)).toMatchObject({ overtaken_by: id })
  })
})

it('a step whose document another run holds names that run', async () => {
  const first = runOf(await app.tax([{ end_point: carrier, body: '{"no":"D-1"}' }]))
  app.answer(json(200, { no: 'D-1' }))
  const steps = [
    { end_point: post, body: fresh() },
    { end_point: carrier, body: '{"no":"{{steps.1.body.no}}"}' },
  ]
  const { id, state } = runOf(await app.tax(steps))
  expect(state).toBe('blocked')
  expect((await app.show(id)).steps[1]).toMatchObject({ state: 'blocked', blocked_by: first.id })
})

describe('a person closes a run', () => {
  it('with a reason, which is kept, shown and audited', async () => {
    const { id } = await ended(400)
    const person = await app.person(['run.view', 'run.resolve'])
    const answer = await close(id, person.token)
    expect(answer.status, answer.text).toBe(200)
    expect(await app.show(id)).toMatchObject({
      state: 'rejected',
      is_closed: true,
      closed: { reason: 'Sent by hand', at: app.server.time.now.toISOString() },
      close: { is_allowed: false },
    })
    expect(await ids('work=open')).not.toContain(id)
    expect(await ids('work=closed')).toContain(id)
    const { body } = await app.server.send('GET', `/api/audit?thing=run&thing_id=${id}`, {
      token: app.token,
    })
    expect(JSON.stringify(body)).toContain('"run.close"')
    expect((await close(id)).body).toMatchObject({ code: 'run.not_closable' })
  })

  it('and a resume opens it again', async () => {
    const { id } = await ended(401)
    await close(id)
    app.answer(json(401, {}))
    await app.post(`/api/runs/${id}/resume`, {})
    expect(await app.show(id)).toMatchObject({ is_closed: false, closed: null })
  })

  it('not while what became of a step is unknown, nor one that succeeded', async () => {
    app.answer((_request, _response, socket) => socket.destroy())
    const unknown = runOf(await app.tax([{ end_point: post, body: fresh() }]))
    const refused = await close(unknown.id)
    expect(refused.status).toBe(409)
    expect(refused.body).toMatchObject({
      code: 'run.not_closable',
      message: expect.stringContaining('say first whether it was received'),
    })
    const { id } = await ended(200)
    expect((await close(id)).status).toBe(409)
  })

  it('not while it is under way', async () => {
    const arrived = Promise.withResolvers<() => void>()
    app.answer((_request, response) => arrived.resolve(() => response.end('{}')))
    const sent = app.tax([{ end_point: post, body: fresh() }], { key: 'under-way-1' })
    const answer = await arrived.promise
    const [run] = await listed('key=under-way-1')
    expect((await close(run?.id ?? 0)).body).toMatchObject({ code: 'run.in_progress' })
    answer()
    expect((await sent).status).toBe(200)
  })

  it('not without a reason, nor without run.resolve', async () => {
    const { id } = await ended(400)
    expect((await app.post(`/api/runs/${id}/close`, { reason: ' ' })).status).toBe(422)
    const person = await app.person(['run.view', 'run.resume', 'tax.send'], [post])
    expect((await close(id, person.token)).status).toBe(403)
  })
})
