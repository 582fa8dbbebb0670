import { expect, test } from 'vitest'
import { newRow } from './mapping-form.ts'
import { secondEndpoint, whatIsSent } from './what-is-sent.ts'

const row = newRow({ from: 'id', to: 'id' })
const rowText = '[{"from":"id","to":"id","custom_input":"","type":"auto"}]'

test.each([
  ['', [], { kind: 'nothing' }, ''],
  [' \n', [row], { kind: 'mapping', rowCount: 1 }, rowText],
  ['{"a": 0.10}', [row], { kind: 'body' }, '{"a": 0.10}'],
  ['{"a": ', [row], { kind: 'body' }, '{"a": '],
  ['[]', [row], { kind: 'body' }, '[]'],
  [rowText, [], { kind: 'body-as-rows' }, rowText],
])('body %j decides what goes out', (body, rows, sent, second) => {
  expect(whatIsSent(body, rows)).toEqual(sent)
  expect(secondEndpoint(body, rows)).toBe(second)
})
