import type { StepState } from '@gatehouse/contract'
import type { HttpAnswer } from '@gatehouse/upstream'
import { describe, expect, it } from 'vitest'
import { notBefore } from '../../steps/answers/explain-outcome.ts'
import { mayBeAccepted, runStateOf } from '../run-state.ts'

describe('the state of a run is that of its first step that is not done', () => {
  it.each<[StepState[], string]>([
    [['succeeded', 'succeeded'], 'succeeded'],
    [['succeeded', 'would_send'], 'succeeded'],
    [['waiting', 'waiting'], 'not_started'],
    [['succeeded', 'waiting'], 'stopped'],
    [['would_send', 'waiting'], 'stopped'],
    [['succeeded', 'sending'], 'running'],
    [['rejected', 'waiting'], 'rejected'],
    [['succeeded', 'blocked'], 'blocked'],
    [['unknown', 'waiting'], 'unknown'],
  ])('%j: %s', (states, expected) => {
    expect(runStateOf(states.map((state) => ({ state })))).toBe(expected)
  })
})

it.each<[string, StepState, boolean]>([
  ['submit', 'succeeded', true],
  ['submit', 'unknown', true],
  ['submit', 'sending', true],
  ['submit', 'rejected', false],
  ['submit', 'waiting', false],
  ['submit', 'would_send', false],
  ['read', 'succeeded', false],
  ['idempotent', 'succeeded', false],
])('a %s that is %s may have been accepted: %s', (effect, state, expected) => {
  expect(mayBeAccepted([{ effect, state }])).toBe(expected)
})

describe('Retry-After', () => {
  const now = new Date('2026-06-01T08:00:00Z')
  const answered = (status: number, retryAfter: string): HttpAnswer => ({
    ok: true,
    status,
    headers: { 'retry-after': retryAfter },
    body: Buffer.from(''),
    durationMs: 1,
  })

  it.each([
    [429, '30', '2026-06-01T08:00:30.000Z'],
    [503, 'Mon, 01 Jun 2026 08:01:00 GMT', '2026-06-01T08:01:00.000Z'],
    [429, '999999999', '2026-06-02T08:00:00.000Z'],
    [429, '0', null],
    [429, 'soon', null],
    [429, 'Mon, 01 Jun 2020 08:01:00 GMT', null],
    [200, '30', null],
  ])('of a %i: %s is %s', (status, value, expected) => {
    expect(notBefore(answered(status, value), now)).toBe(expected)
  })
})

describe('a value of the answer that names a wait', () => {
  const now = new Date('2026-06-01T08:00:00Z')
  const answered = (body: string): HttpAnswer => ({
    ok: true,
    status: 503,
    headers: { 'retry-after': '5' },
    body: Buffer.from(body),
    durationMs: 1,
  })

  it.each([
    ['{"wait":90}', '2026-06-01T08:01:30.000Z'],
    ['{"wait":"1.5"}', '2026-06-01T08:00:05.000Z'],
    ['{"wait":"2026-06-01T08:02:00Z"}', '2026-06-01T08:02:00.000Z'],
    ['{"wait":1780300980}', '2026-06-01T08:03:00.000Z'],
    ['{"wait":1780301040000}', '2026-06-01T08:04:00.000Z'],
    ['{"wait":"a while"}', '2026-06-01T08:00:05.000Z'],
    ['no JSON', '2026-06-01T08:00:05.000Z'],
  ])('%s beside Retry-After: 5 is %s', (body, expected) => {
    expect(notBefore(answered(body), now, 'wait')).toBe(expected)
  })
})
