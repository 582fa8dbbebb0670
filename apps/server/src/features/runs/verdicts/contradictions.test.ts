import type { DocumentRecord, RunDetail } from '@gatehouse/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startAlarmServer, type AlarmServer } from '../../../../test/servers/alarm-server.ts'
import { cut, json, runOf, type Answerer } from '../../../../test/servers/run-server.ts'

// A person says that it was not received, and the authority says otherwise later.

let app: AlarmServer
let status: number
beforeAll(async () => {
  app = await startAlarmServer()
  status = await app.endpoint({ method_type: 'get', path: '/status/{id}' })
  await app.check()
})
afterAll(() => app.close())

const says = (value: string) => ({
  statuses: '200',
  conditions: [{ path: 'status', test: 'equals', value }],
})
const query = () => ({
  endpoint_id: status,
  parameter: 'id',
  received: says('Valid'),
  not_received: { statuses: '404' },
  pending: says('InProgress'),
  rejected: says('Invalid'),
  quiet_seconds: 60,
})

/** What the authority answers to a submission, and to a question about this number. */
let submit: Answerer
let decisions: Record<string, [status: number, body: unknown]>
let asked: string[]
let count = 0
let no: string
beforeEach(async () => {
  await app.startOver()
  await app.forget()
  await app.server.db.deleteFrom('verdict_watch').execute()
  await app.server.db.deleteFrom('pending_step').execute()
  await app.server.db.deleteFrom('pending_poll').execute()
  no = `C-${++count}`
  decisions = {}
  asked = []
  submit = cut
  app.answer((request, ...rest) => {
    const number = /^\/status\/([^?]*)/.exec(request.url)?.[1]
    if (number === undefined) return submit(request, ...rest)
    asked.push(number)
    return json(...(decisions[number] ?? ([404, {}] as const)))(request, ...rest)
  })
})

const send = async (endpoint: number, body = `{"no":"${no}"}`) =>
  runOf(await app.tax([{ end_point: endpoint, body }])).id
const deny = async (id: number, said: object = { verdict: 'not_received' }) => {
  const answer = await app.post(`/api/runs/${id}/resolve`, { step: 1, ...said })
  expect(answer.status, answer.text).toBe(200)
}
/** Time passes, and what is due is asked. */
const poll = async (minutes = 10) => {
  app.server.time.now = new Date(app.server.time.now.getTime() + minutes * 60_000)
  await app.server.polls.round()
  await app.server.polls.idle()
}
const contradictions = async () => {
  await app.check()
  return app.subjects('contradicted')
}
const documents = async () => {
  const answer = await app.server.send('GET', `/api/documents?search=${no}`, { token: app.token })
  return (answer.body as [{ data: DocumentRecord[] }])[0].data
}
const evidence = ({ steps }: RunDetail) =>
  steps[0]?.attempts
    .filter(({ kind }) => kind === 'status_query' || kind === 'late_answer')
    .map(({ user_name, detail, note }) => [user_name, detail, note])

describe('asked by the number of the document', () => {
  const settings = () => ({ reference_path: 'no', status_query: query() })

  it('what it has is kept as evidence, is an alarm, and is not sent again', async () => {
    const endpoint = await app.endpoint({ run_settings: settings() })
    const id = await send(endpoint)
    await deny(id)
    await poll()
    expect(asked).toEqual([no])
    expect(await contradictions()).toEqual([])
    expect(await app.show(id)).toMatchObject({ state: 'not_started' })

    decisions[no] = [200, { status: 'Valid' }]
    await poll()
    const run = await app.show(id)
    expect(run).toMatchObject({
      state: 'unknown',
      resume: { step: null },
      run_again: { is_allowed: false },
    })
    expect(run.steps[0]).toMatchObject({
      message: expect.stringContaining('the authority says that it has it'),
      can: { resolve: true },
    })
    expect(evidence(run)).toEqual([
      [null, 'The status query says: it was received.', 'It counted as not received.'],
    ])
    expect(await documents()).toMatchObject([{ state: 'unknown', run_id: id }])
    const other = await app.tax([{ end_point: endpoint, body: `{"no":"${no}","n":1}` }])
    expect(other.body).toMatchObject({ code: 'document.may_be_accepted' })
    expect(await contradictions()).toEqual([`run:${id}`])
    expect(await app.alarms('kind=contradicted&state=open')).toMatchObject([
      {
        title: `Run ${id} (${no}): the authority has it, although it was said not to be received`,
        path: `/dashboard/admin/runs/${id}`,
      },
    ])
    const [document] = await documents()
    const named = await app.alarms(`register=${document?.register}`)
    expect(named.map(({ subject }) => subject)).toContain(`run:${id}`)
    expect(await app.alarms('register=Of+none')).toEqual([])
    // It has said so: it is not asked again and again.
    const questions = asked.length
    await poll(60)
    expect(asked.length).toBe(questions)
  })

  it('the alarm ends when it is acknowledged, and comes back where it is contradicted again', async () => {
    const id = await send(await app.endpoint({ run_settings: settings() }))
    const contradict = async () => {
      await deny(id)
      await poll()
    }
    decisions[no] = [200, { status: 'Valid' }]
    await contradict()
    expect(await contradictions()).toEqual([`run:${id}`])
    const acknowledge = async () => {
      const alarms = await app.alarms('kind=contradicted&state=open')
      const body = { ids: alarms.map((alarm) => alarm.id), note: 'Seen' }
      await app.post('/api/alarms/acknowledge', body)
    }
    await acknowledge()
    expect(await contradictions()).toEqual([])
    expect(await contradictions()).toEqual([])
    await contradict()
    expect(await contradictions()).toEqual([`run:${id}`])
  })

  it('once it was sent again, the authority has it from then on: nothing contradicts', async () => {
    const id = await send(await app.endpoint({ run_settings: settings() }))
    await deny(id)
    submit = json(200, {})
    expect((await app.post(`/api/runs/${id}/resume`, {})).status).toBe(200)
    decisions[no] = [200, { status: 'Valid' }]
    await poll()
    expect(await contradictions()).toEqual([])
    expect(await app.show(id)).toMatchObject({ state: 'succeeded' })
    expect(await app.server.db.selectFrom('verdict_watch').selectAll().execute()).toEqual([])
  })

  it('the authority is asked for as long as healing asks', async () => {
    const short = { ...settings(), healing_hours: 1 }
    const id = await send(await app.endpoint({ run_settings: short }))
    await deny(id)
    await poll(61)
    decisions[no] = [200, { status: 'Valid' }]
    const questions = asked.length
    await poll(10)
    expect(asked.length).toBe(questions)
    expect(await app.show(id)).toMatchObject({ state: 'not_started' })
  })

  it('a question that was under way while a person said so is kept too', async () => {
    const id = await send(await app.endpoint({ run_settings: settings() }))
    const arrived = Promise.withResolvers<void>()
    const answering = Promise.withResolvers<void>()
    app.answer((...exchange) => {
      arrived.resolve()
      void answering.promise.then(() => json(200, { status: 'Valid' })(...exchange))
    })
    const question = app.post(`/api/runs/${id}/status-query`, { step: 1 })
    await arrived.promise
    await deny(id)
    answering.resolve()
    expect((await question).body).toMatchObject({
      code: 'run.not_unknown',
      run: { state: 'unknown' },
    })
    expect(evidence(await app.show(id))).toEqual([
      ['admin', 'The status query says: it was received.', null],
    ])
    expect(await contradictions()).toEqual([`run:${id}`])
  })
})

