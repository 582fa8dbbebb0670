import { expect, test } from 'vitest'
import { choiceNamed, termsIn, withoutTerms, type Term } from './term.ts'

const terms: Term[] = [
  { name: 'status', label: 'Status' },
  { name: 'api', label: 'API' },
]
const found = (text: string) => termsIn(text, terms).map(({ term, words }) => [term.name, words])

test.each([
  ['orders 12', [], 'orders 12'],
  ['status:active orders', [['status', 'active']], 'orders'],
  ['one Status:active two', [['status', 'active']], 'one two'],
  ['api:"Tax Warehouse" x', [['api', 'Tax Warehouse']], 'x'],
  ['api:"Tax Ware', [['api', 'Tax Ware']], ''],
  ['status:', [['status', '']], ''],
  [
    'status:a api:b',
    [
      ['status', 'a'],
      ['api', 'b'],
    ],
    '',
  ],
  ['http://a.example colour:red', [], 'http://a.example colour:red'],
  ['mystatus:active', [], 'mystatus:active'],
])('%s', (text, expected, rest) => {
  expect(found(text)).toEqual(expected)
  expect(withoutTerms(text, terms)).toBe(rest)
})

test('a quote that has not ended is no whole term', () => {
  const isOpen = (text: string) => termsIn(text, terms).map((typed) => typed.isOpen)
  expect(isOpen('api:"Tax ')).toEqual([true])
  expect(isOpen('api:"Tax " status:a ')).toEqual([false, false])
})

test('a choice is named by its value, its label, or how one label alone begins', () => {
  const choices = [
    { value: 'http', label: 'HTTP' },
    { value: 'stored_procedure', label: 'Stored Procedure' },
    { value: 'stored_file', label: 'Stored File' },
  ]
  const names = ['HTTP', 'stored_file', 'stored procedure', 'stored p', 'stored', 'x']
  expect(names.map((name) => choiceNamed(name, choices))).toEqual([
    'http',
    'stored_file',
    'stored_procedure',
    'stored_procedure',
    undefined,
    undefined,
  ])
})
