import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { buildAuditEvent } from '../../testing/admin-builders.ts'
import { buildApiRecord, buildPage } from '../../testing/builders.ts'
import type { Answers } from '../../testing/fake-server.ts'
import { renderApp } from '../../testing/render-app.tsx'
import { buildTraffic } from '../../testing/traffic-builders.ts'

const hub = '/dashboard/admin/apis/4'
const role = { id: 3, name: 'Cashier' }
const callable = {
  id: 7,
  description: 'One order',
  summery: 'One order',
  method_type: 'get' as const,
  path: '/orders/{id}',
  api: 'Orders',
  api_id: 4,
}
const answers: Answers = {
  'GET /api/apis/:id/edit': () => [{ ...buildApiRecord(4), gateway_url: 'http://gw/orders' }],
  'GET /api/role': () => buildPage([{ ...role, users_count: 1, permissions_count: 0 }]),
  'GET /api/role/:id/edit': () => ({
    role: {
      ...role,
      users_count: 1,
      needs_second_factor: false,
      allowed_addresses: [],
      version: 1,
    },
    may_require_second_factor: true,
    allPermissions: [],
    groups: [],
    rolePermissions: [],
    grantable: [],
    locked: null,
  }),
  'GET /api/apis/:id/access/endpoints': () =>
    buildPage([
      { ...callable, is_guarded: true, roles: [role], roles_count: 12 },
      { ...callable, id: 8, description: 'Open', is_guarded: false, roles: [], roles_count: 0 },
      { ...callable, id: 9, description: 'Closed', is_guarded: true, roles: [], roles_count: 0 },
    ]),
  'GET /api/apis/:id/access/roles': () =>
    buildPage([
      { ...role, endpoints_count: 12, users_count: 5, tokens_count: 2 },
      { id: 1, name: 'Super Admin', endpoints_count: 20, users_count: 1, tokens_count: 0 },
    ]),
  'GET /api/apis/:id/access/tokens': () =>
    buildPage([
      {
        id: 6,
        name: 'Till 1',
        user: { id: 2, name: 'Carla' },
        roles: [role],
        endpoints_count: 1,
        expires_at: '2027-06-01T08:00:00.000Z',
        last_used_at: null,
      },
    ]),
  'GET /api/access/endpoint/:id': () => ({
    is_guarded: true,
    callers: [
      {
        user: { id: 2, name: 'Carla', email: 'carla@example.com' },
        allowed: true,
        reason: 'Granted by Cashier.',
        grants: [role],
      },
    ],
  }),
}

test('the traffic is that of the API alone, over the span that is chosen', async () => {
  const { server, browser } = renderApp({
    path: `${hub}/traffic`,
    answers: { ...answers, 'GET /api/traffic': buildTraffic },
  })
  await screen.findByText('No requests in the last hour')
  const asked = () => server.requests.findLast(({ key }) => key === 'GET /api/traffic')?.query
  expect(asked()).toEqual({ range: 'hour', api_id: '4' })
  await browser.click(screen.getByRole('radio', { name: 'Week' }))
  await waitFor(() => expect(asked()).toEqual({ range: 'week', api_id: '4' }))
})

test('access names the roles of each endpoint, and grants those that are selected', async () => {
  const { server, browser } = renderApp({
    path: `${hub}/access`,
    answers: {
      ...answers,
      'POST /api/api-permission/bulk': () => ({ results: [], next_after: null }),
    },
  })
  const table = within(await screen.findByRole('table'))
  const rows = table.getAllByRole('row').slice(1)
  expect(
    rows.map((row) => within(row).getAllByRole('cell')[2]?.lastElementChild?.textContent),
  ).toEqual(['Cashierand 11 more', 'anyone: no token is asked for', 'Super Admin alone'])
  await browser.click(table.getByRole('button', { name: /^Who can call this\? One order/ }))
  const dialog = await screen.findByRole('dialog', { name: 'Who can call One order?' })
  expect(await within(dialog).findByText('Granted by Cashier.')).toBeTruthy()
  await browser.click(within(dialog).getByRole('button', { name: 'Close' }))

  await browser.click(table.getByRole('checkbox', { name: 'Select Closed' }))
  const bar = within(await screen.findByRole('region', { name: 'Selected rows' }))
  expect(bar.queryByRole('button', { name: 'Delete' })).toBeNull()
  await browser.click(bar.getByRole('button', { name: 'Grant access' }))
  const grant = within(await screen.findByRole('dialog', { name: 'Grant access: 1 endpoint?' }))
  await browser.click(grant.getByRole('combobox', { name: 'Role' }))
  await browser.click(await screen.findByRole('option', { name: 'Cashier' }))
  await browser.click(grant.getByRole('button', { name: 'Grant access: 1 endpoint' }))
  await waitFor(() =>
    expect(server.bodiesOf('POST /api/api-permission/bulk')).toEqual([
      { role_id: 3, endpoints: [9] },
    ]),
  )
})

