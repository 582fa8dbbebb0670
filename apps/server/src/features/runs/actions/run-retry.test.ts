import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  json,
  runOf,
  startRunServer,
  type Answerer,
  type RunServer,
} from '../../../../test/servers/run-server.ts'

let app: RunServer
const posts: number[] = []
let read: number
beforeAll(async () => {
  app = await startRunServer()
  for (let each = 0; each < 3; each++) posts.push(await app.endpoint())
  read = await app.endpoint({ method_type: 'get', path: '/read' })
})
afterAll(() => app.close())
beforeEach(() => {
  app.upstream.received.length = 0
})

let content = 0
const fresh = () => `{"n":${++content}}`
const step = (index: number, body = fresh()) => ({ end_point: posts[index] ?? 0, body })
const failAt =
  (path: string, answer: Answerer): Answerer =>
  (request, response, socket) =>
    (request.url === path ? answer : json(200, { id: 7 }))(request, response, socket)
const cut: Answerer = (_request, _response, socket) => socket.destroy()
const retry = (id: number, body: unknown, key = '', as = app.token) =>
  app.post(`/api/runs/${id}/retry`, body, as, key ? { 'idempotency-key': key } : {})
const paths = () => app.upstream.received.map(({ url }) => url)

async function failed(path: string, answer: Answerer, steps = [step(0), step(1), step(2)]) {
  app.answer(failAt(path, answer))
  const { id } = runOf(await app.tax(steps))
  app.answer(json(200, { id: 8 }))
  app.upstream.received.length = 0
  return id
}

describe('corrected bodies', () => {
  it('make a new run that keeps what succeeded and sends the rest', async () => {
    const id = await failed('/step-2', json(422, {}))
    const corrected = await retry(id, { endpoint_2: { body: '{"id":"{{steps.1.body.id}}"}' } })
    expect(corrected.status, corrected.text).toBe(200)
    expect(paths()).toEqual(['/step-2', '/step-3'])
    expect(app.upstream.received[0]?.body).toBe('{"id":7}')
    const shown = await app.show(runOf(corrected).id)
    expect(shown).toMatchObject({ retry_of: id, state: 'succeeded' })
    expect(shown.steps.map(({ is_reused, attempts }) => [is_reused, attempts.length])).toEqual([
      [true, 1],
      [false, 1],
      [false, 1],
    ])
    expect(await app.show(id)).toMatchObject({
      retried_by: shown.id,
      correct: { is_allowed: false },
      resume: { step: null, refusal: expect.stringContaining(`Run ${shown.id}`) },
    })
  })

  it('of a correction a further correction keeps what the first run’s step was answered', async () => {
    const id = await failed('/step-2', json(422, {}), [step(0), step(1)])
    app.answer(failAt('/step-2', json(422, {})))
    const second = runOf(await retry(id, { endpoint_2: { body: fresh() } }))
    app.answer(json(200, {}))
    const third = await retry(second.id, { endpoint_2: { body: '{"x":"{{steps.1.body.id}}"}' } })
    expect(third.status, third.text).toBe(200)
    expect(app.upstream.received.at(-1)?.body).toBe('{"x":7}')
  })

  it('of ten at once one is sent', async () => {
    const id = await failed('/step-1', json(422, {}), [step(0)])
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => retry(id, { endpoint_1: { body: fresh() } })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(9)
    expect(paths()).toEqual(['/step-1'])
  })

  it('repeat their answer for the same key', async () => {
    const id = await failed('/step-1', json(422, {}), [step(0)])
    const [body, key] = [fresh(), randomUUID()]
    const first = await retry(id, { endpoint_1: { body } }, key)
    const again = await retry(id, { endpoint_1: { body } }, key)
    expect(again.headers['idempotent-replay']).toBe('true')
    expect(runOf(again)).toEqual(runOf(first))
  })

  it('can’t change what was accepted', async () => {
    const id = await failed('/step-2', json(422, {}))
    const refused = await retry(id, { endpoint_1: { body: '{"other":1}' } })
    expect(refused.status).toBe(422)
    expect(refused.body).toMatchObject({ errors: { 'endpoint_1.body': [expect.any(String)] } })
    expect(paths()).toEqual([])
  })

  it.each(['id', ''])('of a credit take no fields of step 1: %o', async (dependency_field) => {
    app.answer(failAt('/step-2', json(422, {})))
    const { id } = runOf(await app.credit([step(0), step(1)]))
    app.upstream.received.length = 0
    const refused = await retry(id, { endpoint_2: { body: fresh(), dependency_field } })
    expect(refused.status, refused.text).toBe(422)
    expect((refused.body as { errors: object }).errors).toEqual({
      'endpoint_2.dependency_field': [expect.stringContaining('There is no such field here')],
    })
    expect(paths()).toEqual([])
  })

  it('of a tax bundle may take other fields of step 1', async () => {
    const id = await failed('/step-2', json(422, {}), [step(0), step(1)])
    const corrected = await retry(id, { endpoint_2: { dependency_field: 'id' } })
    expect(corrected.status, corrected.text).toBe(200)
    expect(app.upstream.received.at(-1)?.body).toContain('"id":7')
  })

  it.each<[string, Answerer, string]>([
    ['unknown', cut, 'run.may_be_accepted'],
    ['a duplicate from another sender', json(208, {}), 'run.may_be_accepted'],
    ['succeeded', json(200, {}), 'run.may_be_accepted'],
  ])('are refused while the old run is %s', async (_name, answer, code) => {
    const id = await failed('/step-1', answer, [step(0)])
    const refused = await retry(id, { endpoint_1: { body: fresh() } })
    expect(refused.status).toBe(409)
    expect(refused.body).toMatchObject({ code })
    expect(paths()).toEqual([])
  })
})

describe('Run again from the start', () => {
  it('sends every step again, reads included', async () => {
    const id = await failed('/step-1', json(422, {}), [{ end_point: read, body: '' }, step(0)])
    const again = await retry(id, { from_start: true })
    expect(again.status, again.text).toBe(200)
    expect(paths()).toEqual(['/read', '/step-1'])
  })

  it('is refused once a submit of the run was accepted', async () => {
    const id = await failed('/step-2', json(422, {}))
    const refused = await retry(id, { from_start: true })
    expect(refused.body).toMatchObject({ code: 'run.may_be_accepted' })
    expect(await app.show(id)).toMatchObject({
      run_again: { is_allowed: false, refusal: expect.stringContaining('accepted') },
      correct: { is_allowed: true, kept_steps: 1 },
    })
    expect(paths()).toEqual([])
  })
})

it('403 without the permission to send, 404 for no run', async () => {
  const id = await failed('/step-1', json(422, {}), [step(0)])
  const resumer = await app.server.buildUser({ permissions: ['run.view', 'run.resume'] })
  expect((await retry(id, {}, '', resumer.token)).body).toMatchObject({
    code: 'permission.denied',
    message: expect.stringContaining('tax.send'),
  })
  expect((await retry(999_999, {})).status).toBe(404)
})