describe('asked by the number of a submission', () => {
  const pending = {
    rule: { statuses: '202' },
    parameter_path: 'uid',
    first_after_seconds: 60,
    give_up_minutes: 60,
  }
  /** A run whose submission was not decided in time, so that its outcome is unknown. */
  const givenUp = async (settings: object, body?: string) => {
    const endpoint = await app.endpoint({
      run_settings: { status_query: query(), pending, ...settings },
    })
    submit = json(202, { uid: `${no}-first` })
    decisions[`${no}-first`] = [404, {}]
    const id = await send(endpoint, body)
    for (let hour = 0; hour < 2; hour++) await poll(60)
    expect(await app.show(id)).toMatchObject({ state: 'unknown' })
    return id
  }

  it('the first submission is asked about although the document was sent again', async () => {
    const id = await givenUp({ reference_path: 'no' })
    await deny(id)
    submit = json(202, { uid: `${no}-second` })
    decisions[`${no}-second`] = [200, { status: 'Valid' }]
    expect((await app.post(`/api/runs/${id}/resume`, {})).status).toBe(202)
    await poll()
    expect(await app.show(id)).toMatchObject({ state: 'succeeded' })
    expect(await contradictions()).toEqual([])
    decisions[`${no}-first`] = [200, { status: 'Valid' }]
    await poll(60)
    const run = await app.show(id)
    expect(run).toMatchObject({ state: 'succeeded' })
    expect(evidence(run)?.at(-1)).toEqual([
      null,
      'The status query says: it was received.',
      'It counted as not received.',
    ])
    expect(await contradictions()).toEqual([`run:${id}`])
  })

  it('that it is still in work is said once, and it is asked on', async () => {
    const id = await givenUp({ reference_path: 'no' })
    decisions[`${no}-first`] = [200, { status: 'InProgress' }]
    await deny(id)
    await poll()
    await poll(60)
    const run = await app.show(id)
    expect(evidence(run)?.filter(([, , note]) => note !== null)).toHaveLength(1)
    expect(run).toMatchObject({ state: 'unknown' })
    expect(await contradictions()).toEqual([`run:${id}`])
    const questions = asked.length
    await poll(60)
    expect(asked.length).toBeGreaterThan(questions)
  })

  it('of several documents, those that it has are unknown, and no other', async () => {
    const lists = {
      items_path: 'documents',
      reference_path: 'no',
      accepted_path: 'accepted',
      rejected_path: 'rejected',
      answer_reference_path: 'no',
      poll: {
        list_path: 'list',
        reference_path: 'no',
        accepted: { conditions: [{ path: 'status', test: 'equals', value: 'Valid' }] },
        rejected: { conditions: [{ path: 'status', test: 'equals', value: 'Invalid' }] },
      },
    }
    const names = [`${no}-a`, `${no}-b`]
    const body = JSON.stringify({ documents: names.map((each) => ({ no: each })) })
    const id = await givenUp({ documents: lists }, body)
    await deny(id)
    expect((await documents()).map(({ state }) => state)).toEqual(['open', 'open'])
    decisions[`${no}-first`] = [200, { list: [{ no: names[1], status: 'Valid' }] }]
    await poll()
    const states = (await documents()).map(({ reference, state }) => [reference, state])
    expect(Object.fromEntries(states)).toEqual({ [names[0]!]: 'open', [names[1]!]: 'unknown' })
    expect(await app.show(id)).toMatchObject({ state: 'unknown' })
    expect(await contradictions()).toEqual([`run:${id}`])
  })
})
