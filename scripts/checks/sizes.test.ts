import { describe, expect, test } from 'vitest'
import { functionsOf, p95, sizeProblems } from './sizes.mjs'

const source = `
export function outer() {
  const inner = () => {
    return 1
  }
  return [1].map((each) => {
    return each + inner()
  })
}
class Store {
  find(id) {
    return id
  }
}
const routes = { list: async () => {
  return []
} }
const Screen = () => {
  return null
}
`

describe('functionsOf', () => {
  test('finds functions with a name; a line counts for the innermost of them', () => {
    expect(functionsOf('a.ts', source)).toEqual([
      { name: 'outer', line: 2, lines: 5 },
      { name: 'inner', line: 3, lines: 3 },
      { name: 'find', line: 11, lines: 3 },
      { name: 'list', line: 15, lines: 3 },
      { name: 'Screen', line: 18, lines: 3 },
    ])
  })

  test('leaves out components', () => {
    expect(functionsOf('a.tsx', source).map(({ name }) => name)).not.toContain('Screen')
  })

  test('refuses what it can’t parse', () => {
    expect(() => functionsOf('a.ts', 'function (')).toThrow("a.ts can't be parsed")
  })
})

test('p95 is a length that 95 of 100 do not pass', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => index + 1)
  expect(p95(hundred)).toBe(95)
  expect(p95(hundred.slice(0, 10))).toBe(10)
  expect(p95([])).toBe(0)
})

test('what passes a bound is named', () => {
  const sizes = [
    { part: 'apps/one', files: 200, functions: 26 },
    { part: 'apps/other', files: 201, functions: 27 },
  ]
  expect(sizeProblems(sizes)).toEqual([
    'apps/other: p95 of its files is 201 lines, over 200.',
    'apps/other: p95 of its functions is 27 lines, over 26.',
  ])
})
