import { expect, test } from 'vitest'
import { buildAccessEndpoint, buildAccessWorkflow } from '../../testing/admin-builders.ts'
import {
  endpointChoices,
  matchesChoice,
  shownMax,
  takeFirst,
  workflowChoices,
} from './access-choices.ts'

const endpoint = { ...buildAccessEndpoint(12), description: 'Store an invoice', path: '/invoices' }

test.each([
  ['', true],
  ['  ', true],
  ['invoice', true],
  ['GET', true],
  ['orders get /inv', true],
  ['summary 12', true],
  ['post', false],
  ['invoice post', false],
])('the search %j finds it: %s', (search, isFound) => {
  const [choice] = endpointChoices([endpoint])
  expect(matchesChoice(choice!, search)).toBe(isFound)
})

test.each([
  ['report', true],
  ['invoices-1 tax', true],
  ['paused', true],
  ['credit', false],
])(
  'the search %j finds a paused workflow by name, slug, kind and status: %s',
  (search, isFound) => {
    const [choice] = workflowChoices([
      buildAccessWorkflow(1, { name: 'Report', slug: 'invoices-1', status: 'paused' }),
    ])
    expect(matchesChoice(choice!, search)).toBe(isFound)
  },
)

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
