import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { defineRoute, routes } from './index.ts'

it('every call that a module declares is in the list, once', () => {
  const files = globSync('**/*.ts', { cwd: import.meta.dirname })
  const declarations = files
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap((file) =>
      readFileSync(`${import.meta.dirname}/${file}`, 'utf8').match(
        /^export const \w+ = defineRoute\(/gm,
      ),
    )
    .filter((found) => found !== null)
  expect(routes.length).toBeGreaterThan(80)
  expect(routes.length).toBe(declarations.length)
  const keys = routes.map(({ method, path }) => `${method} ${path}`)
  expect(new Set(keys).size).toBe(keys.length)
})

it('a call that no module exports is not in it', () => {
  const stray = defineRoute({
    method: 'GET',
    path: '/stray',
    access: 'public',
    tag: 'Test',
    summary: 'None',
  })
  expect(routes).not.toContain(stray)
})
