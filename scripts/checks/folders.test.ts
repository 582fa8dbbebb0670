import { expect, test } from 'vitest'
import { root } from '../lib/places.mjs'
import { countFolders, exceptions, filesOf, folderProblems } from './folders.mjs'

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `a/${index}.ts`)

test('a test and the styles count with their source as one', () => {
  const counts = countFolders(['a/b.tsx', 'a/b.test.tsx', 'a/b.module.css', 'a/c.ts', 'a/d/e.ts'])
  expect(counts).toEqual(
    new Map([
      ['a', 2],
      ['a/d', 1],
    ]),
  )
})

test('a folder with more than 25 files is named, unless it is known and has not grown', () => {
  expect(folderProblems(countFolders(numbered(25)), {})).toEqual([])
  const counts = countFolders(numbered(26))
  expect(folderProblems(counts, {})).toEqual([
    'a has 26 files beside each other, over 25: give it rooms.',
  ])
  expect(folderProblems(counts, { a: 26 })).toEqual([])
  expect(folderProblems(countFolders(numbered(27)), { a: 26 })).toEqual([
    'a has 27 files beside each other, over 26: give it rooms.',
  ])
})

test('the number of a known folder follows what it has lost', () => {
  expect(folderProblems(countFolders(numbered(26)), { a: 30 })).toEqual([
    'a has 26 files, fewer than the 30 in folders.mjs: lower the number.',
  ])
  expect(folderProblems(countFolders(numbered(25)), { a: 26, b: 30 })).toEqual([
    'a has 25 files and needs no exception: remove its line in folders.mjs.',
    'b has 0 files and needs no exception: remove its line in folders.mjs.',
  ])
})

test('the check sees the files of this repository', () => {
  const counts = countFolders(filesOf(root))
  for (const [folder, count] of Object.entries(exceptions)) expect(counts.get(folder)).toBe(count)
  expect(counts.get('apps/server/migrations')).toBeGreaterThan(25)
})
