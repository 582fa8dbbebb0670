import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { inRoot, root } from '../lib/places.mjs'

const read = (file: string) => readFileSync(inRoot(file), 'utf8')

/** The pages that readers go through in order, without the index. */
const pages = globSync('docs/{*,*/*}.md', { cwd: root })
  .map((page) => page.replaceAll('\\', '/'))
  .filter((page) => page !== 'docs/README.md')
  .filter((page) => !/^docs\/(?:ar|authorities|decisions|history|spec)\//.test(page))

test('the index of the documentation leads to every page', () => {
  const index = read('docs/README.md')
  expect(pages.length).toBeGreaterThan(30)
  const isListed = (page: string) => index.includes(`](${page.slice('docs/'.length)})`)
  expect(pages.filter((page) => !isListed(page))).toEqual([])
})

test('every page says what to read before it and next', () => {
  const without = pages.filter((page) => !/\*\*Before this\*\*.*\*\*Next\*\*/s.test(read(page)))
  expect(without).toEqual([])
})

test('the page of settings has each variable that a start reads, and no other', () => {
  const code = read('apps/server/src/settings/settings.ts')
  const [, table = ''] = /const variables = z\.object\(\{\n(.*?)\n\}\)/s.exec(code) ?? []
  const known = [...table.matchAll(/^ {2}([A-Z][A-Z_]+):/gm)].map(([, name]) => name!)
  const [, rows = ''] = /^\| variable.*?\n((?:\|.*\n)+)/m.exec(read('docs/settings.md')) ?? []
  const shown = rows
    .split('\n')
    .flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([A-Z_]+)`/g)])
    .map(([, name]) => name!)
  expect(known.length).toBeGreaterThan(30)
  expect(shown.toSorted()).toEqual(known.toSorted())
})
