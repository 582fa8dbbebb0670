import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  json,
  runOf,
  startRunServer,
  type Answerer,
  type RunServer,
} from '../../../../../test/servers/run-server.ts'

let app: RunServer
let submit: number
let refused: number
beforeAll(async () => {
  app = await startRunServer()
  submit = await app.endpoint({}, await app.createApi({ name: 'Patient' }))
  const api = await app.createApi({ name: 'Refusing', api_url: 'http://127.0.0.1:9' })
  refused = await app.endpoint({}, api)
})
afterAll(() => app.close())
beforeEach(() => {
  app.upstream.received.length = 0
  app.answer(json(200, { id: 1 }))
})

let content = 0
const fresh = () => `{"n":${++content}}`
const cut: Answerer = (_request, _response, socket) => socket.destroy()
const sent = () => app.upstream.received.length
const send = (body: string, key = '', as = app.token) =>
  app.tax([{ end_point: submit, body }], { key, as })

describe('with a key', () => {
  it('the same again is answered with the run there is, and nothing is sent', async () => {
    const [body, key] = [fresh(), randomUUID()]
    const first = await send(body, key)
    const again = await send(body, key)
    expect(again.status).toBe(200)
    expect(again.headers['idempotent-replay']).toBe('true')
    expect(runOf(again)).toEqual(runOf(first))
    expect(first.headers['idempotent-replay']).toBeUndefined()
    expect(sent()).toBe(1)
  })

  it.each([
    ['rejected', 502, json(422, {})],
    ['unknown', 504, cut],
  ] as const)('a run that was %s is answered as %i again', async (_state, status, answer) => {
    app.answer(answer)
    const [body, key] = [fresh(), randomUUID()]
    await send(body, key)
    const again = await send(body, key)
    expect(again.status).toBe(status)
    expect(again.headers['idempotent-replay']).toBe('true')
    expect(sent()).toBe(1)
  })

  it('other content is a 422, and nothing is sent', async () => {
    const key = randomUUID()
    await send(fresh(), key)
    const other = await send(fresh(), key)
    expect(other.status).toBe(422)
    expect(other.body).toMatchObject({ code: 'run.key_reused' })
    expect(sent()).toBe(1)
  })

  it('a key is one person’s, and one kind’s', async () => {
    const [body, key] = [fresh(), randomUUID()]
    await send(body, key)
    const other = await app.server.buildUser({ role: 'Super Admin' })
    expect((await send(body, key, other.token)).headers['idempotent-replay']).toBeUndefined()
    const credit = await app.credit([{ end_point: submit, body }], { key })
    expect(credit.headers['idempotent-replay']).toBeUndefined()
    expect(sent()).toBe(3)
  })

  it('a new key sends the same content once more, when the first has ended for certain', async () => {
    const body = fresh()
    await send(body, randomUUID())
    expect((await send(body, randomUUID())).status).toBe(200)
    expect(sent()).toBe(2)
  })

  it('a new key does not get past an unknown outcome of the same content', async () => {
    app.answer(cut)
    const body = fresh()
    const first = await send(body, randomUUID())
    const again = await send(body, randomUUID())
    expect(again.status).toBe(409)
    expect(again.body).toMatchObject({ code: 'run.unresolved', run: { id: runOf(first).id } })
    expect(sent()).toBe(1)
  })

  it('a new key does not send again what ended part-way, after a step was accepted', async () => {
    const steps = [
      { end_point: submit, body: fresh() },
      { end_point: refused, body: '{}' },
    ]
    const first = await app.tax(steps, { key: randomUUID() })
    const again = await app.tax(steps, { key: randomUUID() })
    expect(again.status).toBe(409)
    expect(again.body).toMatchObject({ code: 'run.may_be_accepted', run: { id: runOf(first).id } })
    expect(sent()).toBe(1)
  })

  it('a key that can’t be one is a 422', async () => {
    expect((await send(fresh(), 'short')).body).toMatchObject({
      errors: { 'Idempotency-Key': [expect.any(String)] },
    })
  })
})

