// Databases: SQLite.

import type { DocumentRecord, RunDetail } from '@gatehouse/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { json, runOf, startRunServer, type RunServer } from '../../../../test/servers/run-server.ts'

// Requests with several documents: each has its own outcome.

let app: RunServer
let status: number
let atOnce: number
let later: number
let twins: number
const lists = {
  items_path: 'documents',
  reference_path: 'no',
  accepted_path: 'acceptedDocuments',
  rejected_path: 'rejectedDocuments',
  answer_reference_path: 'invoiceCodeNumber',
  authority_reference_path: 'uuid',
  message_path: 'error.message',
}
const says = (value: string) => ({
  conditions: [{ path: 'status', test: 'equals', value }],
})
beforeAll(async () => {
  app = await startRunServer()
  status = await app.endpoint({ method_type: 'get', path: '/submissions/{uid}' })
  atOnce = await app.endpoint({ run_settings: { documents: lists } })
  const duplicate = {
    join: 'any',
    conditions: [
      { path: 'error.details[*].code', test: 'equals', value: 'DS302' },
      { path: 'reason', test: 'contains', value: 'ds302' },
    ],
  }
  twins = await app.endpoint({ run_settings: { documents: { ...lists, duplicate } } })
  later = await app.endpoint({
    run_settings: {
      documents: {
        ...lists,
        duplicate,
        poll: {
          list_path: 'documentSummary',
          reference_path: 'internalId',
          accepted: says('Valid'),
          rejected: says('Invalid'),
          authority_reference_path: 'longId',
          message_path: 'reason',
        },
      },
      status_query: {
        endpoint_id: status,
        parameter: 'uid',
        received: { statuses: '200' },
        not_received: { statuses: '404' },
      },
      pending: { rule: { statuses: '202' }, parameter_path: 'uid', give_up_minutes: 60 },
    },
  })
})
afterAll(() => app.close())

let number = 0
let names: string[]
beforeEach(async () => {
  // What the test before left undecided.
  await app.server.db.deleteFrom('pending_step').execute()
  await app.server.db.deleteFrom('pending_poll').execute()
  app.upstream.received.length = 0
  number++
  names = ['A', 'B', 'C'].map((name) => `${name}-${number}`)
})

const bodyOf = (references: readonly string[]) =>
  JSON.stringify({ documents: references.map((no) => ({ no, total: 1 })) })
const accepted = (...references: string[]) =>
  references.map((invoiceCodeNumber) => ({ invoiceCodeNumber, uuid: `U-${invoiceCodeNumber}` }))
const rejected = (...references: string[]) =>
  references.map((invoiceCodeNumber) => ({ invoiceCodeNumber, error: { message: 'No TIN' } }))
const there = (...references: string[]) =>
  references.map((invoiceCodeNumber) => ({
    invoiceCodeNumber,
    error: { message: 'Duplicate', details: [{ code: 'X1' }, { code: 'DS302' }] },
  }))
const send = async (end_point: number, body = bodyOf(names)) => {
  const answer = await app.tax([{ end_point, body }])
  return { answer, id: runOf(answer)?.id }
}
const documentsOf = ({ steps }: RunDetail) =>
  Object.fromEntries((steps[0]?.documents ?? []).map(({ reference, state }) => [reference, state]))
const find = async (reference: string) => {
  const answer = await app.server.send('GET', `/api/documents?search=${reference}`, {
    token: app.token,
  })
  return (answer.body as [{ data: DocumentRecord[] }])[0].data[0]
}
const states = (...each: string[]) =>
  Object.fromEntries(names.map((name, index) => [name, each[index]]))

