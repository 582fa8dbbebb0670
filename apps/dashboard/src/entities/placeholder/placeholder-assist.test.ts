import { parseExact } from '@gatehouse/contract/mapping'
import { expect, test } from 'vitest'
import { placeholderAssist, valuesOf, writtenAt } from './placeholder-assist.ts'
import type { Sample } from './sample-answers.ts'

const sample: Sample = {
  step: 1,
  label: 'Answer of step 1',
  data: parseExact('{"id":0.10,"lines":[{"sku":"x"}]}'),
  origin: 'Pasted',
}
const assist = (isText = false) =>
  placeholderAssist([sample], { position: 2, hasInput: false }, isText)

test('the values of a sample, what holds others before them, with exact numbers', () => {
  expect(valuesOf(sample).map(({ placeholder, preview }) => [placeholder, preview])).toEqual([
    ['{{steps.1.body}}', '2 fields'],
    ['{{steps.1.body.id}}', '0.10'],
    ['{{steps.1.body.lines}}', '1 element'],
    ['{{steps.1.body.lines[0]}}', '1 field'],
    ['{{steps.1.body.lines[0].sku}}', '"x"'],
  ])
})

test.each([
  ['{"a": ', '"{{x}}"', false],
  ['{"a": "n ', '{{x}}', false],
  ['{"a": "\\"', '{{x}}', false],
  ['<a>', '{{x}}', true],
])('after %s it is written %s', (before, written, isText) => {
  expect(writtenAt(before, before.length, '{{x}}', isText)).toBe(written)
})

test('completion begins with two braces, narrows as one types, and closes what is open', () => {
  expect(assist().completionsAt('{"a": "x', 8)).toBeUndefined()
  const typed = '{"a": "{{sku'
  const found = assist().completionsAt(typed, typed.length)
  expect(found?.from).toBe(7)
  expect(found?.options).toEqual([
    {
      label: 'steps.1.body.lines[0].sku',
      detail: '"x"',
      text: '{{steps.1.body.lines[0].sku}}',
    },
  ])
  expect(assist().completionsAt(`${typed}}}"}`, typed.length)?.options[0]?.text).toBe(
    '{{steps.1.body.lines[0].sku',
  )
  expect(assist().completionsAt('{"a": {{id', 10)?.options[0]?.text).toBe('"{{steps.1.body.id}}"')
})
