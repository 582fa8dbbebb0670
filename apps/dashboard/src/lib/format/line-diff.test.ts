import { expect, test } from 'vitest'
import { diffLines, foldSame } from './line-diff.ts'

const show = (lines: readonly { kind: string; text: string }[]) =>
  lines.map(({ kind, text }) => `${kind} ${text}`)

test.each([
  ['equal texts', 'a\nb', 'a\nb', ['same a', 'same b']],
  ['a changed line', 'a\nb\nc', 'a\nx\nc', ['same a', 'old b', 'new x', 'same c']],
  ['an added line', 'a\nc', 'a\nb\nc', ['same a', 'new b', 'same c']],
  ['a removed line', 'a\nb\nc', 'a\nc', ['same a', 'old b', 'same c']],
  ['a line that moved', 'a\nb\nc', 'b\nc\na', ['old a', 'same b', 'same c', 'new a']],
  ['a repeated line', 'a\na', 'a\na\na', ['same a', 'same a', 'new a']],
])('%s', (_, before, after, expected) => {
  expect(show(diffLines(before, after))).toEqual(expected)
})

test('old and new lines give back both texts, however much differs', () => {
  const before = Array.from({ length: 3000 }, (_, at) => `line ${at}`).join('\n')
  const after = Array.from({ length: 3000 }, (_, at) => `row ${at}`).join('\n')
  const lines = diffLines(before, after)
  const side = (kind: string) =>
    lines.filter((line) => line.kind === kind || line.kind === 'same').map(({ text }) => text)
  expect(side('old').join('\n')).toBe(before)
  expect(side('new').join('\n')).toBe(after)
})

test('equal lines far from any difference are folded, with their number', () => {
  const before = 'a\nb\nc\nd\ne\nf\nX'
  const lines = foldSame(diffLines(before, 'a\nb\nc\nd\ne\nf\nY'), 2)
  expect(show(lines)).toEqual(['gap 4 equal lines', 'same e', 'same f', 'old X', 'new Y'])
})
