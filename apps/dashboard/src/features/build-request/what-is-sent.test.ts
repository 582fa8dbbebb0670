import { expect, test } from 'vitest'
import { newRow } from '../../entities/mapping/mapping-form.ts'
import { secondEndpoint, whatIsSent } from './what-is-sent.ts'

const row = newRow({ from: 'id', to: 'id' })
const rowText = '[{"from":"id","to":"id","custom_input":"","type":"auto"}]'

test.each([
  ['', false, [], { kind: 'nothing' }, ''],
  [' \n', false, [row], { kind: 'mapping', rowCount: 1 }, rowText],
  ['{"a": 0.10}', false, [row], { kind: 'body' }, '{"a": 0.10}'],
  ['{"a": ', false, [row], { kind: 'body' }, '{"a": '],
  [rowText, true, [], { kind: 'body-as-rows' }, rowText],
])('body %j (rows: %s) decides what goes out', (body, isRows, rows, sent, second) => {
  expect(whatIsSent(body, isRows, rows)).toEqual(sent)
  expect(secondEndpoint(body, rows)).toBe(second)
})
