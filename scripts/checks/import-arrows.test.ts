import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { arrows, breaks, importProblems } from './import-arrows.mjs'
import { importsOf } from './import-graph.mjs'

describe('arrows', () => {
  test.each(arrows)('refuses its example: $name', (arrow) => {
    const [from, to] = arrow.example
    const edge = { from, to, specifier: arrow.isForPaths ? '../x.ts' : 'x', isType: false }
    expect(breaks(arrow, edge)).toBe(true)
    expect(breaks(arrow, { ...edge, isType: true })).toBe(arrow.isTypeAllowed !== true)
  })

  test('a feature may import itself', () => {
    const inside = { from: 'apps/x/src/features/apis/a.ts', to: 'apps/x/src/features/apis/b.ts' }
    expect(
      arrows.filter((arrow) => breaks(arrow, { ...inside, specifier: './b.ts', isType: false })),
    ).toEqual([])
  })
})

describe('importsOf', () => {
  test.each([
    ["import { a } from './x.ts'", false],
    ["import { a, type B } from './x.ts'", false],
    ["import './x.ts'", false],
    ["import * as all from './x.ts'", false],
    ["export { a } from './x.ts'", false],
    ["export * from './x.ts'", false],
    ["const a = await import('./x.ts')", false],
    ["import type { A } from './x.ts'", true],
    ["import { type A } from './x.ts'", true],
    ["export type { A } from './x.ts'", true],
    ["let a: import('./x.ts').A", true],
  ])('reads %s', (source, isType) => {
    expect(importsOf('a.ts', source)).toEqual([{ specifier: './x.ts', isType }])
  })

  test('does not read comments or text', () => {
    expect(
      importsOf('a.tsx', "// import('./x.ts')\nconst a = <p>import x from './x.ts'</p>"),
    ).toEqual([])
  })

  test('a file that can not be parsed is an error, not an empty list', () => {
    expect(() => importsOf('a.ts', 'import {')).toThrow('a.ts')
  })
})

describe('importProblems', () => {
  let folder = ''
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  function repository(files: Record<string, string>): string {
    folder = mkdtempSync(path.join(os.tmpdir(), 'gatehouse-arrows-'))
    for (const [file, content] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
      writeFileSync(path.join(folder, file), content)
    }
    return folder
  }

  test('follows the names of packages to their files', () => {
    const problems = importProblems(
      repository({
        'packages/contract/package.json':
          '{ "name": "@gatehouse/contract", "exports": { ".": "./src/index.ts", "./errors": "./src/kernel/errors.ts" } }',
        'packages/contract/src/index.ts': 'export const a = 1',
        'packages/contract/src/kernel/errors.ts': 'export const b = 1',
        'apps/dashboard/src/allowed.ts':
          "import type { A } from '@gatehouse/contract'\nimport { b } from '@gatehouse/contract/errors'",
        'apps/dashboard/src/refused.ts': "import { a } from '@gatehouse/contract'",
      }),
    )
    expect(problems).toEqual([
      expect.stringContaining(
        'apps/dashboard/src/refused.ts imports packages/contract/src/index.ts',
      ),
    ])
  })

  test('finds a cycle, one of types too', () => {
    const problems = importProblems(
      repository({
        'apps/server/src/a.ts': "import { b } from './b.ts'",
        'apps/server/src/b.ts': "import type { C } from './c.ts'",
        'apps/server/src/c.ts': "import './a.ts'",
      }),
    )
    expect(problems).toEqual([expect.stringContaining('imports form no cycle')])
  })

  test('finds a cycle between folders of the gateway, whatever their files', () => {
    const problems = importProblems(
      repository({
        'apps/gateway/src/a/one.ts': "import { b } from '../b/one.ts'",
        'apps/gateway/src/b/one.ts': 'export const b = 1',
        'apps/gateway/src/b/two.ts': "import type { A } from '../a/two.ts'",
        'apps/gateway/src/a/two.ts': 'export type A = 1',
      }),
    )
    expect(problems).toEqual([expect.stringContaining('no cycle between folders')])
  })
})
