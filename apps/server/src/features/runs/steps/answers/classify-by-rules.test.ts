import { defaultRunSettings, type RunSettings } from '@gatehouse/contract'
import { runProfiles } from '@gatehouse/contract/run-profiles'
import type { HttpAnswer } from '@gatehouse/upstream'
import { describe, expect, it } from 'vitest'
import { classifyAnswer, effectOf, isDuplicateSafe } from './classify-answer.ts'
import answers from '../fixtures/einvoice-answers.json' with { type: 'json' }

const answer = (status: number, body: unknown): HttpAnswer => ({
  ok: true,
  status,
  headers: {},
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  durationMs: 1,
})

const profile = (name: string): RunSettings => {
  const found = runProfiles.find((each) => each.name === name)
  if (!found) throw new Error(`no profile ${name}`)
  return found.settings
}

const fixture = (id: string) => {
  const found = answers.find((each) => each.id === id)
  if (!found) throw new Error(`no answer ${id}`)
  return answer(found.http_status ?? 200, found.body)
}

const submit = (seen: HttpAnswer, rules: RunSettings, isResend = false) =>
  classifyAnswer(seen, { effect: 'submit', isResend, rules })

describe('answers of real authorities', () => {
  it('ZATCA clearance: a duplicate of a cleared invoice', () => {
    const seen = fixture('zatca-clearance-duplicate-warning')
    const rules = profile('zatca-clearance')
    expect(submit(seen, rules, true)).toEqual({ outcome: 'ok_duplicate', state: 'succeeded' })
    expect(submit(seen, rules)).toMatchObject({ outcome: 'duplicate', state: 'blocked' })
  })

  it('ZATCA reporting: reported, although clearanceStatus is null', () => {
    const seen = fixture('zatca-reported')
    expect(submit(seen, profile('zatca-reporting'))).toEqual({ outcome: 'ok', state: 'succeeded' })
  })

  it('JoFotara: submitted, and submitted before', () => {
    const rules = profile('jofotara')
    expect(submit(fixture('jofotara-format-B-ok'), rules)).toMatchObject({ state: 'succeeded' })
    const before = fixture('jofotara-already-submitted')
    expect(submit(before, rules, true)).toEqual({ outcome: 'ok_duplicate', state: 'succeeded' })
    expect(submit(before, rules)).toMatchObject({ outcome: 'duplicate', state: 'blocked' })
  })

  it.each([
    ['myinvois', 422, { error: { code: 'DuplicateSubmission' } }],
    ['eta', 422, { error: { code: 'DuplicateSubmission' } }],
    ['netsuite', 400, { 'o:errorDetails': [{ 'o:errorCode': 'DUP_RCRD' }] }],
    ['netsuite', 409, { 'o:errorCode': 'DUP_RCRD' }],
    ['netsuite', 400, { 'o:errorDetails': [{ detail: 'This record already exists.' }] }],
    ['irn', 200, { success: false, message: '2150 : Duplicate IRN' }],
    ['irn', 400, { message: '2150: Duplicate IRN request' }],
    ['jofotara', 400, { EINV_STATUS: 'ALREADY_SUBMITTED' }],
    ['zoho-books', 400, { code: 1001, message: 'Invoice INV-1 already exists.' }],
    ['zoho-books', 400, { code: 4097, message: 'The bill number Already Exists' }],
    ['zoho-books', 200, { code: 1001, message: 'Invoice INV-1 already exists.' }],
    ['zoho-books', 409, { code: 1, message: 'It exists already.' }],
  ])(
    '%s: a duplicate answer of %i to a first submission is blocked, not rejected',
    (name, status, body) => {
      const seen = answer(status, body)
      expect(submit(seen, profile(name))).toMatchObject({ outcome: 'duplicate', state: 'blocked' })
      expect(submit(seen, profile(name), true)).toMatchObject({ state: 'succeeded' })
    },
  )

  // "partially valid" has no outcome of its own: part was accepted, so it is left to a person.
  it.each([
    ['valid', 'succeeded'],
    ['in progress', 'succeeded'],
    ['invalid', 'rejected'],
    ['partially valid', 'unknown'],
  ])('ETA: a submission that is %s', (overallStatus, state) => {
    const known = answers.find(({ id }) => id === 'eta-get-submission-status-values')
    expect(known?.body.overallStatus).toContain(overallStatus)
    const on = (value: string) => ({
      statuses: '200-299',
      join: 'all' as const,
      conditions: [{ path: 'overallStatus', test: 'one_of' as const, value }],
    })
    const rules = {
      ...defaultRunSettings,
      success_rule: on('valid,in progress'),
      rejection_rule: on('invalid'),
    }
    expect(submit(answer(200, { overallStatus }), rules)).toMatchObject({ state })
  })
})