describe('each document has its own outcome', () => {
  it('all accepted: the run has succeeded', async () => {
    app.answer(json(200, { acceptedDocuments: accepted(...names), rejectedDocuments: [] }))
    const { answer, id } = await send(atOnce)
    expect(answer.status, answer.text).toBe(200)
    expect(documentsOf(await app.show(id))).toEqual(states('accepted', 'accepted', 'accepted'))
    expect(await find(names[1] ?? '')).toMatchObject({
      state: 'accepted',
      authority_reference: `U-${names[1]}`,
    })
  })

  it('all rejected: so is the run', async () => {
    app.answer(json(200, { acceptedDocuments: [], rejectedDocuments: rejected(...names) }))
    const { answer, id } = await send(atOnce)
    expect(answer.status).toBe(502)
    expect(await app.show(id)).toMatchObject({ state: 'rejected', correct: { is_allowed: true } })
  })

  it('some rejected: the run is partly accepted, and a correction carries only those', async () => {
    const [a = '', b = '', c = ''] = names
    app.answer(json(200, { acceptedDocuments: accepted(a, c), rejectedDocuments: rejected(b) }))
    const { answer, id } = await send(atOnce)
    expect(answer.status).toBe(502)
    expect(answer.body).toMatchObject({ run: { state: 'partial' } })
    const run = await app.show(id)
    expect(run).toMatchObject({
      state: 'partial',
      resume: { step: null },
      run_again: { is_allowed: false },
      correct: { is_allowed: true },
    })
    expect(run.steps[0]).toMatchObject({
      message: `Of its 3 documents 2 accepted, 1 rejected: ${b} (No TIN).`,
      rejected_body: { text: bodyOf([b]) },
    })
    expect(documentsOf(run)).toEqual(states('accepted', 'not_accepted', 'accepted'))
    expect(run.steps[0]?.documents[1]).toMatchObject({ message: 'No TIN' })

    const whole = await app.post(`/api/runs/${id}/retry`, { endpoint_1: { body: bodyOf(names) } })
    expect(whole.body).toMatchObject({ code: 'document.may_be_accepted' })
    app.answer(json(200, { acceptedDocuments: accepted(b) }))
    const corrected = await app.post(`/api/runs/${id}/retry`, {})
    expect(corrected.status, corrected.text).toBe(200)
    expect(app.upstream.received.map(({ body }) => body)).toEqual([bodyOf(names), bodyOf([b])])
    expect(await find(b)).toMatchObject({ state: 'accepted', run_id: runOf(corrected).id })
  })

  it('what the answer does not name is unknown, never accepted', async () => {
    const [a = '', b = ''] = names
    app.answer(json(200, { acceptedDocuments: accepted(a), rejectedDocuments: rejected(b) }))
    const { answer, id } = await send(atOnce)
    expect(answer.status).toBe(504)
    expect(documentsOf(await app.show(id))).toEqual(states('accepted', 'not_accepted', 'unknown'))
    // As a whole it is accepted by nobody: each document is said by itself.
    const whole = await app.post(`/api/runs/${id}/resolve`, { step: 1, verdict: 'received' })
    expect(whole).toMatchObject({
      status: 422,
      body: { errors: { verdict: ['Say what became of each document.'] } },
    })
    const [first, , third] = (await app.show(id)).steps[0]!.documents
    const sayOf = (document: { id: number }) =>
      app.post(`/api/runs/${id}/resolve`, {
        step: 1,
        verdict: 'by_document',
        documents: [{ id: document.id, verdict: 'accepted', reference: 'U-3' }],
      })
    // What is decided stays.
    expect((await sayOf(first!)).status).toBe(422)
    expect((await sayOf(third!)).body).toMatchObject({ run: { state: 'partial' } })
    expect((await app.show(id)).steps[0]?.documents[2]).toMatchObject({
      authority_reference: 'U-3',
    })
    expect(documentsOf(await app.show(id))).toEqual(states('accepted', 'not_accepted', 'accepted'))
  })

  it('not received, beside one that was accepted: it is corrected, the others are not sent again', async () => {
    const [a = '', b = '', c = ''] = names
    app.answer(json(200, { acceptedDocuments: accepted(a, b) }))
    const { id } = await send(atOnce)
    const said = await app.post(`/api/runs/${id}/resolve`, { step: 1, verdict: 'not_received' })
    expect(said.body).toMatchObject({ run: { state: 'partial' } })
    app.answer(json(200, { acceptedDocuments: accepted(c) }))
    expect((await app.post(`/api/runs/${id}/retry`, {})).status).toBe(200)
    expect(app.upstream.received.at(-1)?.body).toBe(bodyOf([c]))
  })

  it('named in both lists is unknown', async () => {
    app.answer(
      json(200, {
        acceptedDocuments: accepted(...names),
        rejectedDocuments: rejected(names[2] ?? ''),
      }),
    )
    const { id } = await send(atOnce)
    expect(documentsOf(await app.show(id))).toEqual(states('accepted', 'accepted', 'unknown'))
  })

  it('no answer: all are unknown, and another run can send none of them', async () => {
    app.answer((_request, _response, socket) => socket.destroy())
    const { answer, id } = await send(atOnce)
    expect(answer.status).toBe(504)
    expect(documentsOf(await app.show(id))).toEqual(states('unknown', 'unknown', 'unknown'))
    app.answer(json(200, {}))
    const other = await send(atOnce, bodyOf(['fresh', names[1] ?? '']))
    expect(other.answer.status).toBe(409)
    expect(other.answer.body).toMatchObject({
      code: 'document.may_be_accepted',
      run_id: id,
      message: expect.stringContaining(names[1] ?? ''),
    })
    expect(app.upstream.received).toHaveLength(1)
    expect(await find('fresh')).toBeUndefined()
  })

  it.each([
    ['twice in the list', () => bodyOf([...names, names[0] ?? '']), 'twice'],
    ['without a reference', () => '{"documents":[{"no":"X"},{"total":1}]}', 'Document 2'],
    ['without the list', () => '{"no":"X"}', 'no list of documents'],
  ])('a document %s is refused before anything is sent', async (_, body, message) => {
    const { answer } = await send(atOnce, body())
    expect(answer.status).toBe(422)
    expect(answer.text).toContain(message)
    expect(app.upstream.received).toEqual([])
  })
})

