import type { DocumentRecord, RunDetail } from '@gatehouse/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createPeerUpstream, createRunPeer, type Gate } from '../../../../test/servers/run-peer.ts'
import { json, runOf, startRunServer, type RunServer } from '../../../../test/servers/run-server.ts'
import { wishFor } from '../../../kernel/leases/lease-time.ts'

// An authority that answers 202 with the number of a submission, and decides later.

let app: RunServer
let status: number
let taken: number
const upstream = createPeerUpstream()
beforeAll(async () => {
  app = await startRunServer()
  status = await app.endpoint({ method_type: 'get', path: '/submissions/{uid}' })
  taken = await app.endpoint({ run_settings: settings() })
})
afterAll(async () => {
  await app.close()
  await upstream.close()
})

const says = (value: string) => ({
  statuses: '200',
  conditions: [{ path: 'status', test: 'equals', value }],
})
const settings = (pending: object = {}, more: object = {}) => ({
  reference_path: 'no',
  authority_reference_path: 'uuid',
  qr_path: 'qr',
  status_query: {
    endpoint_id: status,
    parameter: 'uid',
    received: says('Valid'),
    not_received: { statuses: '404' },
    pending: says('InProgress'),
    rejected: says('Invalid'),
    message_path: 'errors[*].message',
    reference_path: 'number',
  },
  pending: {
    rule: { statuses: '202' },
    parameter_path: 'submissionUid',
    first_after_seconds: 5,
    factor: 2,
    max_every_seconds: 20,
    give_up_minutes: 60,
    ...pending,
  },
  ...more,
})

/** What the status query answers; a submission that is not named is in progress. */
let decisions: Record<string, [status: number, body: unknown]>
let submissions = 0
let uid: string
beforeEach(async () => {
  // What the test before left undecided.
  await app.server.db.deleteFrom('pending_step').execute()
  await app.server.db.deleteFrom('pending_poll').execute()
  decisions = {}
  uid = `S-${++submissions}`
  app.upstream.received.length = 0
  app.answer((request, ...rest) => {
    const asked = /^\/submissions\/([^?]*)/.exec(request.url)?.[1]
    if (asked === undefined)
      return json(202, { submissionUid: uid, uuid: `U-${uid}` })(request, ...rest)
    const [code, body] = decisions[asked] ?? [200, { status: 'InProgress' }]
    return json(code, body)(request, ...rest)
  })
})

let content = 0
const fresh = () => `{"no":"P-${++content}"}`
const send = async (end_point = taken, body = fresh(), key = '') => {
  const answer = await app.tax([{ end_point, body }], { key })
  return { answer, id: runOf(answer)?.id }
}
const pass = (seconds: number) => {
  app.server.time.now = new Date(app.server.time.now.getTime() + seconds * 1000)
}
const poll = async (polls = app.server.polls) => {
  await polls.round()
  await polls.idle()
}
const questions = () => app.upstream.received.filter(({ method }) => method === 'GET').length
const sends = () => app.upstream.received.filter(({ method }) => method === 'POST').length
const documentOf = async ({ steps }: RunDetail) => {
  const { no } = JSON.parse(steps[0]?.body?.text ?? '{}') as { no: string }
  const answer = await app.server.send('GET', `/api/documents?search=${no}`, { token: app.token })
  return (answer.body as [{ data: DocumentRecord[] }])[0].data[0]
}