const zatcaError = (field: string, word: string) => ({
  validationResults: { errorMessages: [], status: 'ERROR' },
  [field]: word,
})

const taken = [{ uuid: 'u1', invoiceCodeNumber: '1' }]
const refusedDocuments = [{ invoiceCodeNumber: '2', error: {} }]
const verifactu = (state: string, more = '') =>
  `<env:Envelope xmlns:env="e"><env:Body><tikR:RespuestaRegFactuSistemaFacturacion xmlns:tikR="t"><tikR:RespuestaLinea><tikR:EstadoRegistro>${state}</tikR:EstadoRegistro>${more}</tikR:RespuestaLinea></tikR:RespuestaRegFactuSistemaFacturacion></env:Body></env:Envelope>`
const stamped = '307. El comprobante contiene un timbre previo.'

// profile, status, body → outcome and state on a first attempt, and on a resend
type Row = [string, number, unknown, string, string]
const table: Row[] = [
  ['zatca-clearance', 200, { clearanceStatus: 'CLEARED' }, 'succeeded', 'succeeded'],
  ['zatca-clearance', 202, { clearanceStatus: 'CLEARED' }, 'succeeded', 'succeeded'],
  ['zatca-clearance', 200, zatcaError('clearanceStatus', 'NOT_CLEARED'), 'rejected', 'unknown'],
  ['zatca-clearance', 200, zatcaError('clearanceStatus', 'CLEARED'), 'rejected', 'unknown'],
  ['zatca-clearance', 400, zatcaError('clearanceStatus', 'NOT_CLEARED'), 'rejected', 'unknown'],
  ['zatca-clearance', 303, zatcaError('clearanceStatus', 'NOT_CLEARED'), 'rejected', 'unknown'],
  ['zatca-clearance', 303, '', 'rejected', 'unknown'],
  ['zatca-clearance', 303, '<html>', 'rejected', 'unknown'],
  ['zatca-clearance', 303, { message: 'Clearance is deactivated' }, 'rejected', 'unknown'],
  ['zatca-clearance', 302, '', 'unknown', 'unknown'],
  ['zatca-clearance', 303, { clearanceStatus: 'CLEARED' }, 'unknown', 'unknown'],
  ['zatca-reporting', 303, '', 'rejected', 'unknown'],
  ['zatca-clearance', 200, { message: 'OK' }, 'unknown', 'unknown'],
  ['zatca-clearance', 200, '<html>', 'unknown', 'unknown'],
  ['zatca-clearance', 208, '<html>', 'unknown', 'unknown'],
  ['zatca-clearance', 409, {}, 'rejected', 'unknown'],
  ['zatca-clearance', 500, { clearanceStatus: 'CLEARED' }, 'unknown', 'unknown'],
  ['zatca-clearance', 401, { clearanceStatus: 'CLEARED' }, 'blocked', 'unknown'],
  ['zatca-reporting', 202, { reportingStatus: 'REPORTED' }, 'succeeded', 'succeeded'],
  ['zatca-reporting', 200, zatcaError('reportingStatus', 'NOT_REPORTED'), 'rejected', 'unknown'],
  ['zatca-reporting', 400, zatcaError('reportingStatus', 'NOT_REPORTED'), 'rejected', 'unknown'],
  ['zatca-reporting', 409, zatcaError('reportingStatus', 'NOT_REPORTED'), 'blocked', 'succeeded'],
  ['zatca-reporting', 409, '', 'blocked', 'succeeded'],
  ['zatca-reporting', 208, {}, 'blocked', 'succeeded'],
  ['jofotara', 200, { EINV_STATUS: 'NOT_SUBMITTED' }, 'rejected', 'unknown'],
  [
    'jofotara',
    200,
    { EINV_STATUS: 'SUBMITTED', EINV_RESULTS: { status: 'ERROR' } },
    'rejected',
    'unknown',
  ],
  ['jofotara', 200, { invoiceStatus: 'SUBMITTED' }, 'unknown', 'unknown'],
  ...['myinvois', 'eta'].flatMap((name): Row[] => [
    [name, 202, { acceptedDocuments: taken, rejectedDocuments: [] }, 'succeeded', 'succeeded'],
    [name, 202, { acceptedDocuments: taken }, 'succeeded', 'succeeded'],
    // Each document is decided by its own list (several-documents), not by a rule.
    [
      name,
      202,
      { acceptedDocuments: taken, rejectedDocuments: refusedDocuments },
      'succeeded',
      'succeeded',
    ],
    [name, 422, { error: { code: 'DuplicateSubmission' } }, 'blocked', 'succeeded'],
    [name, 429, {}, 'waiting', 'unknown'],
  ]),
  ['oscu', 200, { resultCd: '000' }, 'succeeded', 'succeeded'],
  ['oscu', 200, { resultCd: '994' }, 'blocked', 'succeeded'],
  ['oscu', 200, { resultCd: '910' }, 'rejected', 'unknown'],
  ['oscu', 200, { responseBody: { resultCd: '000' } }, 'unknown', 'unknown'],
  ['firs', 201, { code: 201, data: { ok: true } }, 'succeeded', 'succeeded'],
  ['firs', 200, { data: { ok: false } }, 'rejected', 'unknown'],
  ['firs', 400, {}, 'rejected', 'unknown'],
  ['firs', 200, { code: 200 }, 'unknown', 'unknown'],
  ['irn', 200, { success: true, result: { Irn: 'i' } }, 'succeeded', 'succeeded'],
  ['irn', 200, { success: false, result: [{ InfCd: 'DUPIRN' }] }, 'blocked', 'succeeded'],
  ['irn', 200, { success: false, message: '2150 : …' }, 'blocked', 'succeeded'],
  ['irn', 200, { success: false, message: '2172 : …' }, 'rejected', 'unknown'],
  ['irn', 200, { success: true }, 'unknown', 'unknown'],
  ['verifactu', 200, verifactu('Correcto'), 'succeeded', 'succeeded'],
  ['verifactu', 200, verifactu('AceptadoConErrores'), 'succeeded', 'succeeded'],
  ['verifactu', 200, verifactu('Incorrecto'), 'rejected', 'unknown'],
  [
    'verifactu',
    200,
    verifactu('Incorrecto', '<tikR:RegistroDuplicado><a>1</a></tikR:RegistroDuplicado>'),
    'blocked',
    'succeeded',
  ],
  [
    'verifactu',
    200,
    '<env:Envelope xmlns:env="e"><env:Body/></env:Envelope>',
    'unknown',
    'unknown',
  ],
  ['cfdi', 200, { status: 'success', data: { uuid: 'u' } }, 'succeeded', 'succeeded'],
  ['cfdi', 400, { status: 'error', message: stamped }, 'blocked', 'succeeded'],
  ['cfdi', 400, { status: 'error', message: 'CFDI40102' }, 'rejected', 'unknown'],
  ['zoho-books', 201, { code: 0, invoice: {} }, 'succeeded', 'succeeded'],
  ['zoho-books', 400, { code: 1002, message: 'Customer does not exist' }, 'rejected', 'unknown'],
  ['zoho-books', 200, { code: 1002 }, 'rejected', 'unknown'],
  ['netsuite', 204, '', 'succeeded', 'succeeded'],
  ['netsuite', 400, {}, 'rejected', 'unknown'],
  ['generic', 200, '<html>', 'succeeded', 'succeeded'],
  ['generic', 204, '', 'succeeded', 'succeeded'],
  ['generic', 208, '', 'blocked', 'succeeded'],
  ['generic', 409, '', 'rejected', 'unknown'],
]

