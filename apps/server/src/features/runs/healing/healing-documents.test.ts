import type { RunDetail } from '@gatehouse/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startLaneServer, type LaneServer } from '../../../../test/servers/lane-server.ts'
import { cut, json, type Answerer } from '../../../../test/servers/run-server.ts'

// Requests with lists of documents whose answer was lost: the authority is asked about each of them.

let app: LaneServer
let search: number
let bySubmission: number
beforeAll(async () => {
  app = await startLaneServer()
  search = await app.endpoint({ method_type: 'get', path: '/documents' })
  bySubmission = await app.endpoint({ method_type: 'get', path: '/submissions/{uid}' })
})
afterAll(() => app.close())

const quietMs = 60_000
const says = (value: string) => ({ conditions: [{ path: 'status', test: 'equals', value }] })
const settings = () => ({
  documents: {
    items_path: 'documents',
    reference_path: 'no',
    accepted_path: 'accepted',
    rejected_path: 'rejected',
    answer_reference_path: 'no',
    poll: {
      list_path: 'found',
      reference_path: 'no',
      accepted: says('Valid'),
      rejected: says('Invalid'),
      authority_reference_path: 'number',
      message_path: 'reason',
      page_parameter: 'page',
    },
  },
  status_query: {
    endpoint_id: search,
    parameter: 'no',
    received: { statuses: '299' },
    not_received: { statuses: '404' },
    quiet_seconds: 60,
  },
  healing: 'ask_and_send',
})

/** What the authority has, by the number of a document. */
let there: Map<string, 'Valid' | 'Invalid' | 'Submitted'>
let submit: Answerer
let count = 0
let names: string[]
beforeEach(async () => {
  await app.startOver()
  there = new Map()
  submit = cut
  const number = ++count
  names = ['A', 'B', 'C'].map((name) => `${name}-${number}`)
  app.answer((request, ...rest) => {
    const asked = new URL(request.url, 'http://x').searchParams
    const no = asked.get('no')
    if (request.method !== 'GET') return submit(request, ...rest)
    const status = there.get(no ?? '')
    if (!status) return json(404, {})(request, ...rest)
    // The search finds what begins like this, page by page.
    const page = Number(asked.get('page') ?? 1)
    const found = [
      { no: `${no}0`, status: 'Invalid', reason: 'Another' },
      { no, status, number: `N-${no}`, reason: status === 'Invalid' ? 'No TIN' : '' },
    ].slice(page - 1, page)
    return json(200, { found })(request, ...rest)
  })
})

const bodyOf = (list: readonly string[]) =>
  JSON.stringify({ documents: list.map((no) => ({ no })) })

/** A run whose answer was lost. */
async function lost(list: readonly string[], changes: object = {}) {
  const endpointId = await app.endpoint({ run_settings: { ...settings(), ...changes } })
  const flow = await app.workflow([{ endpointId, text: '{"documents":"{{input.documents}}"}' }])
  const { runId } = await app.put(flow, { inputText: bodyOf(list) })
  await app.settled()
  expect(await app.show(runId)).toMatchObject({ state: 'unknown' })
  return runId
}
async function heal(ms = quietMs) {
  await app.later(ms)
  await app.server.healing.round()
  await app.server.healing.idle()
  await app.later(0)
}
const documentsOf = ({ steps }: RunDetail) =>
  steps[0]?.documents.map(({ reference, state, authority_reference }) => [
    reference,
    state,
    authority_reference,
  ])
const submits = () => app.upstream.received.filter(({ method }) => method === 'POST').length

describe('each is asked about by its own number', () => {
  it('what the authority has accepted is accepted with its number, found on a later page', async () => {
    const id = await lost(names)
    for (const name of names) there.set(name, 'Valid')
    await heal()
    const run = await app.show(id)
    expect(run).toMatchObject({ state: 'succeeded' })
    expect(documentsOf(run)).toEqual(names.map((name) => [name, 'accepted', `N-${name}`]))
  })

  it('one alone too', async () => {
    const id = await lost(names.slice(0, 1))
    there.set(names[0]!, 'Valid')
    await heal()
    expect(await app.show(id)).toMatchObject({ state: 'succeeded' })
  })

  it('a rejection counts when it was said twice, beside what was accepted', async () => {
    const id = await lost(names)
    for (const name of names) there.set(name, name === names[1] ? 'Invalid' : 'Valid')
    await heal()
    expect(await app.show(id)).toMatchObject({ state: 'unknown' })
    await heal()
    const run = await app.show(id)
    expect(run).toMatchObject({ state: 'partial' })
    expect(documentsOf(run)?.map(([, state]) => state)).toEqual([
      'accepted',
      'not_accepted',
      'accepted',
    ])
  })

  it('what it has none of, said twice, is sent again', async () => {
    const id = await lost(names)
    await heal()
    expect(submits()).toBe(1)
    const accepted = names.map((no) => ({ no }))
    submit = json(200, { accepted })
    await heal()
    await app.settled()
    expect(submits()).toBe(2)
    expect(await app.show(id)).toMatchObject({ state: 'succeeded' })
  })

  it('what it has a part of is never sent again, and a person decides', async () => {
    const id = await lost(names)
    there.set(names[0]!, 'Valid')
    for (let n = 0; n < 4; n++) await heal(30 * quietMs)
    expect(submits()).toBe(1)
    expect(await app.show(id)).toMatchObject({ state: 'unknown' })
  })

  it('what it has and has not decided is pending, and asked for until it is', async () => {
    const pending = {
      rule: { statuses: '202' },
      parameter_path: 'uid',
      first_after_seconds: 60,
      give_up_minutes: 600,
    }
    const status_query = { ...settings().status_query, parameter: 'uid', reference_parameter: 'no' }
    const id = await lost(names, { pending, status_query })
    for (const name of names) there.set(name, 'Submitted')
    await heal()
    expect(await app.show(id)).toMatchObject({ state: 'pending' })
    for (const name of names) there.set(name, 'Valid')
    await app.later(quietMs)
    await app.server.polls.round()
    await app.server.polls.idle()
    expect(await app.show(id)).toMatchObject({ state: 'succeeded' })
  })
})

it('that a person asks accepts nothing that the answer does not name', async () => {
  const id = await lost(names, {
    status_query: { ...settings().status_query, received: { statuses: '200' } },
  })
  for (const name of names) there.set(name, name === names[2] ? 'Submitted' : 'Valid')
  const asked = await app.post(`/api/runs/${id}/status-query`, { step: 1 })
  expect(asked.body).toMatchObject({ verdict: 'undecided' })
  expect(await app.show(id)).toMatchObject({ state: 'unknown' })
  there.set(names[2]!, 'Valid')
  expect((await app.post(`/api/runs/${id}/status-query`, { step: 1 })).body).toMatchObject({
    verdict: 'received',
    run: { state: 'succeeded' },
  })
})

it('by the number of a submission that the lost answer had, nothing can be asked', async () => {
  const pending = { rule: { statuses: '202' }, parameter_path: 'uid' }
  const status_query = { ...settings().status_query, endpoint_id: bySubmission, parameter: 'uid' }
  const id = await lost(names, { pending, status_query })
  await heal()
  const run = await app.show(id)
  expect(run.steps[0]?.healing).toMatchObject({ plan: 'no_way' })
  expect(app.upstream.received.filter(({ method }) => method === 'GET')).toEqual([])
})
