// Databases: SQLite.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Permission, RunDetail } from '@gatehouse/contract'
import {
  json,
  runOf,
  startRunServer,
  type RunServer,
  type SentStep,
} from '../../../../test/servers/run-server.ts'

let app: RunServer
let post: number
beforeAll(async () => {
  app = await startRunServer()
  post = await app.endpoint()
})
afterAll(() => app.close())
beforeEach(() => {
  app.upstream.received.length = 0
  app.answer(json(200, { id: 7 }))
})

let content = 0
const fresh = () => `{"n":${++content}}`
const denied = (what: string) => ({
  code: 'permission.denied',
  message: expect.stringContaining(what),
})

describe('Resume is for those who may send', () => {
  const resume = (id: number, as: string) => app.post(`/api/runs/${id}/resume`, {}, as)
  async function blocked() {
    app.answer(json(401, {}))
    const { id } = runOf(await app.tax([{ end_point: post, body: fresh() }]))
    app.answer(json(200, { id: 7 }))
    app.upstream.received.length = 0
    return id
  }

  it('refuses who lacks tax.send, with every endpoint at hand', async () => {
    const id = await blocked()
    const person = await app.person(['run.view', 'run.resume', 'credit.send'], [post])
    expect((await resume(id, person.token)).body).toMatchObject(denied('tax.send'))
    expect(app.upstream.received).toEqual([])
    const sender = await app.person(['run.resume', 'tax.send'], [post])
    expect((await resume(id, sender.token)).status).toBe(200)
  })

  it('refuses who lacks tax.test for a test', async () => {
    const api = await app.createApi({ name: 'Tested', test_api_url: 'http://127.0.0.1:9' })
    const endpoint = await app.endpoint({}, api)
    const step = { end_point: endpoint, body: fresh(), test_invoice: true }
    const { id, state } = runOf(await app.tax([step]))
    expect(state).toBe('not_started')
    const person = await app.person(['run.resume', 'tax.send'], [endpoint])
    const refused = await resume(id, person.token)
    expect(refused.status).toBe(403)
    expect(refused.body).toMatchObject(denied('tax.test'))
  })
})

it('Resolve is for those with access to the endpoint of the step', async () => {
  app.answer((_request, _response, socket) => socket.destroy())
  const { id, state } = runOf(await app.tax([{ end_point: post, body: fresh() }]))
  expect(state).toBe('unknown')
  const resolve = (as: string) =>
    app.post(`/api/runs/${id}/resolve`, { step: 1, verdict: 'not_received' }, as)
  const outsider = await app.person(['run.view', 'run.resolve'])
  const refused = await resolve(outsider.token)
  expect(refused.status).toBe(403)
  expect(refused.body).toMatchObject(denied('access to the endpoint'))
  expect(await app.show(id)).toMatchObject({ state: 'unknown' })
  const insider = await app.person(['run.view', 'run.resolve'], [post])
  expect((await resolve(insider.token)).status).toBe(200)
})

describe('the preview compares', () => {
  const secret = 'somebody-else'
  const preview = (endpoint: number, as: string) =>
    app.post('/api/tax/preview', { endpoint_1: { end_point: endpoint, body: '{"n":0}' } }, as)

  it('with one’s own requests only, without run.view', async () => {
    const endpoint = await app.endpoint()
    const sender = await app.person(['tax.send'], [endpoint])
    const step = { end_point: endpoint, body: '{"n":"mine"}' }
    const own = runOf(await app.tax([step], { as: sender.token }))
    await app.tax([{ end_point: endpoint, body: `{"n":"${secret}"}` }])
    const shown = await preview(endpoint, sender.token)
    expect(shown.text).not.toContain(secret)
    expect(shown.body).toMatchObject({
      steps: [{ last_accepted: { run_id: own.id }, marks: [{ path: 'n', before: '"mine"' }] }],
    })
    const other = await app.person(['tax.send'], [endpoint])
    expect((await preview(endpoint, other.token)).body).toMatchObject({
      steps: [{ last_accepted: null, marks: [] }],
    })
  })

  it('with everybody’s, with run.view', async () => {
    const endpoint = await app.endpoint()
    await app.tax([{ end_point: endpoint, body: `{"n":"${secret}"}` }])
    const viewer = await app.person(['tax.send', 'run.view'], [endpoint])
    expect((await preview(endpoint, viewer.token)).text).toContain(secret)
  })
})

describe('what a run offers is what the server lets the person do', () => {
  const shownTo = async (id: number, as: string) =>
    (await app.server.send('GET', `/api/runs/${id}`, { token: as })).body as RunDetail
  const blocked = async (step: SentStep) => {
    app.answer(json(401, {}))
    const { id } = runOf(await app.tax([step]))
    app.answer(json(200, { id: 7 }))
    return id
  }
  const offers = ({ resume, correct, run_again }: RunDetail) => ({
    isOffered: [resume.step !== null, correct.is_allowed, run_again.is_allowed],
    refusals: [...new Set([resume.refusal, correct.refusal, run_again.refusal])],
  })
  const none = [false, false, false]
  const all = [true, true, true]

  it('nothing to send with without tax.send, and everything with it', async () => {
    const id = await blocked({ end_point: post, body: fresh() })
    const viewer = await app.person(['run.view', 'run.resume', 'credit.send'], [post])
    const refusals = [expect.stringContaining('tax.send')]
    expect(offers(await shownTo(id, viewer.token))).toEqual({ isOffered: none, refusals })
    const sender = await app.person(['run.view', 'run.resume', 'tax.send'], [post])
    expect(offers(await shownTo(id, sender.token))).toEqual({ isOffered: all, refusals: [null] })
  })

  it('nothing of a test without tax.test', async () => {
    const api = await app.createApi({ name: 'Also tested', test_api_url: app.upstream.url })
    const endpoint = await app.endpoint({}, api)
    const id = await blocked({ end_point: endpoint, body: fresh(), test_invoice: true })
    const sender = await app.person(['run.view', 'run.resume', 'tax.send'], [endpoint])
    const refusals = [expect.stringContaining('tax.test')]
    expect(offers(await shownTo(id, sender.token))).toEqual({ isOffered: none, refusals })
  })

  it('nothing without access to an endpoint that it would call', async () => {
    const id = await blocked({ end_point: post, body: fresh() })
    const sender = await app.person(['run.view', 'run.resume', 'tax.send'])
    const refusals = ['Step 1: None of your roles has access to this endpoint.']
    expect(offers(await shownTo(id, sender.token))).toEqual({ isOffered: none, refusals })
  })

  it('Resolve only to those who hold run.resolve and the endpoint', async () => {
    app.answer((_request, _response, socket) => socket.destroy())
    const { id } = runOf(await app.tax([{ end_point: post, body: fresh() }]))
    const may = async (permissions: Permission[], endpoints: number[]) => {
      const { token } = await app.person(['run.view', ...permissions], endpoints)
      return (await shownTo(id, token)).steps[0]?.can.resolve
    }
    expect(await may(['run.resolve'], [])).toBe(false)
    expect(await may(['run.resume'], [post])).toBe(false)
    expect(await may(['run.resolve'], [post])).toBe(true)
  })
})