describe('a document that is rejected because it is there already', () => {
  const answers = (acceptedNow: string[], thereNow: string[], refused: string[] = []) =>
    json(200, {
      acceptedDocuments: accepted(...acceptedNow),
      rejectedDocuments: [...there(...thereNow), ...rejected(...refused)],
    })

  it('blocks a first submission; a person says what became of it', async () => {
    const [a = '', b = '', c = ''] = names
    app.answer(answers([a], [b, c]))
    const { answer, id } = await send(twins)
    expect(answer.status).toBe(502)
    const run = await app.show(id)
    expect(run).toMatchObject({ state: 'blocked', correct: { is_allowed: false } })
    expect(run.steps[0]).toMatchObject({
      state: 'blocked',
      can: { resolve: true, resend: false },
      attempts: [{ outcome: 'duplicate' }],
      message: `Of its 3 documents 1 accepted, 2 already there: ${b} (Duplicate), ${c} (Duplicate). What is there was not sent from here before: say what became of it.`,
    })
    expect(documentsOf(run)).toEqual(states('accepted', 'unknown', 'unknown'))
    const other = await send(twins, bodyOf(['fresh', b]))
    expect(other.answer.body).toMatchObject({ code: 'document.may_be_accepted', run_id: id })
    const [, second, third] = run.steps[0]!.documents
    const say = (...documents: object[]) =>
      app.post(`/api/runs/${id}/resolve`, { step: 1, verdict: 'by_document', documents })
    // One after the other: until the last one the step stays as it is.
    expect((await say({ id: second!.id, verdict: 'accepted', reference: '' })).body).toMatchObject({
      message: '1 document is still unknown.',
    })
    expect(await app.show(id)).toMatchObject({ state: 'blocked' })
    expect((await say({ id: third!.id, verdict: 'rejected', reference: '' })).status).toBe(200)
    expect(await app.show(id)).toMatchObject({ state: 'partial' })
    expect(documentsOf(await app.show(id))).toEqual(states('accepted', 'accepted', 'not_accepted'))
    expect(app.upstream.received).toHaveLength(1)
  })

  it('is pending by the number that a person types, and the authority decides about each', async () => {
    const [a = '', b = '', c = ''] = names
    app.answer((_request, _response, socket) => socket.destroy())
    const { id } = await send(later)
    const step = (await app.show(id)).steps[0]
    expect(step).toMatchObject({
      received_asks: 'submission',
      can: { status_query: true },
      missing: ['uid'],
    })
    const say = (fields: object) =>
      app.post(`/api/runs/${id}/resolve`, { step: 1, verdict: 'received', ...fields })
    expect((await say({})).body).toMatchObject({
      errors: { submission: [expect.stringContaining('Type the number')] },
    })
    expect((await say({ submission: 'S-7' })).body).toMatchObject({ run: { state: 'pending' } })
    expect(documentsOf(await app.show(id))).toEqual(states('pending', 'pending', 'pending'))
    app.upstream.received.length = 0
    const entry = (internalId: string, value: string) => ({ internalId, status: value })
    app.answer(
      json(200, { documentSummary: [entry(a, 'Valid'), entry(b, 'Invalid'), entry(c, 'Valid')] }),
    )
    await app.post(`/api/runs/${id}/status-query`, { step: 1 })
    expect(app.upstream.received.map(({ url }) => url)).toEqual(['/submissions/S-7'])
    expect(documentsOf(await app.show(id))).toEqual(states('accepted', 'not_accepted', 'accepted'))
  })

  it('a status query that lacks a value asks for it at its field', async () => {
    app.answer((_request, _response, socket) => socket.destroy())
    const { id } = await send(later)
    const ask = (values: object) => app.post(`/api/runs/${id}/status-query`, { step: 1, values })
    expect(await ask({})).toMatchObject({
      status: 422,
      body: { errors: { 'values.uid': [expect.stringContaining('type it')] } },
    })
    app.upstream.received.length = 0
    app.answer(json(404, {}))
    expect((await ask({ uid: 'S-9' })).status).toBe(200)
    expect(app.upstream.received.map(({ url }) => url)).toEqual(['/submissions/S-9'])
  })

  it('none of its documents was received: the same request may be sent again', async () => {
    app.answer((_request, _response, socket) => socket.destroy())
    const { id } = await send(atOnce)
    const documents = (await app.show(id)).steps[0]!.documents.map((document) => ({
      id: document.id,
      verdict: 'not_received',
      reference: '',
    }))
    const say = (some: object[]) =>
      app.post(`/api/runs/${id}/resolve`, { step: 1, verdict: 'by_document', documents: some })
    expect((await say([])).status).toBe(422)
    expect((await say([documents[0]!, documents[0]!])).status).toBe(422)
    expect((await say(documents)).status).toBe(200)
    expect(documentsOf(await app.show(id))).toEqual(states('open', 'open', 'open'))
    app.answer(json(200, { acceptedDocuments: accepted(...names) }))
    expect((await app.post(`/api/runs/${id}/resume`, {})).status).toBe(200)
  })

  it('with one that no list names leaves the outcome unknown', async () => {
    const [a = '', b = ''] = names
    app.answer(answers([a], [b]))
    const { answer, id } = await send(twins)
    expect(answer.status).toBe(504)
    expect(documentsOf(await app.show(id))).toEqual(states('accepted', 'unknown', 'unknown'))
  })

  it('is ours where the same bytes were sent before', async () => {
    const [a = '', b = '', c = ''] = names
    const safe = await app.endpoint({
      run_settings: {
        is_duplicate_safe: true,
        documents: { ...lists, duplicate: { conditions: [{ path: 'error', test: 'exists' }] } },
      },
    })
    app.answer((_request, _response, socket) => socket.destroy())
    const { id } = await send(safe)
    app.answer(answers([c], [a, b]))
    const resumed = await app.post(`/api/runs/${id}/resume`, {})
    expect(resumed.status, resumed.text).toBe(200)
    expect(documentsOf(await app.show(id))).toEqual(states('accepted', 'accepted', 'accepted'))
  })
})