describe('what the authority has taken', () => {
  it('is answered with 202, and is neither done, failed nor doubtful', async () => {
    const { answer, id } = await send()
    expect(answer.status, answer.text).toBe(202)
    expect(answer.body).toMatchObject({
      message: 'The authority has taken it and decides later.',
      run: { state: 'pending', steps: [{ state: 'pending', outcome: 'pending', status: 202 }] },
    })
    const run = await app.show(id)
    expect(run).toMatchObject({
      state: 'pending',
      finished_at: null,
      resume: { step: null, refusal: expect.stringContaining('decides later') },
      run_again: { is_allowed: false },
      correct: { is_allowed: false },
      close: { is_allowed: false },
    })
    expect(run.steps[0]?.can).toEqual({ resolve: false, resend: false, status_query: true })
    expect(await documentOf(run)).toMatchObject({ state: 'pending' })
    const open = await app.server.send('GET', '/api/runs?work=open', { token: app.token })
    expect(JSON.stringify(open.body)).not.toContain(`"id":${id},`)
    const unknown = await app.server.send('GET', '/api/runs/unknown', { token: app.token })
    expect(unknown.body).toMatchObject({ count: 0 })
  })

  it('holds its document and its content: nothing of it is sent twice', async () => {
    const body = fresh()
    const { id } = await send(taken, body)
    const again = await send(taken, body)
    expect([again.answer.status, again.id]).toEqual([202, id])
    expect(again.answer.headers['idempotent-replay']).toBe('true')
    const other = await send(taken, body, 'another-key')
    expect(other.answer.body).toMatchObject({ code: 'run.in_progress' })
    const elsewhere = await send(taken, body.replace('}', ',"n":1}'))
    expect(elsewhere.answer.body).toMatchObject({ code: 'document.may_be_accepted', run_id: id })
    expect(sends()).toBe(1)
  })

  it('is unknown where the answer does not say by what to ask', async () => {
    app.answer(json(202, { message: 'Thank you' }))
    expect((await send()).answer.status).toBe(504)
  })

  it('is answered with 202 to a build request too', async () => {
    const answer = await app.post('/api/prepare-data', {
      end_point: taken,
      first_endpoint: '',
      second_endpoint: fresh(),
    })
    expect(answer.status, answer.text).toBe(202)
    expect(answer.body).toMatchObject({ run: { state: 'pending' } })
  })
})

describe('the decision is asked for', () => {
  it('after the first wait, then more and more seldom, and once for each submission', async () => {
    await send()
    await send()
    await poll()
    expect(questions()).toBe(0)
    const asked: number[] = []
    for (let second = 1; second <= 60; second++) {
      pass(1)
      const before = questions()
      await poll()
      if (questions() > before) asked.push(second)
      expect(questions() - before).toBeLessThan(2)
    }
    expect(asked).toEqual([5, 15, 35, 55])
  })

  it('accepted: the run and its document have succeeded, with the number of the authority', async () => {
    const { id } = await send()
    pass(5)
    await poll()
    pass(10)
    await poll()
    decisions[uid] = [200, { status: 'Valid', number: 'N-7', qr: 'AQI=' }]
    pass(20)
    await poll()
    const run = await app.show(id)
    expect(run).toMatchObject({ state: 'succeeded', finished_at: expect.any(String) })
    // The same answer is kept once.
    expect(run.steps[0]?.attempts.map(({ kind, outcome }) => [kind, outcome])).toEqual([
      ['send', 'pending'],
      ['status_query', null],
      ['status_query', 'ok'],
    ])
    expect(await documentOf(run)).toMatchObject({ state: 'accepted', authority_reference: 'N-7' })
    pass(600)
    await poll()
    expect(questions()).toBe(3)
    expect(await app.server.db.selectFrom('pending_poll').selectAll().execute()).toEqual([])
  })

  it('rejected: with the messages of the authority, and it can be corrected', async () => {
    const { id } = await send()
    decisions[uid] = [
      200,
      { status: 'Invalid', errors: [{ message: 'No TIN' }, { message: 'Date' }] },
    ]
    pass(5)
    await poll()
    const run = await app.show(id)
    expect(run).toMatchObject({ state: 'rejected', correct: { is_allowed: true } })
    expect(run.steps[0]?.message).toBe('The authority rejected it: No TIN · Date')
    expect(await documentOf(run)).toMatchObject({ state: 'not_accepted' })
  })

  it('not found, a failure or an answer that fits two rules decide nothing', async () => {
    const { id } = await send()
    for (const decision of [
      [404, {}],
      [500, {}],
      [200, { status: 'Odd' }],
    ] as const) {
      decisions[uid] = [...decision]
      pass(20)
      await poll()
      expect(await app.show(id)).toMatchObject({ state: 'pending' })
    }
    expect(questions()).toBe(3)
  })

  it('a Retry-After of the status query is obeyed', async () => {
    await send()
    app.answer(json(429, {}, { 'retry-after': '120' }))
    pass(5)
    await poll()
    pass(100)
    await poll()
    expect(questions()).toBe(1)
    pass(20)
    await poll()
    expect(questions()).toBe(2)
  })

  it('in vain for too long: the outcome is unknown, for a person to say', async () => {
    const { id } = await send()
    for (let minute = 0; minute < 61; minute++) {
      pass(60)
      await poll()
    }
    const run = await app.show(id)
    expect(run).toMatchObject({ state: 'unknown' })
    expect(run.steps[0]).toMatchObject({
      message: expect.stringContaining('did not decide within 1 h'),
      can: { resolve: true, status_query: true },
    })
    expect(await documentOf(run)).toMatchObject({ state: 'unknown' })
    decisions[uid] = [200, { status: 'Valid' }]
    const asked = await app.post(`/api/runs/${id}/status-query`, { step: 1 })
    expect(asked.body).toMatchObject({ verdict: 'received', run: { state: 'succeeded' } })
  })

  it('at once where a person asks', async () => {
    const { id } = await send()
    const ask = () => app.post(`/api/runs/${id}/status-query`, { step: 1 })
    expect((await ask()).body).toMatchObject({ verdict: 'undecided', because: 'still_pending' })
    decisions[uid] = [200, { status: 'Valid' }]
    expect((await ask()).body).toMatchObject({ verdict: 'received', run: { state: 'succeeded' } })
    expect((await ask()).status).toBe(409)
  })

  it('a repetition that is refused does not say what became of the attempt before it', async () => {
    const safe = await app.endpoint({ run_settings: settings({}, { is_duplicate_safe: true }) })
    app.answer(json(500, {}))
    const { id } = await send(safe)
    const answerLater = json(202, { submissionUid: uid })
    app.answer(answerLater)
    expect((await app.post(`/api/runs/${id}/resume`, {})).status).toBe(202)
    app.answer(json(200, { status: 'Invalid', errors: [{ message: 'Duplicate' }] }))
    pass(5)
    await poll()
    const run = await app.show(id)
    expect(run).toMatchObject({ state: 'unknown' })
    expect(run.steps[0]?.message).toContain('Duplicate')
    expect(await documentOf(run)).toMatchObject({ state: 'unknown' })
  })

  it('by its reference, a refusal counts when it was said twice after the quiet period', async () => {
    const query = { ...settings().status_query, quiet_seconds: 60 }
    const end_point = await app.endpoint({
      run_settings: settings({ parameter_path: '' }, { status_query: query }),
    })
    const { id } = await send(end_point, '{"no":"by-reference"}')
    decisions['by-reference'] = [200, { status: 'Invalid' }]
    const states: string[] = []
    for (let at = 0; at < 10; at++) {
      pass(20)
      await poll()
      states.push((await app.show(id)).state)
    }
    // At 60 s for the first time, at 100 s for the second: 80 s are too soon after it.
    expect(states.indexOf('rejected')).toBe(4)
  })
})