it.each(table)('%s: %i %j is %s, to a resend %s', (name, status, body, first, resent) => {
  const rules = profile(name)
  expect(submit(answer(status, body), rules).state).toBe(first)
  expect(submit(answer(status, body), rules, true).state).toBe(resent)
})

describe('rules that need the body', () => {
  const rules: RunSettings = {
    ...defaultRunSettings,
    success_rule: {
      statuses: '',
      join: 'all',
      conditions: [{ path: 'ok', test: 'equals', value: 'true' }],
    },
  }

  it('a 2xx they call an error is rejected, for every effect', () => {
    for (const effect of ['read', 'idempotent', 'submit'] as const) {
      expect(classifyAnswer(answer(200, { ok: false }), { effect, rules })).toMatchObject({
        outcome: 'rejected',
        state: 'rejected',
      })
    }
  })

  it('a 2xx that cannot be read is unknown for a submit, not started for the others', () => {
    const seen = answer(200, '{"ok":tr')
    expect(submit(seen, rules)).toMatchObject({ outcome: 'cut', state: 'unknown' })
    expect(classifyAnswer(seen, { effect: 'read', rules })).toMatchObject({ state: 'waiting' })
  })

  it('a refusal whose named duplicate is not recognisable from its body is unknown', () => {
    const duplicate_rule = {
      statuses: '409',
      join: 'all' as const,
      conditions: [{ path: 'code', test: 'equals' as const, value: 'DUP' }],
    }
    const named = { ...defaultRunSettings, duplicate_rule }
    expect(submit(answer(409, '<html>'), named)).toMatchObject({ state: 'unknown' })
    expect(submit(answer(409, { code: 'OTHER' }), named)).toMatchObject({ state: 'rejected' })
    expect(submit(answer(422, '<html>'), named)).toMatchObject({ state: 'rejected' })
  })
})