describe('decided later', () => {
  const pollNow = () => poll()
  const poll = async (seconds = 300) => {
    app.server.time.now = new Date(app.server.time.now.getTime() + seconds * 1000)
    await app.server.polls.round()
    await app.server.polls.idle()
  }
  const summary = (...each: (readonly [string, string])[]) =>
    json(200, {
      documentSummary: each.map(([internalId, state]) => ({
        internalId,
        status: state,
        longId: `L-${internalId}`,
        reason: state === 'Invalid' ? ['Tax code'] : [],
      })),
    })
  const take = async (...refused: string[]) => {
    const taken = names.filter((name) => !refused.includes(name))
    app.answer(
      json(202, {
        uid: `S-${number}`,
        acceptedDocuments: accepted(...taken),
        rejectedDocuments: rejected(...refused),
      }),
    )
    return send(later)
  }

  it('the status query decides about each, in its time', async () => {
    const [a = '', b = '', c = ''] = names
    const { answer, id } = await take(a)
    expect(answer.status, answer.text).toBe(202)
    expect(documentsOf(await app.show(id))).toEqual(states('not_accepted', 'pending', 'pending'))
    app.answer(summary([b, 'Valid'], [c, 'Submitted']))
    await poll()
    expect(await app.show(id)).toMatchObject({ state: 'pending' })
    expect(documentsOf(await app.show(id))).toEqual(states('not_accepted', 'accepted', 'pending'))
    app.answer(summary([b, 'Valid'], [c, 'Invalid']))
    await poll()
    const run = await app.show(id)
    expect(run).toMatchObject({ state: 'partial', correct: { is_allowed: true } })
    expect(documentsOf(run)).toEqual(states('not_accepted', 'accepted', 'not_accepted'))
    expect(run.steps[0]?.documents.map(({ message }) => message)).toEqual([
      'No TIN',
      null,
      'Tax code',
    ])
    expect(await find(b)).toMatchObject({ authority_reference: `L-${b}` })
    app.answer(json(202, { uid: `T-${number}`, acceptedDocuments: accepted(a, c) }))
    expect((await app.post(`/api/runs/${id}/retry`, {})).status).toBe(202)
    expect(app.upstream.received.at(-1)?.body).toBe(bodyOf([a, c]))
  })

  it('one that is there already is never rejected, at once or later', async () => {
    const [a = '', b = '', c = ''] = names
    app.answer(
      json(202, {
        uid: `S-${number}`,
        acceptedDocuments: accepted(b, c),
        rejectedDocuments: there(a),
      }),
    )
    const { answer, id } = await send(later)
    expect(answer.status).toBe(202)
    expect(documentsOf(await app.show(id))).toEqual(states('unknown', 'pending', 'pending'))
    app.answer(
      json(200, {
        documentSummary: [
          { internalId: b, status: 'Valid', longId: 'L' },
          { internalId: c, status: 'Invalid', reason: 'Step03: DS302' },
        ],
      }),
    )
    await poll()
    const run = await app.show(id)
    expect(run).toMatchObject({ state: 'unknown', correct: { is_allowed: false } })
    expect(documentsOf(run)).toEqual(states('unknown', 'accepted', 'unknown'))
    expect(run.steps[0]?.can).toMatchObject({ resolve: true })
  })

  const paged = (poll: object) =>
    app.endpoint({
      run_settings: {
        documents: {
          ...lists,
          poll: {
            list_path: 'documentSummary',
            reference_path: 'internalId',
            accepted: says('Valid'),
            rejected: says('Invalid'),
            ...poll,
          },
        },
        status_query: {
          endpoint_id: status,
          parameter: 'uid',
          received: { statuses: '200' },
          not_received: { statuses: '404' },
        },
        pending: { rule: { statuses: '202' }, parameter_path: 'uid', give_up_minutes: 60 },
      },
    })

  it.each<[string, object, (next: number) => [object, Record<string, string>]]>([
    ['a page parameter', { page_parameter: 'pageNo' }, () => [{}, {}]],
    [
      'a cursor',
      { page_parameter: 'after', next_path: 'meta.cursor' },
      (next) => [next > 3 ? {} : { meta: { cursor: `c${next}` } }, {}],
    ],
    [
      'an address in the answer',
      { next_path: 'next' },
      (next) => [next > 3 ? {} : { next: `/submissions/p${next}?page=${next}` }, {}],
    ],
    [
      'a Link header',
      {},
      (next) => [
        {},
        next > 3 ? {} : { link: `</first>; rel="first", <?page=${next}>; rel="next"` },
      ],
    ],
  ])('pages are followed by %s until all are found', async (_, poll, nextOf) => {
    const endpoint = await paged(poll)
    app.answer(json(202, { uid: `P-${number}`, acceptedDocuments: accepted(...names) }))
    const { id } = await send(endpoint)
    app.upstream.received.length = 0
    app.answer(({ url }, ...rest) => {
      const page = Number(/(?:pageNo|page)=(\d+)|after=c(\d+)/.exec(url)?.slice(1).join('') || 1)
      const [more, headers] = nextOf(page + 1)
      const documentSummary = [{ internalId: names[page - 1], status: 'Valid' }]
      json(200, { documentSummary, ...more }, headers)({ url } as never, ...rest)
    })
    await pollNow()
    expect(documentsOf(await app.show(id))).toEqual(states('accepted', 'accepted', 'accepted'))
    expect(app.upstream.received).toHaveLength(3)
  })

  it('pages end at the hundredth, at an empty one, and never lead to another server', async () => {
    const endless = await paged({ page_parameter: 'pageNo' })
    app.answer(json(202, { uid: `E-${number}`, acceptedDocuments: accepted(...names) }))
    const { id } = await send(endless)
    app.upstream.received.length = 0
    app.answer(json(200, { documentSummary: [{ internalId: 'other', status: 'Valid' }] }))
    await pollNow()
    expect(app.upstream.received).toHaveLength(100)
    expect(documentsOf(await app.show(id))).toEqual(states('pending', 'pending', 'pending'))
    app.upstream.received.length = 0
    app.answer(json(200, { documentSummary: [] }))
    await pollNow()
    expect(app.upstream.received).toHaveLength(1)
    await app.server.db.deleteFrom('pending_step').execute()
    await app.server.db.deleteFrom('pending_poll').execute()

    names = names.map((name) => `${name}-x`)
    const away = await paged({ next_path: 'next' })
    app.answer(json(202, { uid: `A-${number}`, acceptedDocuments: accepted(...names) }))
    await send(away)
    app.upstream.received.length = 0
    const list = [{ internalId: names[0], status: 'Valid' }]
    app.answer(json(200, { documentSummary: list, next: 'http://127.0.0.1:9/elsewhere' }))
    await pollNow()
    expect(app.upstream.received).toHaveLength(1)
  })

  it('all refused at once: nothing is asked', async () => {
    const { answer, id } = await take(...names)
    expect(answer.status).toBe(502)
    expect(await app.show(id)).toMatchObject({ state: 'rejected' })
    await poll()
    expect(app.upstream.received).toHaveLength(1)
  })

  it('one that is never decided is unknown in the end, the others are what they are', async () => {
    const [a = '', b = ''] = names
    const { id } = await take()
    app.answer(summary([a, 'Valid'], [b, 'Invalid']))
    for (let asked = 0; asked < 14; asked++) await poll()
    const run = await app.show(id)
    expect(run).toMatchObject({ state: 'unknown' })
    expect(documentsOf(run)).toEqual(states('accepted', 'not_accepted', 'unknown'))
    expect(run.steps[0]?.message).toContain('did not decide within 1 h')
  })
})
