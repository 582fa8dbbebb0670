import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const root = new URL('../../', import.meta.url)

/** What to say instead is in docs/contributing.md, under "Words". */
const forbidden = new RegExp(
  [
    '(?<!in)deed',
    '\\banew\\b',
    'whoever',
    '\\btells? of\\b',
    '\\btold of\\b',
    'what is none',
    'so much later',
    'doomed',
    'stranger',
  ].join('|'),
  'i',
)

const files = globSync(
  '{*.md,{apps,bench,docs,e2e,packages,proof,scripts}/**/*.{css,html,js,json,md,mjs,sql,ts,tsx}}',
  {
    cwd: root,
    exclude: (name) => /^(?:node_modules|dist)$/.test(name.split(/[/\\]/).at(-1) ?? ''),
  },
)
  .map((file) => file.replaceAll('\\', '/'))
  // The product's specification has its own words, and this file names those that are refused.
  .filter((file) => !file.startsWith('docs/spec/') && !file.endsWith('/plain-words.test.ts'))
  .sort()

function linesOf(file: string): string[] {
  const lines = readFileSync(new URL(file, root), 'utf8').split('\n')
  // The word list itself is a table.
  const isList = (line: string) => file === 'docs/contributing.md' && line.startsWith('|')
  return lines.flatMap((line, at) =>
    forbidden.test(line) && !isList(line) ? [`${file}:${at + 1}: ${line.trim()}`] : [],
  )
}

it('no source, document or test uses a word that the word list refuses', () => {
  expect(files.length).toBeGreaterThan(1_000)
  expect(files.flatMap(linesOf)).toEqual([])
})
