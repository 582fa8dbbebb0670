// Databases: SQLite.

import type { JudgedAnswer, LastAnswer } from '@gatehouse/contract'
import { runProfiles } from '@gatehouse/contract/run-profiles'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { json, runOf, startRunServer, type RunServer } from '../../../../test/servers/run-server.ts'

let app: RunServer
beforeAll(async () => {
  app = await startRunServer()
})
afterAll(() => app.close())
beforeEach(() => {
  app.answer(json(200, { ok: true }))
})

const says = (path: string, value: string, statuses = '') => ({
  statuses,
  conditions: [{ path, test: 'equals', value }],
})
const call = (run_settings: object, answer: object) =>
  app.post('/api/endpoint/judge', { method_type: 'post', run_settings, ...answer })
const judge = async (run_settings: object, answer: object) => {
  const answered = await call(run_settings, answer)
  expect(answered.status, answered.text).toBe(200)
  return answered.body as JudgedAnswer
}

const rules = {
  success_rule: says('result.state', 'OK'),
  rejection_rule: says('result.state', 'NO'),
  duplicate_rule: says('result.code', '77', '200,409'),
  pending: { rule: says('result.state', 'LATER', '202'), parameter_path: 'uid' },
  authority_reference_path: 'result.number',
}
const result = (fields: object, more = {}) => JSON.stringify({ result: fields, ...more })

describe('an answer on the bench', () => {
  it.each([
    [200, result({ state: 'OK' }), 'succeeded', 'ok', 'success_rule'],
    [200, result({ state: 'NO' }), 'rejected', 'rejected', 'rejection_rule'],
    [409, result({ code: 77 }), 'blocked', 'duplicate', 'duplicate_rule'],
    [409, result({ code: 78 }), 'rejected', 'rejected', 'status'],
    [202, result({ state: 'LATER' }, { uid: 9 }), 'pending', 'pending', 'pending_rule'],
    [202, result({ state: 'LATER' }), 'unknown', 'cut', 'nothing_to_ask_by'],
    [200, result({ state: 'ODD' }), 'unknown', 'cut', 'no_rule'],
    [200, '{"result": ', 'unknown', 'cut', 'unreadable_body'],
    [200, '', 'unknown', 'cut', 'unreadable_body'],
    [401, '', 'blocked', 'auth', 'sign_in'],
    [503, 'Bad gateway', 'unknown', 'server_error', 'status'],
  ])('%i %s ends %s', async (status, body, state, outcome, decided_by) => {
    expect(await judge(rules, { status, body })).toMatchObject({ state, outcome, decided_by })
  })

  it('is told condition by condition: what each found, and whether it holds', async () => {
    const judged = await judge(rules, { status: 200, body: result({ state: 'OK', number: 1.0 }) })
    expect(judged.rules.map(({ rule, verdict }) => [rule, verdict])).toEqual([
      ['duplicate_rule', 'fails'],
      ['pending_rule', 'fails'],
      ['rejection_rule', 'fails'],
      ['success_rule', 'holds'],
    ])
    const [duplicate, pending, , success] = judged.rules
    expect(duplicate?.conditions).toEqual([
      {
        path: 'result.code',
        test: 'equals',
        value: '77',
        found: [],
        found_count: 0,
        holds: false,
      },
    ])
    expect(pending?.fits_status).toBe(false)
    expect(success?.conditions).toMatchObject([{ found: ['"OK"'], found_count: 1, holds: true }])
    expect(judged.found).toMatchObject({ authority_reference: '1', ask_by: null })
    expect(judged).toMatchObject({ format: 'json', message: null, documents: [] })
  })

  it('that asks to wait says until when; a resend may have arrived before', async () => {
    const asks = { status: 429, headers: 'Retry-After: 120', body: '' }
    const waits = await judge(rules, asks)
    const until = new Date(app.server.time.now.getTime() + 120_000).toISOString()
    expect(waits).toMatchObject({ state: 'waiting', found: { wait_until: until } })
    const resent = await judge(rules, { status: 422, body: '', is_resend: true })
    expect(resent).toMatchObject({ state: 'unknown', decided_by: 'earlier_attempt' })
    expect(resent.message).toContain('earlier attempt')
    const again = { status: 409, body: result({ code: 77 }), is_resend: true }
    expect(await judge(rules, again)).toMatchObject({ state: 'succeeded', outcome: 'ok_duplicate' })
  })

  it('in XML is read by the same paths, and says so; a web page is not read', async () => {
    const xml = {
      success_rule: says("['s:Reply'].Status", 'OK'),
      authority_reference_path: "['s:Reply']['@no']",
    }
    const body = '<s:Reply xmlns:s="urn:s" no="A-7"><Status> OK </Status></s:Reply>'
    expect(await judge(xml, { status: 200, body })).toMatchObject({
      state: 'succeeded',
      format: 'xml',
      found: { authority_reference: 'A-7' },
    })
    const page = '<!doctype html><html><body>Down</body></html>'
    expect(await judge(xml, { status: 200, body: page })).toMatchObject({
      state: 'unknown',
      format: 'none',
      rules: [{ verdict: 'unreadable', conditions: [{ holds: null }] }],
    })
  })

  it('of several documents names each, by the lists that name it', async () => {
    const documents = {
      items_path: 'invoices',
      reference_path: 'no',
      accepted_path: 'taken',
      rejected_path: 'refused',
      answer_reference_path: 'no',
      authority_reference_path: 'irn',
      message_path: 'why',
    }
    const taken = [{ no: 'A', irn: 'X1' }, { no: 'C' }]
    const refused = [{ no: 'B', why: 'No TIN.' }, { no: 'C' }]
    const judged = await judge(
      { documents },
      { status: 200, body: JSON.stringify({ taken, refused }) },
    )
    expect(judged).toMatchObject({ state: 'unknown', decided_by: 'status' })
    expect(judged.documents).toEqual([
      { reference: 'A', state: 'accepted', authority_reference: 'X1', message: null },
      { reference: 'C', state: 'unknown', authority_reference: null, message: null },
      { reference: 'B', state: 'not_accepted', authority_reference: null, message: 'No TIN.' },
    ])
  })

  it('ends as it ends in a run, with every profile', async () => {
    const body = { status: 'ACCEPTED', state: 'ok' }
    for (const { name, settings } of runProfiles.filter(({ later }) => later === undefined)) {
      app.answer(json(200, body))
      // References are read from the request, which is not what is judged here.
      const run_settings = {
        ...settings,
        reference_path: '',
        original_reference_path: '',
        documents: null,
        content_type: '',
      }
      const id = await app.endpoint({ run_settings })
      const sent = await app.tax([{ end_point: id, body: `{"of":"${name}"}` }])
      const { authority_reference_path, qr_path, wait_path, effect } = settings
      const { success_rule, rejection_rule, duplicate_rule } = settings
      const judged = await judge(
        {
          success_rule,
          rejection_rule,
          duplicate_rule,
          effect,
          authority_reference_path,
          qr_path,
          wait_path,
        },
        { status: 200, body: JSON.stringify(body) },
      )
      expect(judged.state, name).toBe(runOf(sent).steps[0]?.state)
    }
  })

  it('is refused where a rule, the status or the body can’t be used', async () => {
    const wrong = await call(
      {
        success_rule: { statuses: '2xx', conditions: [{ path: 'a[', test: 'equals', value: 'x' }] },
      },
      { status: 99, body: 'x'.repeat(524_289), headers: 'no header' },
    )
    expect(wrong.status).toBe(422)
    expect(Object.keys((wrong.body as { errors: object }).errors).toSorted()).toEqual([
      'body',
      'headers',
      'run_settings.success_rule.conditions.0.path',
      'run_settings.success_rule.statuses',
      'status',
    ])
  })

  it('says what the sign-in rule of the API decides', async () => {
    const credential = {
      kind: 'bearer',
      token: 'a-token-of-tests',
      refused_when: says('error', 'expired', '400'),
    }
    const api_id = await app.createApi({ name: 'Signs in', credential })
    const answer = { status: 400, body: '{"error":"expired"}', api_id }
    expect(await judge({}, answer)).toMatchObject({ outcome: 'auth', decided_by: 'sign_in' })
    expect(await judge({}, { ...answer, api_id: 999_999 })).toMatchObject({ outcome: 'rejected' })
  })
})

