import { readRules } from '@gatehouse/contract/transformation'
import { expect, it } from 'vitest'
import { rowsOfRules, rulesOfRows, type RuleRow } from './rule-lines.ts'

const text = [
  '# of the till',
  'set header X-Kind: {{query.kind}}',
  'set header X-Time: 10:30',
  'set header X-Blank: ',
  'rename header X-Old: X-New',
  'remove header X-Debug',
  'set query page: 1',
  'remove query debug',
  'path /v2/orders/{{params.id}}',
].join('\n')

it('every rule is a row, and the rows are the same text', () => {
  const rows = rowsOfRules(text)
  expect(rows.map(({ action, name, value }) => [action, name, value])).toEqual([
    ['note', '', 'of the till'],
    ['set-header', 'X-Kind', '{{query.kind}}'],
    ['set-header', 'X-Time', '10:30'],
    ['set-header', 'X-Blank', ''],
    ['rename-header', 'X-Old', 'X-New'],
    ['remove-header', 'X-Debug', ''],
    ['set-query', 'page', '1'],
    ['remove-query', 'debug', ''],
    ['path', '', '/v2/orders/{{params.id}}'],
  ])
  expect(rulesOfRows(rows)).toBe(text)
})

it('what the server reads is a row with the same parts', () => {
  const { rules, problems } = readRules(text, 'request')
  expect(problems).toEqual([])
  const rows = rowsOfRules(text).filter(({ action }) => action !== 'note')
  expect(rules.map(({ kind }) => kind)).toEqual(rows.map(({ action }) => action.replace('-', ' ')))
})

it.each([
  ['a row without a name', { action: 'set-header', name: '', value: '' }],
  ['a row without a name that is removed', { action: 'remove-query', name: '', value: '' }],
  ['a value that begins with a blank', { action: 'set-header', name: 'X', value: '  a ' }],
  ['a value with a colon', { action: 'set-query', name: 'at', value: 'a: b' }],
  ['a name with a blank', { action: 'rename-header', name: 'X Y', value: '' }],
  ['a path that is not there yet', { action: 'path', name: '', value: '' }],
  ['a note that is not there yet', { action: 'note', name: '', value: '' }],
] satisfies [string, Omit<RuleRow, 'line'>][])('%s stays a row while it is typed', (_, row) => {
  expect(rowsOfRules(rulesOfRows([{ ...row, line: 1 }]))).toEqual([{ ...row, line: 1 }])
})

it('a colon in a name is left out: it would end the name', () => {
  const row: RuleRow = { action: 'set-header', name: 'X:Y', value: 'v', line: 1 }
  expect(rulesOfRows([row])).toBe('set header XY: v')
})

it.each(['set header X-Kind', 'rename query a: b', 'delete header X', 'set cookie a: b', 'path'])(
  'a line that is no rule stays as it was typed: %s',
  (line) => {
    expect(rulesOfRows(rowsOfRules(line)).trimEnd()).toBe(line)
  },
)

it('rows know their line in the text, with blank lines between them', () => {
  expect(rowsOfRules('\nremove header A\r\n\r\n  remove header B').map(({ line }) => line)).toEqual(
    [2, 4],
  )
})
