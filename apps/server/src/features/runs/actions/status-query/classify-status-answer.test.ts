import type { StatusQuery } from '@gatehouse/contract'
import type { HttpAnswer } from '@gatehouse/upstream'
import { expect, it } from 'vitest'
import { classifyStatusAnswer } from './classify-status-answer.ts'

const query: StatusQuery = {
  endpoint_id: 1,
  parameter: 'reference',
  received: {
    statuses: '200',
    join: 'all',
    conditions: [{ path: 'state', test: 'one_of', value: 'valid,pending' }],
  },
  not_received: { statuses: '404', join: 'all', conditions: [] },
  reference_path: 'number',
  pending: null,
  rejected: null,
  message_path: '',
  quiet_seconds: 120,
}

const answer = (status: number, body: string): HttpAnswer => ({
  ok: true,
  status,
  headers: {},
  body: Buffer.from(body),
  durationMs: 1,
})

it.each([
  ['a fitting answer', answer(200, '{"state":"valid","number":900719925474099312345}'), 'received'],
  ['404', answer(404, ''), 'not_received'],
  ['another state', answer(200, '{"state":"odd"}'), 'unclear'],
  ['an unreadable body', answer(200, '<html>'), 'unclear'],
  ['a server error', answer(503, ''), 'unclear'],
])('%s is %s', (_name, seen, verdict) => {
  expect(classifyStatusAnswer(seen, query).verdict).toBe(verdict)
})

it('gives the authority’s reference exactly as it was written', () => {
  expect(
    classifyStatusAnswer(answer(200, '{"state":"valid","number":900719925474099312345}'), query),
  ).toEqual({ verdict: 'received', authorityReference: '900719925474099312345' })
})

it('an answer that fits both rules, or that never came, is unclear', () => {
  const both = { ...query, not_received: { statuses: '200', join: 'all' as const, conditions: [] } }
  expect(classifyStatusAnswer(answer(200, '{"state":"valid"}'), both).verdict).toBe('unclear')
  const cut: HttpAnswer = {
    ok: false,
    code: 'cut',
    isSent: true,
    status: 404,
    detail: '',
    durationMs: 1,
    cause: undefined,
  }
  expect(classifyStatusAnswer(cut, query).verdict).toBe('unclear')
})
