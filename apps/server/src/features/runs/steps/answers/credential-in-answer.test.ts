import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  json,
  runOf,
  startRunServer,
  type RunServer,
} from '../../../../../test/servers/run-server.ts'

let app: RunServer
let ruled: number
let plain: number
let carrying: number
const secret = 'secret-token-1'
beforeAll(async () => {
  app = await startRunServer()
  const says = (value: string) => ({
    statuses: '200',
    conditions: [{ path: 'state', test: 'equals', value }],
  })
  ruled = await app.endpoint({ run_settings: { rejection_rule: says('REJECTED') } })
  plain = await app.endpoint()
  carrying = await app.endpoint({
    run_settings: { reference_path: 'no', authority_reference_path: 'irn' },
  })
})
afterAll(() => app.close())
beforeEach(() => {
  app.upstream.received.length = 0
})

let content = 0
const fresh = () => `{"n":${++content}}`
const step = (end_point: number, token: string, body = fresh()) => ({ end_point, token, body })

describe('an answer that holds the credential', () => {
  it.each(['REJECTED', 'REJ', '[credential]'])(
    'is judged as it was received: a rejection stays one with the token %s',
    async (token) => {
      app.answer(json(200, { state: 'REJECTED' }))
      const sent = await app.tax([step(ruled, token)])
      expect(runOf(sent)).toMatchObject({ state: 'rejected' })
    },
  )

  it('gives its values as they were received', async () => {
    app.answer(json(200, { id: `no-${secret}`, amount: 12_345_678 }))
    const body = '{"id":"{{steps.1.body.id}}","amount":"{{steps.1.body.amount}}"}'
    const sent = await app.tax([step(plain, secret), step(plain, '12345678', body)])
    expect(sent.status, sent.text).toBe(200)
    expect(app.upstream.received[1]?.body).toBe(`{"id":"no-${secret}","amount":12345678}`)
  })

  it('gives the reference of its document as it was received', async () => {
    app.answer(json(200, { irn: 'EIN-12345678' }))
    const sent = await app.tax([step(carrying, 'EIN-12345678', '{"no":"A"}')])
    expect(sent.status, sent.text).toBe(200)
    const document = await app.server.db
      .selectFrom('document')
      .select('authority_reference')
      .where('reference', '=', 'A')
      .executeTakeFirstOrThrow()
    expect(document.authority_reference).toBe('EIN-12345678')
  })

  it('is kept and shown without it', async () => {
    app.answer(json(200, { echo: `Bearer ${secret}` }))
    const sent = await app.tax([step(plain, secret)])
    expect(JSON.stringify(await app.show(runOf(sent).id))).not.toContain(secret)
    const kept = await app.server.db
      .selectFrom('run_attempt')
      .select('answer_body')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    expect(kept.answer_body).toBe('{"echo":"Bearer [credential]"}')
  })

  it('is removed from the answer to a build request', async () => {
    app.answer(json(400, { echo: secret }))
    const body = { end_point: plain, token: secret, second_endpoint: fresh() }
    const built = await app.post('/api/prepare-data', { ...body, first_endpoint: '' })
    expect(built.text).toContain('[credential]')
    expect(built.text).not.toContain(secret)
  })

  it('is left alone where a token is too short to differ from any other text', async () => {
    app.answer(json(200, { id: 2, n: 12 }))
    const sent = await app.tax([step(plain, '2')])
    const [shown] = (await app.show(runOf(sent).id)).steps
    expect(shown?.attempts[0]?.answer_body?.text).toBe('{"id":2,"n":12}')
  })
})
