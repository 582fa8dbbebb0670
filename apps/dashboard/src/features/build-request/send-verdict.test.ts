import type { Outcome, RunState } from '@gatehouse/contract'
import { describe, expect, test } from 'vitest'
import { CallError } from '../../lib/calls/call-error.ts'
import { verdictOf } from './send-verdict.ts'

function failure(state: RunState, outcome: Outcome, status: number | null = null, extra = {}) {
  const step = { position: 1, endpoint_id: 1, state: 'waiting', outcome, status, duration_ms: 5 }
  return new CallError({
    status: 502,
    code: 'upstream.status',
    message: 'The upstream answered.',
    requestId: 'req-1',
    details: { run: { id: 12, state, steps: [step] }, ...extra },
  })
}

const noRun = (status: number, code: CallError['code']) =>
  new CallError({ status, code, message: 'No.' })

describe('a Send is unknown wherever it may have been received', () => {
  test.each([
    ['the server says so', failure('unknown', 'timeout')],
    ['the connection to our server broke', noRun(0, 'network.failed')],
    ['a proxy answered in its place', noRun(504, 'answer.unreadable')],
    ['a proxy refused in its place', noRun(404, 'answer.unreadable')],
    ['our server failed', noRun(500, 'server.failed')],
    ['its answer could not be read', new Error('bug')],
  ])('%s', (_, error) => {
    expect(verdictOf(error, 'send')).toMatchObject({
      kind: 'unknown',
      title: 'What became of it is not known',
    })
  })
})

test.each([
  [422, 'request.invalid'],
  [401, 'session.unauthenticated'],
  [403, 'access.denied'],
  [413, 'request.too_large'],
  [429, 'server.busy'],
] as const)('a Send that our server refused with %i was not sent', (status, code) => {
  expect(verdictOf(noRun(status, code), 'send')).toMatchObject({
    kind: 'not-sent',
    title: 'Nothing was sent',
  })
})

test.each([
  ['not_started', 'not_sent', null, 'not-sent', 'Nothing was sent'],
  ['rejected', 'rejected', 422, 'failed', /rejected it \(status 422\)$/],
  ['blocked', 'auth', 401, 'failed', /not accept the credentials \(status 401\)$/],
  ['not_started', 'throttled', 429, 'failed', /asks to wait .* \(status 429\)/],
  ['blocked', 'duplicate', 208, 'failed', /has this already \(status 208\)/],
  ['not_started', 'server_error', 500, 'failed', /sending the same again does no harm/],
  ['not_started', 'timeout', null, 'failed', /sending the same again does no harm/],
] as const)('run %s, outcome %s, status %s is %s', (state, outcome, status, kind, title) => {
  expect(verdictOf(failure(state, outcome, status), 'send')).toMatchObject({
    kind,
    title: expect.stringMatching(title),
    run: { id: 12 },
    requestId: 'req-1',
  })
})

test('a Get that failed is never unknown: reading again does no harm', () => {
  expect(verdictOf(noRun(0, 'network.failed'), 'fetch').kind).toBe('not-sent')
  expect(verdictOf(failure('not_started', 'timeout'), 'fetch')).toMatchObject({
    kind: 'failed',
    title: 'The endpoint did not deliver',
  })
  expect(verdictOf(failure('succeeded', 'ok', 200), 'fetch').title).toBe(
    'The endpoint’s answer could not be used (status 200)',
  )
})

describe('what the endpoint answered is shown', () => {
  test('JSON pretty-printed, its numbers exact', () => {
    const error = failure('rejected', 'rejected', 422, { answer: '{"total":0.10}' })
    expect(verdictOf(error, 'send').answer).toBe('{\n  "total": 0.10\n}')
  })

  test('anything else as it is', () => {
    const error = failure('rejected', 'rejected', 404, { answer: '<h1>Not here</h1>' })
    expect(verdictOf(error, 'send').answer).toBe('<h1>Not here</h1>')
  })
})

test('details repeat neither each other nor the title', () => {
  const error = failure('rejected', 'rejected', 422, { detail: 'The upstream answered.' })
  expect(verdictOf(error, 'send').details).toEqual(['The upstream answered.'])
})
