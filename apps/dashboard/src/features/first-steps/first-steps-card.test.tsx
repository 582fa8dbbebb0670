import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { buildUser } from '../../testing/builders.ts'
import { buildFirstSteps } from '../../testing/first-steps-builders.ts'
import { renderApp } from '../../testing/render-app.tsx'
import type { Answers } from '../../testing/fake-server.ts'

const path = '/dashboard'
const endpoint = {
  id: 7,
  summery: 'Orders',
  method_type: 'get' as const,
  path: '/orders/list',
  is_guarded: true,
  siblings: [7, 8],
  api: { id: 3, name: 'Orders' },
}
const apis: Answers = {
  'GET /api/apis': () => [{ data: [], per_page: 10, total: 0, current_page: 1, last_page: 1 }],
  'GET /api/access/refusal': () => ({ roles: [], granters: ['Grace'], has_more: true }),
}
const open = (
  changes: Parameters<typeof buildFirstSteps>[0],
  more: Answers = {},
  user = buildUser(),
) =>
  renderApp({
    path,
    user,
    answers: {
      ...apis,
      'GET /api/first-steps': () => buildFirstSteps({ is_new: true, ...changes }),
      ...more,
    },
  })
const card = () => screen.findByRole('region', { name: 'First steps' })

test('a product that is in use shows no checklist, and is not asked again', async () => {
  const first = open({ is_new: false })
  await waitFor(() =>
    expect(first.server.requests.some(({ key }) => key === 'GET /api/first-steps')).toBe(true),
  )
  await waitFor(() => expect(localStorage.getItem('gatehouse-first-steps')).toBe('over'))
  expect(screen.queryByRole('region', { name: 'First steps' })).toBeNull()
})

test('a closed checklist stays closed', async () => {
  const { browser, router } = open({})
  await browser.click(within(await card()).getByRole('button', { name: 'Close the first steps' }))
  expect(screen.queryByRole('region', { name: 'First steps' })).toBeNull()
  await router.navigate('/dashboard/account')
  await router.navigate(path)
  await screen.findByText(/^Welcome/)
  expect(screen.queryByRole('region', { name: 'First steps' })).toBeNull()
})

test('the sample service is not offered where it can’t be used', async () => {
  open({ sample: { is_running: false, refusal: 'This server has no gateway.' } })
  const steps = within(await card())
  expect(steps.getByText(/This server has no gateway\./)).toBeTruthy()
  expect(steps.queryByRole('button', { name: 'Use the sample service' })).toBeNull()
})

test('access is added to what the role may call', async () => {
  const listed = (id: number) => ({
    id,
    description: 'd',
    summery: 's',
    method_type: 'get' as const,
    path: '/p',
    api: 'Orders',
    api_id: 1,
  })
  const { browser, server } = open(
    { api: endpoint.api, endpoint },
    {
      'GET /api/api-permission/:id/edit': () => ({
        role: { id: 5, name: 'API Consumer' },
        endpoints: [],
        selected: [listed(2)],
        selected_count: 1,
        workflows: [],
        selected_workflows: [],
        version: 4,
        locked: null,
      }),
      'PUT /api/api-permission/:id/update': () => ({
        opened: [],
        closed: [],
        opened_count: 0,
        closed_count: 0,
        opened_workflows: [],
        closed_workflows: [],
        users_count: 1,
      }),
    },
  )
  const steps = within(await card())
  await browser.click(steps.getByRole('button', { name: 'Grant API Consumer access' }))
  await waitFor(() =>
    expect(server.bodiesOf('PUT /api/api-permission/:id/update')).toEqual([
      { difference: { add: [7, 8] }, version: 4 },
    ]),
  )
})

test('a step that the user may not take names who can change that', async () => {
  const permissions = buildUser().permissions.filter((name) => name !== 'token.create')
  open(
    { api: endpoint.api, endpoint, callers: [{ id: 5, name: 'API Consumer' }] },
    {},
    buildUser({ roles: [], permissions }),
  )
  const steps = within(await card())
  expect(steps.getByText(/token\.create/)).toBeTruthy()
  expect(await steps.findByText('Grace and others')).toBeTruthy()
})
