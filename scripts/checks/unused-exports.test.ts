import { expect, test } from 'vitest'
import { root } from '../lib/places.mjs'
import { readModule, readModules, unusedExports } from './unused-exports.mjs'

/** The unused exports of some files. */
function unusedOf(sources: Record<string, string>) {
  const entries = new Map([['@gatehouse/contract', 'contract.ts']])
  const modules = Object.entries(sources).map(
    ([file, source]) => [file, readModule(file, source, entries)] as const,
  )
  return unusedExports(new Map(modules))
}

test('an export that no other file imports is named', () => {
  const sources = {
    'a.ts': 'export const used = 1; export function left() {}; export type Left = string',
    'b.ts': "import { used } from './a.ts'; used",
  }
  expect(unusedOf(sources)).toEqual(['a.ts: left', 'a.ts: Left'])
})

test('a type, another name and a re-export are uses', () => {
  const sources = {
    'a.ts': 'export const a = 1, b = 2; export interface C {}',
    'b.ts': "export { a } from './a.ts'; import { b as other, type C } from './a.ts'",
    'c.ts': "import { a } from './b.ts'",
  }
  expect(unusedOf(sources)).toEqual([])
})

test('a name is followed through what exports everything of a file, from another package too', () => {
  const sources = {
    'contract.ts': "export * from './nouns.ts'",
    'nouns.ts': "export * from './noun.ts'",
    'noun.ts': 'export const used = 1; export const left = 2',
    'b.ts': "import { used } from '@gatehouse/contract'",
  }
  expect(unusedOf(sources)).toEqual(['noun.ts: left'])
})

test('what loads a whole file may use all of it', () => {
  const sources = {
    'a.ts': 'export const a = 1',
    'b.ts': 'export const b = 1',
    'c.mjs': 'export const c = 1',
    'd.ts': "import * as all from './a.ts'; await import('./b.ts')",
    'e.mjs': "/** @type {import('./c.mjs').c} */",
  }
  expect(unusedOf(sources)).toEqual([])
})

test('migrations and settings of tools are loaded by their place', () => {
  const sources = {
    'apps/server/migrations/0001-users.ts': 'export const up = 1',
    'vite.config.ts': 'export default {}',
  }
  expect(unusedOf(sources)).toEqual([])
})

test('the check sees the modules of this repository', () => {
  expect(readModules(root).get('scripts/checks/unused-exports.mjs')?.exports).toContain(
    'readModule',
  )
})
