import type { Effect } from '@gatehouse/contract'
import type { HttpAnswer } from '@gatehouse/upstream'
import { expect, it } from 'vitest'
import { classifyAnswer, classifyCrash } from './classify-answer.ts'

const status = (code: number): HttpAnswer => ({
  ok: true,
  status: code,
  headers: {},
  body: Buffer.from(''),
  durationMs: 1,
})
const failure = (
  code: Extract<HttpAnswer, { ok: false }>['code'],
  isSent: boolean,
  head?: number,
): HttpAnswer => ({
  ok: false,
  code,
  isSent,
  detail: '',
  durationMs: 1,
  cause: undefined,
  ...(head === undefined ? {} : { status: head }),
})

// spec: outcomes: what was seen → outcome, and the step's state per effect.
const table: [string, HttpAnswer, string, { submit: string; read: string }][] = [
  ['200', status(200), 'ok', { submit: 'succeeded', read: 'succeeded' }],
  ['201', status(201), 'ok', { submit: 'succeeded', read: 'succeeded' }],
  ['204', status(204), 'ok', { submit: 'succeeded', read: 'succeeded' }],
  ['208', status(208), 'duplicate', { submit: 'blocked', read: 'blocked' }],
  ['2xx cut short', failure('cut', true, 200), 'cut', { submit: 'unknown', read: 'waiting' }],
  [
    '2xx too large to read',
    failure('too_large', true, 200),
    'cut',
    { submit: 'unknown', read: 'waiting' },
  ],
  ['400', status(400), 'rejected', { submit: 'rejected', read: 'rejected' }],
  ['404', status(404), 'rejected', { submit: 'rejected', read: 'rejected' }],
  ['409', status(409), 'rejected', { submit: 'rejected', read: 'rejected' }],
  ['422', status(422), 'rejected', { submit: 'rejected', read: 'rejected' }],
  [
    'a 422 whose body was cut',
    failure('cut', true, 422),
    'rejected',
    { submit: 'rejected', read: 'rejected' },
  ],
  ['401', status(401), 'auth', { submit: 'blocked', read: 'blocked' }],
  ['403', status(403), 'auth', { submit: 'blocked', read: 'blocked' }],
  ['408', status(408), 'timeout', { submit: 'unknown', read: 'waiting' }],
  ['429', status(429), 'throttled', { submit: 'waiting', read: 'waiting' }],
  ['302', status(302), 'server_error', { submit: 'unknown', read: 'rejected' }],
  ['307', status(307), 'rejected', { submit: 'rejected', read: 'rejected' }],
  ['no such host', failure('dns', false), 'not_sent', { submit: 'waiting', read: 'waiting' }],
  ['refused', failure('refused', false), 'not_sent', { submit: 'waiting', read: 'waiting' }],
  [
    'connect time-out',
    failure('connect_timeout', false),
    'not_sent',
    { submit: 'waiting', read: 'waiting' },
  ],
  ['bad certificate', failure('tls', false), 'not_sent', { submit: 'waiting', read: 'waiting' }],
  [
    'blocked address',
    failure('blocked_address', false),
    'not_sent',
    { submit: 'waiting', read: 'waiting' },
  ],
  ['500', status(500), 'server_error', { submit: 'unknown', read: 'waiting' }],
  ['503', status(503), 'server_error', { submit: 'unknown', read: 'waiting' }],
  [
    'time-out after sending',
    failure('timeout', true),
    'timeout',
    { submit: 'unknown', read: 'waiting' },
  ],
  ['reset after sending', failure('cut', true), 'cut', { submit: 'unknown', read: 'waiting' }],
  [
    'an answer that is not HTTP',
    failure('protocol', true),
    'cut',
    { submit: 'unknown', read: 'waiting' },
  ],
]

it.each(table)('%s', (_name, answer, outcome, states) => {
  for (const [effect, state] of Object.entries({ ...states, idempotent: states.read })) {
    expect(classifyAnswer(answer, { effect: effect as Effect })).toMatchObject({ outcome, state })
  }
})

it('takes a duplicate answer to a resend of the same bytes for success', () => {
  expect(classifyAnswer(status(208), { effect: 'submit', isResend: true })).toEqual({
    outcome: 'ok_duplicate',
    state: 'succeeded',
  })
})

it('a crash while sending leaves a submit unknown and everything else not started', () => {
  expect(classifyCrash('submit').state).toBe('unknown')
  expect(classifyCrash('read').state).toBe('waiting')
  expect(classifyCrash('idempotent').state).toBe('waiting')
})
