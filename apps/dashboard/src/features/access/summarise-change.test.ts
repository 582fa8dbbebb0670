import { expect, test } from 'vitest'
import { buildAccessEndpoint } from '../../testing/admin-builders.ts'
import { summarise } from './access-preview.tsx'

const endpoints = (count: number) =>
  Array.from({ length: count }, (_, index) => buildAccessEndpoint(index + 1))

test.each([
  [2, 1, 3, 'Saving opens 2 endpoints and closes 1 endpoint for 3 users.'],
  [1, 0, 1, 'Saving opens 1 endpoint for 1 user.'],
  [0, 4, 12, 'Saving closes 4 endpoints for 12 users.'],
  [1, 0, 0, 'Saving opens 1 endpoint for no user yet: no user has this role.'],
  [0, 0, 5, 'Saving changes nothing.'],
])('%i opened, %i closed, %i users: %s', (opened, closed, users_count, sentence) => {
  const change = { opened: endpoints(opened), closed: endpoints(closed), users_count }
  expect(summarise(change)).toBe(sentence)
})
