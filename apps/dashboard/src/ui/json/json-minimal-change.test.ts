import { assert, constantFrom, property, string } from 'fast-check'
import { expect, test } from 'vitest'
import { changedLines, minimalChange } from './json-minimal-change.ts'

const apply = (before: string, change: ReturnType<typeof minimalChange>) =>
  change ? before.slice(0, change.from) + change.insert + before.slice(change.to) : before

test.each([
  ['{"a": 1}', '{"a": 2}', { from: 6, to: 7, insert: '2' }],
  ['', '[]', { from: 0, to: 0, insert: '[]' }],
  ['[]', '', { from: 0, to: 2, insert: '' }],
  ['aa', 'aaa', { from: 2, to: 2, insert: 'a' }],
  ['same', 'same', undefined],
])('%j becomes %j by one small replacement', (before, after, change) => {
  expect(minimalChange(before, after)).toEqual(change)
})

test('applying the change gives the new text, whatever the two texts', () => {
  const text = string({ unit: constantFrom('a', 'b', '\n') })
  assert(
    property(text, text, (before, after) => {
      expect(apply(before, minimalChange(before, after))).toBe(after)
    }),
  )
})

test.each([
  ['a\nb\nc', 'a\nx\nc', [2]],
  ['a\nb\nc\nd', 'x\nb\nc\ny', [1, 4]],
  ['a\nc', 'a\nb\nc', [2]],
  ['a\nb', 'a', []],
  ['a', 'a', []],
])('lines that differ: %j and %j', (before, after, lines) =>
  expect(changedLines(before, after)).toEqual(lines),
)