describe('without a key the content is the key', () => {
  it('what succeeded is not sent again, for any user', async () => {
    const body = fresh()
    const first = await send(body)
    const other = await app.server.buildUser({ role: 'Super Admin' })
    for (const again of [await send(body), await send(body, '', other.token)]) {
      expect(again.headers['idempotent-replay']).toBe('true')
      expect(runOf(again).id).toBe(runOf(first).id)
    }
    expect(sent()).toBe(1)
  })

  it('what was rejected may be sent again, linked to the first', async () => {
    app.answer(json(422, {}))
    const body = fresh()
    const first = await send(body)
    app.answer(json(200, {}))
    const again = await send(body)
    expect(again.status).toBe(200)
    expect(await app.show(runOf(again).id)).toMatchObject({ retry_of: runOf(first).id })
    expect(await app.show(runOf(first).id)).toMatchObject({ retried_by: runOf(again).id })
    expect((await send(body)).headers['idempotent-replay']).toBe('true')
  })

  it('what is unknown is answered as unknown', async () => {
    app.answer(cut)
    const body = fresh()
    await send(body)
    expect((await send(body)).status).toBe(504)
    expect(sent()).toBe(1)
  })

  it('a run with an accepted step is not started again', async () => {
    const steps = [
      { end_point: submit, body: fresh() },
      { end_point: refused, body: '{}' },
    ]
    const first = await app.tax(steps)
    const again = await app.tax(steps)
    expect(runOf(again).id).toBe(runOf(first).id)
    expect(again.headers['idempotent-replay']).toBe('true')
    expect(sent()).toBe(1)
  })

  it('another endpoint, body, or test flag is other content', async () => {
    const body = fresh()
    await send(body)
    await app.tax([{ end_point: submit, body: `${body} ` }])
    await app.tax([{ end_point: submit, body, test_invoice: true }])
    await app.credit([{ end_point: submit, body }])
    // The test invoice has no test address, so it was a dry run.
    expect(sent()).toBe(3)
  })
})

describe('many at once', () => {
  /** Holds the answer back until the others have been refused. */
  function heldAnswer() {
    const { promise, resolve } = Promise.withResolvers<void>()
    app.answer((_request, response) => void promise.then(() => response.end('{}')))
    return resolve
  }

  it.each([
    ['the same key', () => randomUUID(), undefined],
    ['no key', () => '', undefined],
    ['a key each', undefined, () => randomUUID()],
  ])('20 with %s send once', async (_name, shared, own) => {
    const body = fresh()
    const key = shared?.() ?? ''
    const release = heldAnswer()
    let waiting = 20
    const all = Array.from({ length: 20 }, async () => {
      const answer = await send(body, own?.() ?? key)
      if (--waiting === 1) release()
      return answer
    })
    const answers = await Promise.all(all)
    expect(sent()).toBe(1)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const others = answers.filter(({ status }) => status === 409)
    expect(others).toHaveLength(19)
    for (const { body: refusal, headers } of others) {
      expect(refusal).toMatchObject({ code: 'run.in_progress', run: { state: 'running' } })
      expect(headers['retry-after']).toBe('2')
    }
  })

  it('the run can be found by its key while it is under way, by the one whose it is', async () => {
    const key = randomUUID()
    const byKey = (as = app.token) =>
      app.server.send('GET', `/api/runs/by-key/${key}`, { token: as })
    expect((await byKey()).status).toBe(404)
    const other = await app.server.buildUser({ role: 'Super Admin' })
    let seen: Promise<unknown> | undefined
    app.answer((_request, response) => {
      seen = Promise.all([byKey(), byKey(other.token)]).then((answers) => {
        response.end('{}')
        return answers
      })
    })
    await send(fresh(), key)
    expect(await seen).toMatchObject([
      { status: 200, body: { run: { state: 'running', steps: [{ state: 'sending' }] } } },
      { status: 404 },
    ])
  })
})

describe('Build Request', () => {
  const build = (body: string, key = '') =>
    app.post(
      '/api/prepare-data',
      { end_point: submit, first_endpoint: '', second_endpoint: body },
      app.token,
      key ? { 'idempotency-key': key } : {},
    )

  it('repeats its answer for the same key', async () => {
    app.answer(json(200, '{"created":98765432109876543210}'))
    const [body, key] = [fresh(), randomUUID()]
    const first = await build(body, key)
    const again = await build(body, key)
    expect(again.headers['idempotent-replay']).toBe('true')
    expect(again.text).toBe(first.text)
    expect(sent()).toBe(1)
  })

  it('sends the same again without a key, but not while its outcome is unknown', async () => {
    const body = fresh()
    await build(body)
    expect((await build(body)).status).toBe(200)
    app.answer(cut)
    expect((await build(body)).status).toBe(504)
    expect((await build(body)).body).toMatchObject({ code: 'run.unresolved' })
    expect(sent()).toBe(3)
  })
})
