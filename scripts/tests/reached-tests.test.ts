import { expect, it } from 'vitest'
import { reachedTests } from './reached-tests.mjs'

const feature = 'apps/server/src/features/apis/api-service.ts'
const rule = 'apps/server/src/kernel/rule.ts'
const files = [
  'apps/server/src/features/apis/api-routes.test.ts',
  'apps/server/src/features/users/user-service.test.ts',
  'apps/server/src/kernel/rule.test.ts',
  'apps/server/src/start.test.ts',
  feature,
  rule,
]
const imports = [
  { from: feature, to: rule, isType: false },
  { from: 'apps/server/src/features/apis/types.test.ts', to: rule, isType: true },
  { from: 'apps/server/src/app.ts', to: feature, isType: false },
  {
    from: 'apps/server/src/features/users/user-service.test.ts',
    to: 'apps/server/src/app.ts',
    isType: false,
  },
  { from: 'apps/server/src/features/apis/api-routes.test.ts', to: feature, isType: false },
  { from: 'apps/server/src/kernel/rule.test.ts', to: rule, isType: false },
]

it('reaches the tests that import a change, directly or through other files', () => {
  expect(reachedTests([rule], files, imports)).toEqual([
    'apps/server/src/features/apis/api-routes.test.ts',
    'apps/server/src/kernel/rule.test.ts',
  ])
})

it('reaches the tests beside a change', () => {
  expect(reachedTests(['apps/server/src/kernel/new.ts'], files, imports)).toEqual([
    'apps/server/src/kernel/rule.test.ts',
  ])
})

it('does not follow what composes the product, unless it was changed itself', () => {
  const other = 'apps/server/src/features/users/user-service.test.ts'
  expect(reachedTests([feature], files, imports)).not.toContain(other)
  expect(reachedTests(['apps/server/src/app.ts'], files, imports)).toContain(other)
})

it('takes no test for a change of a document', () => {
  expect(reachedTests(['docs/runs.md'], files, imports)).toEqual([])
})
