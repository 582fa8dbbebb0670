import { expect, test } from 'vitest'
import { buildAccessEndpoint, buildAccessWorkflow } from '../../testing/admin-builders.ts'
import { summarise } from './access-preview.tsx'

const endpoints = (count: number) =>
  Array.from({ length: count }, (_, index) => buildAccessEndpoint(index + 1))

const workflows = (count: number) =>
  Array.from({ length: count }, (_, index) => buildAccessWorkflow(index + 1))

test.each([
  [2, 1, 0, 0, 3, 'Saving opens 2 endpoints and closes 1 endpoint for 3 users.'],
  [1, 0, 0, 0, 1, 'Saving opens 1 endpoint for 1 user.'],
  [0, 4, 0, 0, 12, 'Saving closes 4 endpoints for 12 users.'],
  [1, 0, 0, 0, 0, 'Saving opens 1 endpoint for no user yet: no user has this role.'],
  [0, 0, 0, 0, 5, 'Saving changes nothing.'],
  [0, 0, 1, 2, 5, 'Saving opens 1 workflow and closes 2 workflows for 5 users.'],
  [1, 0, 1, 0, 5, 'Saving opens 1 endpoint and 1 workflow for 5 users.'],
  [1, 1, 2, 0, 1, 'Saving opens 1 endpoint and 2 workflows, and closes 1 endpoint for 1 user.'],
])(
  '%i and %i endpoints, %i and %i workflows, %i users: %s',
  (opened, closed, openedWorkflows, closedWorkflows, users_count, sentence) => {
    const change = {
      opened: endpoints(opened),
      closed: endpoints(closed),
      opened_count: opened,
      closed_count: closed,
      opened_workflows: workflows(openedWorkflows),
      closed_workflows: workflows(closedWorkflows),
      users_count,
    }
    expect(summarise(change)).toBe(sentence)
  },
)
