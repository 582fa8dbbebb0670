import { expect, test } from 'vitest'
import { parseExact } from '../mapping/exact/exact-json.ts'
import { judgePlaceholders, placeholderOf } from './judge-placeholders.ts'

const sample = parseExact('{"id":7,"order":{"number":"A-1","lines":[{"sku":"x"}]}}')
const judge = (text: string, position = 2, hasInput = false) =>
  judgePlaceholders(text, { position, hasInput }, (step) => (step === 1 ? sample : undefined))

test.each([
  ['{"a":"{{steps.1.body.id}}"}'],
  ['{"a":"{{steps.1.body.order.lines[*].sku}} and {{{{text}}"}'],
  ['<a>{{steps.1.body.order.lines[0].sku}}</a>'],
])('%s is filled from the sample', (text) => {
  expect(judge(text)).toEqual([])
})

test.each([
  ['{"a":"{{steps.1.body.ordr.number}}"}', 'Did you mean {{steps.1.body.order.number}}?'],
  ['{"a":"{{steps.1.body.order.Number}}"}', 'Did you mean {{steps.1.body.order.number}}?'],
  ['{"a":"{{stpes.1.body.id}}"}', 'Did you mean {{steps.1.body.id}}?'],
  ['{"a":"{{steps.2.body.id}}"}', 'does not come before step 2'],
  ['{"a":"{{input.id}}"}', 'only be used in a workflow'],
  ['{"a":"{{steps.1.body.id"}', "can't be read"],
])('%s is underlined, with the reason', (text, reason) => {
  const [problem, ...others] = judge(text)
  expect(others).toEqual([])
  expect(problem?.message).toContain(reason)
  expect(text.slice(problem?.from, problem?.to)).toMatch(/^\{\{/)
})

test('the place is that of the placeholder, behind braces that are text', () => {
  const text = '{"x":"{{{{ {{steps.1.body.nothing_like_it}}"}'
  expect(judge(text)).toMatchObject([{ from: text.indexOf('{{steps'), to: text.indexOf('"}') }])
})

test('nothing is said of the values of a step that has no sample', () => {
  expect(judge('{"a":"{{steps.2.body.anything}}"}', 3)).toEqual([])
})

test('a placeholder is written with quotes where a name needs them', () => {
  const name = (text: string) => ({ kind: 'name' as const, name: text })
  expect(placeholderOf(1, [name('k.ey'), { kind: 'index', index: 0 }])).toBe(
    `{{steps.1.body['k.ey'][0]}}`,
  )
  expect(placeholderOf(0, [])).toBe('{{input}}')
})