test('the whole API is given to a role, and taken away, with the effect shown before', async () => {
  const change = {
    opened: [callable],
    closed: [],
    opened_count: 12,
    closed_count: 0,
    opened_workflows: [],
    closed_workflows: [],
    users_count: 5,
  }
  const { server, browser } = renderApp({
    path: `${hub}/access`,
    answers: {
      ...answers,
      'POST /api/api-permission/:id/preview': ({ body }) =>
        (body as { difference: { remove_apis: number[] } }).difference.remove_apis.length > 0
          ? { ...change, opened: [], opened_count: 0, closed: [callable], closed_count: 12 }
          : change,
      'PUT /api/api-permission/:id/update': () => change,
    },
  })
  await browser.click(await screen.findByRole('button', { name: 'Grant the whole API' }))
  const grant = within(
    await screen.findByRole('dialog', { name: 'Grant the whole API to a role?' }),
  )
  expect(grant.queryByRole('button', { name: 'Grant the whole API' })).toBeNull()
  await browser.click(grant.getByRole('combobox', { name: 'Role' }))
  await browser.click(await screen.findByRole('option', { name: 'Cashier' }))
  await grant.findByText('Saving opens 12 endpoints for 5 users.')
  await browser.click(grant.getByRole('button', { name: 'Grant the whole API' }))
  const none = { add: [], remove: [], add_apis: [], remove_apis: [] }
  await waitFor(() =>
    expect(server.bodiesOf('PUT /api/api-permission/:id/update')).toEqual([
      { difference: { ...none, add_apis: [4] } },
    ]),
  )
  await screen.findByText('Access updated successfully!')

  await browser.click(screen.getByRole('link', { name: 'By role' }))
  await browser.click(
    await screen.findByRole('button', { name: 'Take away the whole API from Cashier' }),
  )
  expect(screen.queryByRole('button', { name: /from Super Admin$/ })).toBeNull()
  const take = within(
    await screen.findByRole('dialog', { name: 'Take the whole API from Cashier?' }),
  )
  await take.findByText('Saving closes 12 endpoints for 5 users.')
  await browser.click(take.getByRole('button', { name: 'Take the whole API' }))
  await waitFor(() =>
    expect(server.bodiesOf('PUT /api/api-permission/:id/update').at(-1)).toEqual({
      difference: { ...none, remove_apis: [4] },
    }),
  )
})

test('a grant that ends after its dialog was closed is reported, and closes no other dialog', async () => {
  const saved = Promise.withResolvers<void>()
  const change = { opened: [], closed: [], opened_workflows: [], closed_workflows: [] }
  const counts = { opened_count: 0, closed_count: 0, users_count: 0 }
  const { browser } = renderApp({
    path: `${hub}/access`,
    answers: {
      ...answers,
      'POST /api/api-permission/:id/preview': () => ({ ...change, ...counts }),
      'PUT /api/api-permission/:id/update': () =>
        saved.promise.then(() => ({ ...change, ...counts })),
    },
  })
  const open = async () => {
    await browser.click(await screen.findByRole('button', { name: 'Grant the whole API' }))
    return within(await screen.findByRole('dialog', { name: 'Grant the whole API to a role?' }))
  }
  const grant = await open()
  await browser.click(grant.getByRole('combobox', { name: 'Role' }))
  await browser.click(await screen.findByRole('option', { name: 'Cashier' }))
  await browser.click(await grant.findByRole('button', { name: 'Grant the whole API' }))
  await browser.click(grant.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await open()
  saved.resolve()
  await screen.findByText('Access updated successfully!')
  expect(screen.queryByRole('dialog')).not.toBeNull()
})

test('access by role and by token leads to the endpoints that each may call', async () => {
  const { server, browser, address } = renderApp({ path: `${hub}/access`, answers })
  await browser.click(await screen.findByRole('link', { name: 'By role' }))
  await waitFor(() => expect(address()).toBe(`${hub}/access?by=roles`))
  await browser.click(await screen.findByRole('link', { name: '12 endpoints' }))
  await waitFor(() => expect(address()).toBe(`${hub}/access?role=3`))
  const asked = () =>
    server.requests.findLast(({ key }) => key === 'GET /api/apis/:id/access/endpoints')?.query
  await waitFor(() => expect(asked()).toEqual({ page: '1', limit: '10', role_id: '3' }))
  await browser.click(screen.getByRole('link', { name: 'By token' }))
  const row = within((await screen.findByText('Till 1')).closest('tr')!)
  expect(row.getByRole('link', { name: 'Cashier' }).getAttribute('href')).toBe(
    '/dashboard/admin/api-permission/edit/3',
  )
  row.getByText('never')
  await browser.click(row.getByRole('link', { name: '1 endpoint' }))
  await screen.findByText('Token Till 1, Carla')
  await waitFor(() => expect(asked()).toEqual({ page: '1', limit: '10', token_id: '6' }))
  await browser.click(await screen.findByRole('button', { name: 'Any token' }))
  await waitFor(() => expect(asked()).toEqual({ page: '1', limit: '10' }))
})

test('the history is that of the API and its endpoints, and a version is restored from it', async () => {
  const event = buildAuditEvent({
    thing: 'endpoint',
    thing_id: 7,
    thing_name: 'One order',
    action: 'endpoint.update',
  })
  const { server, browser } = renderApp({
    path: `${hub}/history?thing=endpoint`,
    answers: {
      ...answers,
      'GET /api/audit': () => buildPage([event]),
      'GET /api/audit/:id/restore': () => ({
        current: { path: '/b' },
        restored: { path: '/a' },
        is_in_force: false,
      }),
      'POST /api/audit/:id/restore': () => ({ message: 'Back.' }),
    },
  })
  await browser.click(
    await screen.findByRole('button', { name: 'Details of Endpoint: update One order' }),
  )
  expect(server.requests.find(({ key }) => key === 'GET /api/audit')?.query).toEqual({
    page: '1',
    limit: '10',
    thing: 'endpoint',
    api_id: '4',
  })
  await browser.click(await screen.findByRole('button', { name: 'Restore this version' }))
  await browser.click(await screen.findByRole('button', { name: 'Restore version' }))
  expect(await screen.findByText('Version restored successfully!')).toBeTruthy()
})
