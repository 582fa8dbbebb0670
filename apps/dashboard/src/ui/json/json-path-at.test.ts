import { parser } from '@lezer/json'
import { describe, expect, test } from 'vitest'
import { jsonValueAt } from './json-path-at.ts'

/** The value at the first `^`, which is placed just before the character it points at. */
function at(marked: string) {
  const position = marked.indexOf('^')
  const text = marked.replace('^', '')
  return jsonValueAt(parser.parse(text), (from, to) => text.slice(from, to), position)
}

describe('a position leads to the path of its value', () => {
  test.each([
    ['{"id": ^1}', ['id'], 'number'],
    ['{"id": 12^34}', ['id'], 'number'],
    ['{"^id": 1}', ['id'], 'number'],
    ['{^"id": 1}', ['id'], 'number'],
    ['{"id"^: 1}', ['id'], 'number'],
    ['{"id":^ 1}', ['id'], 'number'],
    ['{"id": 1^}', ['id'], 'number'],
    ['{"a": {"b": "^x"}}', ['a', 'b'], 'string'],
    ['{"a": ^{"b": "x"}}', ['a'], 'object'],
    ['{"a": {"b": "x"^}}', ['a', 'b'], 'string'],
    ['{"a": 1^, "b": 2}', ['a'], 'number'],
    ['{"a": {"b": "x"}^\n}', ['a'], 'object'],
    ['{"^a": {"b": "x"}}', ['a'], 'object'],
    ['{"a": [tr^ue, false, null]}', ['a', 0], 'boolean'],
    ['{"a": [true, fal^se, null]}', ['a', 1], 'boolean'],
    ['{"a": [true, false, n^ull]}', ['a', 2], 'null'],
    ['[[1, 2], [3, [4, ^5]]]', [1, 1, 1], 'number'],
    ['[{"sku": "a"}, {"sku": "^b"}]', [1, 'sku'], 'string'],
    ['^[1]', [], 'array'],
    ['^"text"', [], 'string'],
    ['\n\n^\n{"a": 1}', [], 'object'],
  ] as const)('%s', (marked, path, kind) => {
    expect(at(marked)).toMatchObject({ path, kind })
  })
})

describe('names are what JSON says they are', () => {
  test.each([
    [String.raw`{"a\u0041\"b": ^1}`, 'aA"b'],
    [String.raw`{"back\\slash": ^1}`, String.raw`back\slash`],
    [String.raw`{"tab\tnew\nline": ^1}`, 'tab\tnew\nline'],
    [String.raw`{"\ud83d\ude00": ^1}`, '😀'],
    ['{"😀 فاتورة": ^1}', '😀 فاتورة'],
    ['{"a.b[0]": ^1}', 'a.b[0]'],
    ['{"": ^1}', ''],
    ['{"__proto__": ^1}', '__proto__'],
    ['{"0": ^1}', '0'],
  ])('%s', (marked, name) => {
    expect(at(marked)?.path).toEqual([name])
  })
})

test('the range of a value is that of its text, its name left out', () => {
  expect(at('{"id": ^0.10, "b": 2}')).toMatchObject({ from: 7, to: 11 })
  expect(at('{"^id": [1, 2]}')).toMatchObject({ from: 7, to: 13 })
})

describe('text that is not JSON has no value', () => {
  test.each(['^', '{"id"^', '{"id": ^', 'id^'])('%s', (marked) => {
    expect(at(marked)).toBeUndefined()
  })

  test('but what is whole beside it has one', () => {
    expect(at('{"a": [1, tru, "^x"')?.path).toEqual(['a', 2])
  })
})

test('the last of 100,000 elements is found by its index', () => {
  const rows = Array.from({ length: 100_000 }, (_, id) => `{"id": ${id}, "tags": ["a", "b"]}`)
  const text = `{"rows": [${rows.join(',\n')}]}`
  const position = text.lastIndexOf('"b"')
  const value = jsonValueAt(parser.parse(text), (from, to) => text.slice(from, to), position)
  expect(value?.path).toEqual(['rows', 99_999, 'tags', 1])
})

test('a tree that ends before the document still gives the paths it covers', () => {
  const text = '{"a": [10, 20], "rest": 1}'
  const tree = parser.startParse(text)
  tree.stopAt(13)
  let parsed = tree.advance()
  while (!parsed) parsed = tree.advance()
  const value = jsonValueAt(parsed, (from, to) => text.slice(from, to), 11)
  expect(value?.path).toEqual(['a', 1])
})
