import { assert, constantFrom, property, string } from 'fast-check'
import { expect, test } from 'vitest'
import { minimalChange } from './json-minimal-change.ts'

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
