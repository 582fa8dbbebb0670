import { expect, test } from 'vitest'
import { buildAccessEndpoint } from '../../testing/admin-builders.ts'
import { matchesEndpoint, shownMax, takeFirst } from './endpoint-search.ts'

const endpoint = { ...buildAccessEndpoint(12), description: 'Store an invoice', path: '/invoices' }

test.each([
  ['', true],
  ['  ', true],
  ['invoice', true],
  ['GET', true],
  ['orders get /inv', true],
  ['summery 12', true],
  ['post', false],
  ['invoice post', false],
])('the search %j finds it: %s', (search, isFound) => {
  expect(matchesEndpoint(endpoint, search)).toBe(isFound)
})

test('of thousands only the first few are shown, and the others counted', () => {
  const endpoints = Array.from({ length: 5000 }, (_, index) => buildAccessEndpoint(index))
  const { shown, hidden } = takeFirst(endpoints, ({ id }) => id % 2 === 0)
  expect(shown).toHaveLength(shownMax)
  expect(shown.every(({ id }) => id % 2 === 0)).toBe(true)
  expect(hidden).toBe(2500 - shownMax)
  expect(takeFirst(endpoints, ({ id }) => id < 3)).toEqual({
    shown: endpoints.slice(0, 3),
    hidden: 0,
  })
})
