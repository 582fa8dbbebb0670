import { expect, test } from 'vitest'
import { newRow } from '../../../entities/mapping/mapping-form.ts'
import { blankStep } from '../workflow-step-draft.ts'
import { movedStep, withoutStep } from './step-order.ts'

const first = blankStep({ endpoint_id: '1' })
const second = blankStep({
  endpoint_id: '2',
  body: {
    kind: 'template',
    text: '{"a": "{{steps.1.body.id}}", "b": "{{input.steps.1.x}}"}',
    rows: [],
  },
})
const third = blankStep({
  endpoint_id: '3',
  body: {
    kind: 'mapping',
    text: '',
    rows: [
      newRow({ from: 'id', to: 'id', source: 'steps.2.body' }),
      newRow({ from: 'no', to: 'no', source: 'input' }),
    ],
  },
  has_condition: true,
  condition: { ...first.condition, source: 'steps.1.body' },
})
const steps = [first, second, third]

const endpoints = (moved: readonly (typeof first)[]) => moved.map(({ endpoint_id }) => endpoint_id)

test('what others take from a step goes along when it moves', () => {
  const moved = movedStep(steps, 0, 1)
  expect(endpoints(moved)).toEqual(['2', '1', '3'])
  expect(moved[0]?.body.text).toBe('{"a": "{{steps.2.body.id}}", "b": "{{input.steps.1.x}}"}')
  expect(moved[2]?.body.rows.map(({ source }) => source)).toEqual(['steps.1.body', 'input'])
  expect(moved[2]?.condition.source).toBe('steps.2.body')
  expect(endpoints(movedStep(moved, 1, -1))).toEqual(['1', '2', '3'])
})

test('a step that is removed leaves no other answer in its place', () => {
  const left = withoutStep(steps, 0)
  expect(endpoints(left)).toEqual(['2', '3'])
  expect(left[0]?.body.text).toContain('{{steps.0.body.id}}')
  expect(left[1]?.body.rows[0]?.source).toBe('steps.1.body')
  expect(left[1]?.condition.source).toBe('steps.0.body')
  expect(withoutStep(steps, 1)[1]?.body.rows.map(({ source }) => source)).toEqual([
    'steps.0.body',
    'input',
  ])
})

test('a source that nothing is read from falls back to the input', () => {
  const unread = blankStep({
    body: {
      kind: 'mapping',
      text: '',
      rows: [newRow({ from: '', to: 'id', custom_input: '1', source: 'steps.1.body' })],
    },
    condition: { ...first.condition, source: 'steps.1.body' },
  })
  const [left] = withoutStep([first, unread], 0)
  expect(left?.body.rows[0]?.source).toBe('input')
  expect(left?.condition.source).toBe('input')
})