describe('the next steps', () => {
  const bundle = async (second: Record<string, unknown> = {}) => {
    const next = await app.endpoint({ run_settings: {}, ...second })
    const answer = await app.tax([
      { end_point: taken, body: fresh() },
      { end_point: next, body: '{"number":"{{steps.1.body.number}}"}' },
    ])
    return { next, id: runOf(answer).id, answer }
  }
  const accept = async () => {
    const before = decisions[uid]
    decisions[uid] = before ?? [200, { status: 'Valid', number: 'N-9' }]
    const submission = uid
    app.answer((request, ...rest) => {
      const isAsked = request.url.startsWith('/submissions/')
      return json(200, isAsked ? decisions[submission]?.[1] : { ok: true })(request, ...rest)
    })
    pass(5)
    await poll()
  }

  it('wait, and are sent with values of the answer that accepts', async () => {
    const { id, answer } = await bundle()
    expect(answer.status).toBe(202)
    expect(sends()).toBe(1)
    await accept()
    expect(await app.show(id)).toMatchObject({
      state: 'succeeded',
      steps: [{ state: 'succeeded' }, { state: 'succeeded', body: { text: '{"number":"N-9"}' } }],
    })
    expect(sends()).toBe(2)
    expect(await app.server.db.selectFrom('pending_step').selectAll().execute()).toEqual([])
  })

  it('are not sent where the endpoint may no longer be called', async () => {
    const { id, next } = await bundle()
    await app.server.db
      .updateTable('endpoint')
      .set({ status: 'disabled' })
      .where('id', '=', next)
      .execute()
    await accept()
    expect(await app.show(id)).toMatchObject({
      state: 'blocked',
      steps: [
        { state: 'succeeded' },
        { state: 'blocked', message: expect.stringContaining('disabled') },
      ],
    })
    expect(sends()).toBe(1)
  })

  it('are sent by another server where the one that asked died before them', async () => {
    const { id } = await bundle()
    const peer = createRunPeer(app.server, upstream, 'one')
    // It dies with its first look at the run after the decision.
    await peer.engine.stop()
    decisions[uid] = [200, { status: 'Valid', number: 'N-9' }]
    pass(5)
    await poll(peer.polls)
    expect(await app.show(id)).toMatchObject({
      state: 'running',
      steps: [{ state: 'succeeded' }, {}],
    })
    await accept()
    expect(sends()).toBe(1)
    pass(31)
    await createRunPeer(app.server, upstream, 'two').ledger.recover({ own: false })
    expect(await app.show(id)).toMatchObject({ state: 'stopped' })
    await poll()
    expect(await app.show(id)).toMatchObject({ state: 'succeeded' })
    expect(sends()).toBe(2)
  })
})

