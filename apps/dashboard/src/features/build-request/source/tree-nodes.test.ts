import { parseExact } from '@gatehouse/contract/mapping'
import { expect, test } from 'vitest'
import { placeOf, plainText, treeNodes } from './tree-nodes.ts'

const document = parseExact(
  '{"id":1.10,"lines":[{"sku":"A"},{"sku":"B"},{},{"sku":"D"}],"deep":{"a":{"b":{"c":1}}}}',
)
const lines = (toggled: string[] = []) =>
  treeNodes(document, new Set(toggled)).map(({ id, isOpen }) => (isOpen ? `${id} -` : id))

test('three levels are open at first, and of a list three elements', () => {
  expect(lines()).toEqual([
    '$ -',
    'id',
    'lines -',
    'lines[0] -',
    'lines[0].sku',
    'lines[1] -',
    'lines[1].sku',
    'lines[2] -',
    'lines[3]',
    'deep -',
    'deep.a -',
    'deep.a.b',
  ])
})

test('what was opened or closed is the other way', () => {
  expect(lines(['lines', 'deep.a.b'])).toEqual([
    '$ -',
    'id',
    'lines',
    'deep -',
    'deep.a -',
    'deep.a.b -',
    'deep.a.b.c',
  ])
})

test('elements of a list are one place', () => {
  expect(placeOf(['lines', 2, 'sku'])).toBe('lines[*].sku')
})

test.each([
  ['0.10', '0.10'],
  ['"a\\u202eb"', '"a\\u202eb"'],
  ['null', 'null'],
  [`"${'x'.repeat(300)}"`, `"${'x'.repeat(200)}"…`],
])('%s is shown as it is written, and no sign turns the line around', (json, text) =>
  expect(plainText(parseExact(json))).toBe(text),
)
