import { expect, it } from 'vitest'
import { testsWithoutDatabase, withoutDatabase } from './without-database.mjs'

it('names the tests that reach no driver, directly or through other files', () => {
  const imports = [
    { from: 'far.test.ts', to: 'server.ts' },
    { from: 'server.ts', to: 'store.ts' },
    { from: 'store.ts', to: 'npm:kysely' },
    { from: 'near.test.ts', to: 'node:sqlite' },
    { from: 'round.test.ts', to: 'one.ts' },
    { from: 'one.ts', to: 'other.ts' },
    { from: 'other.ts', to: 'one.ts' },
  ]
  const files = ['far.test.ts', 'near.test.ts', 'round.test.ts', 'alone.test.ts', 'one.ts']
  expect(withoutDatabase(files, imports)).toEqual(['round.test.ts', 'alone.test.ts'])
})

it('of the server, tests of a store or of a route are none of them', () => {
  const found = testsWithoutDatabase()
  expect(found).toContain('apps/server/src/kernel/text/csv.test.ts')
  expect(found).not.toContain('apps/server/src/features/apis/api-routes.test.ts')
  expect(found).not.toContain('apps/server/src/kernel/permission-matrix.test.ts')
})