describe('a resend after an attempt that may have arrived', () => {
  const failed = (code: 'refused' | 'dns'): HttpAnswer => ({
    ok: false,
    code,
    isSent: false,
    detail: '',
    durationMs: 1,
    cause: undefined,
  })

  it.each([
    ['not sent', failed('refused')],
    ['throttled', answer(429, '')],
    ['refused for its credentials', answer(401, '')],
    ['refused, with no rule that tells a duplicate', answer(409, '')],
  ])('that is %s leaves a submit unknown', (_name, seen) => {
    expect(submit(seen, defaultRunSettings, true).state).toBe('unknown')
    const arrivedNot = { effect: 'submit', isResend: true, mayHaveArrived: false } as const
    expect(classifyAnswer(seen, arrivedNot).state).not.toBe('unknown')
    expect(classifyAnswer(seen, { effect: 'idempotent', isResend: true }).state).not.toBe('unknown')
  })

  it('that is refused leaves it unknown, however clearly the rules describe a duplicate', () => {
    const safe = { ...defaultRunSettings, is_duplicate_safe: true }
    expect(submit(answer(422, ''), safe, true).state).toBe('unknown')
    expect(submit(answer(422, ''), profile('zatca-clearance'), true).state).toBe('unknown')
  })

  it('that is refused is rejected, once a person has said that nothing was received', () => {
    const how = { effect: 'submit', isResend: true, mayHaveArrived: false } as const
    expect(classifyAnswer(answer(422, ''), how).state).toBe('rejected')
  })

  it('may be a duplicate from another sender for a first attempt only', () => {
    const how = { effect: 'submit', isResend: false, mayHaveArrived: true } as const
    expect(classifyAnswer(answer(208, ''), how)).toMatchObject({ state: 'unknown' })
  })
})

it('the effect follows the method unless the settings name one', () => {
  expect(effectOf(defaultRunSettings, 'GET')).toBe('read')
  expect(effectOf(defaultRunSettings, 'PUT')).toBe('idempotent')
  expect(effectOf(defaultRunSettings, 'POST')).toBe('submit')
  expect(effectOf({ effect: 'submit' }, 'PUT')).toBe('submit')
})

it('duplicate-safe ends when its hours are over', () => {
  const rules = { is_duplicate_safe: true, duplicate_safe_minutes: 23 * 60 }
  const sent = '2026-06-01T08:00:00.000Z'
  expect(isDuplicateSafe(rules, sent, new Date('2026-06-02T06:59:59Z'))).toBe(true)
  expect(isDuplicateSafe(rules, sent, new Date('2026-06-02T07:00:00Z'))).toBe(false)
  expect(isDuplicateSafe({ ...rules, is_duplicate_safe: false }, sent, new Date(sent))).toBe(false)
})

describe('answers in XML', () => {
  const rule = (value: string) => ({
    statuses: '200',
    join: 'all' as const,
    conditions: [{ path: "['s:Envelope'].Respuesta.Estado", test: 'equals' as const, value }],
  })
  const rules = {
    ...defaultRunSettings,
    success_rule: rule('Correcto'),
    rejection_rule: rule('Incorrecto'),
  }
  const envelope = (state: string) =>
    answer(
      200,
      `<?xml version="1.0"?>
      <s:Envelope xmlns:s="urn:s"><Respuesta><Estado>${state}</Estado></Respuesta></s:Envelope>`,
    )

  it('are judged by the same rules', () => {
    expect(submit(envelope('Correcto'), rules)).toEqual({ outcome: 'ok', state: 'succeeded' })
    expect(submit(envelope('Incorrecto'), rules)).toMatchObject({ state: 'rejected' })
    expect(submit(envelope('AceptadoConErrores'), rules)).toMatchObject({ state: 'unknown' })
  })

  it('leave the outcome unknown where they are cut, define entities, or are a web page', () => {
    for (const text of [
      '<s:Envelope><Respuesta>',
      '<!DOCTYPE a [<!ENTITY e "Correcto">]><a>&e;</a>',
      '<html><body>Correcto</body></html>',
    ]) {
      const missing = {
        ...rule(''),
        conditions: [{ path: 'error', test: 'missing' as const, value: '' }],
      }
      expect(submit(answer(200, text), { ...rules, success_rule: missing })).toMatchObject({
        state: 'unknown',
        errorCode: 'upstream.unreadable',
      })
    }
  })
})