describe('several servers', () => {
  it('ask once, also where they look at the same time', async () => {
    for (let run = 0; run < 12; run++) {
      uid = `M-${run}`
      await send()
    }
    pass(5)
    const peers = ['one', 'two', 'three'].map((owner) => createRunPeer(app.server, upstream, owner))
    await Promise.all(peers.map(({ polls }) => poll(polls)))
    await Promise.all(peers.map(({ polls }) => poll(polls)))
    expect(questions()).toBe(12)
    expect(
      new Set(app.upstream.received.map(({ url }) => url).filter((url) => url.includes('M-'))).size,
    ).toBe(12)
  })

  it('take over from one that died while it asked', async () => {
    const { id } = await send()
    pass(5)
    const dead = createRunPeer(app.server, upstream, 'dead')
    const { db, time } = app.server
    const wish = await wishFor({ clock: { now: () => time.now }, owner: 'dead' }, 60_000)
    await dead.stores.polls.claimDue(wish, 100)
    expect(await db.selectFrom('pending_poll').select('lease_owner').execute()).not.toEqual([])
    decisions[uid] = [200, { status: 'Valid' }]
    await poll()
    expect(await app.show(id)).toMatchObject({ state: 'pending' })
    pass(60)
    await poll()
    expect(await app.show(id)).toMatchObject({ state: 'succeeded' })
  })

  it('two that settle at once settle it once', async () => {
    const { id } = await send()
    pass(5)
    decisions[uid] = [200, { status: 'Valid' }]
    const ask = () => app.post(`/api/runs/${id}/status-query`, { step: 1 })
    const answers = await Promise.all([ask(), ask(), ask()])
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 409, 409])
    const run = await app.show(id)
    expect(run.steps[0]?.attempts.filter(({ outcome }) => outcome === 'ok')).toHaveLength(1)
  })
})

describe('a server that stood still', () => {
  const peerOf = (owner: string, gate?: Gate) =>
    createRunPeer(app.server, upstream, owner, undefined, {}, undefined, undefined, gate)

  it('does not ask what another one has asked meanwhile', async () => {
    await send()
    pass(5)
    const other = peerOf('other')
    let isStill = false
    const paused = peerOf('paused', async () => {
      if (isStill) return
      isStill = true
      pass(61)
      await poll(other.polls)
    })
    await poll(paused.polls)
    expect(isStill).toBe(true)
    expect(questions()).toBe(1)
  })

  it('leaves the answer to the one that has asked meanwhile', async () => {
    const query = { ...settings().status_query, quiet_seconds: 60 }
    const end_point = await app.endpoint({
      run_settings: settings({ parameter_path: '' }, { status_query: query }),
    })
    const { id } = await send(end_point, '{"no":"stood-still"}')
    pass(60)
    const other = peerOf('other')
    let isStill = false
    const paused = peerOf('paused')
    const answering = Promise.withResolvers<void>()
    app.answer((request, ...rest) => {
      const answer = () => json(200, { status: 'Invalid' })(request, ...rest)
      if (isStill) return answer()
      isStill = true
      pass(61)
      void poll(other.polls).then(() => {
        answer()
        answering.resolve()
      })
    })
    await poll(paused.polls)
    await answering.promise
    expect(questions()).toBe(2)
    const { steps } = await app.show(id ?? 0)
    const asked = steps[0]?.attempts.filter(({ kind }) => kind === 'status_query')
    expect(asked).toHaveLength(1)
  })
})
