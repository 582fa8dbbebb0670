import { expect, test } from 'vitest'
import { buildRunDetail, buildStep } from '../../../testing/run-builders.ts'
import { correctableSteps, diffBodies, isCorrected, startOf, toRetryBody } from './correction.ts'
import { noTokens } from './action-tokens.ts'

const text = (text: string) => ({ text, bytes: text.length, is_whole: true })
const run = buildRunDetail({
  correct: { is_allowed: true, refusal: null, kept_steps: 1 },
  steps: [
    buildStep(),
    buildStep({ position: 2, source_body: text('{"a":1}'), dependency_field: 'id,title' }),
    buildStep({ position: 3, source_body: { text: '{"b', bytes: 5e6, is_whole: false } }),
  ],
})

test('steps that succeeded can’t be corrected; the others start with what was typed', () => {
  const steps = correctableSteps(run)
  expect(
    steps.map(({ position, oldBody, oldDependency, isEditable }) => [
      position,
      oldBody,
      oldDependency,
      isEditable,
    ]),
  ).toEqual([
    [2, '{"a":1}', 'id,title', true],
    [3, '{"b', null, false],
  ])
})

test('only what was changed is sent; the rest stays as the old run had it', () => {
  const steps = correctableSteps(run)
  const [second] = steps
  if (!second) throw new Error('There is a second step')
  expect(isCorrected(second, startOf(second))).toBe(false)
  expect(isCorrected(second, { ...startOf(second), dependency: 'id' })).toBe(true)
  const changed = { 2: { body: '{"a":2}', dependency: 'id,title' } }
  expect(toRetryBody(steps, changed, { ...noTokens, others: 'secret' })).toEqual({
    endpoint_2: { token: 'secret', body: '{"a":2}' },
    endpoint_3: { token: 'secret' },
  })
})

test('bodies are compared as they read, and as typed where only blanks differ', () => {
  expect(
    diffBodies('{"a":1,"b":2}', '{"a":1,"b":3}').filter(({ kind }) => kind !== 'same'),
  ).toEqual([
    { kind: 'old', text: '  "b": 2' },
    { kind: 'new', text: '  "b": 3' },
  ])
  expect(diffBodies('{"a":1}', '{"a": 1}')).toEqual([
    { kind: 'old', text: '{"a":1}' },
    { kind: 'new', text: '{"a": 1}' },
  ])
})