describe('the last answer of an endpoint', () => {
  const last = async (id: number, as?: string) => {
    const answer = await app.server.send('GET', `/api/endpoint/${id}/last-answer`, {
      token: as ?? app.token,
    })
    return answer
  }

  it('is the one of its newest run, without the credential', async () => {
    const id = await app.endpoint()
    expect((await last(id)).body).toBeNull()
    app.answer(json(200, { n: 1 }))
    await app.tax([{ end_point: id, body: '{"n":"first"}' }])
    app.answer(json(422, { n: 2, token: 'secret-token-9' }, { 'x-request-id': 'r-9' }))
    const sent = await app.tax([{ end_point: id, body: '{"n":"second"}', token: 'secret-token-9' }])
    const found = (await last(id)).body as LastAnswer
    expect(found).toMatchObject({
      run_id: runOf(sent).id,
      position: 1,
      is_resend: false,
      status: 422,
      headers: { 'content-type': 'application/json', 'x-request-id': 'r-9' },
    })
    expect(found.body).toContain('"n":2')
    expect(found.body).not.toContain('secret-token-9')
  })

  it('is left out where it is too long to be tried', async () => {
    const id = await app.endpoint()
    app.answer(json(200, { long: 'x'.repeat(524_288) }))
    await app.tax([{ end_point: id, body: '{"n":"long"}' }])
    expect((await last(id)).body).toMatchObject({ status: 200, body: null })
  })

  it('is for those who may see runs', async () => {
    const id = await app.endpoint()
    const { token } = await app.person(['endpoint.view'], [id])
    expect((await last(id, token)).status).toBe(403)
  })
})
