import type { AccessDifference } from '@gatehouse/contract'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import {
  buildAccessApis,
  buildAccessChoices,
  buildAccessEndpoint,
  buildAccessForm,
  buildAccessRow,
  buildAccessWorkflow,
} from '../../testing/admin-builders.ts'
import { buildPage, buildUser } from '../../testing/builders.ts'
import { countRenders } from '../../testing/count-renders.ts'
import { refuse, type SeenRequest } from '../../testing/fake-server.ts'
import { renderApp, watchConsoleErrors } from '../../testing/render-app.tsx'

const path = '/dashboard/admin/api-permission/edit/3'
const update = { name: 'Update Access' }
const endpoints = [1, 2, 3].map(buildAccessEndpoint)
const selected = [buildAccessEndpoint(1)]
const workflows = [1, 2].map((id) => buildAccessWorkflow(id))

/** Opens and closes what differs from the endpoint 1 that the role has. */
function changeFor({ body }: SeenRequest) {
  const { difference, workflows: workflowIds = [2] } = body as {
    difference: AccessDifference
    workflows?: number[]
  }
  const opened = endpoints.filter(
    ({ id }) => difference.add.includes(id) || (difference.add_apis.includes(5) && id !== 1),
  )
  const closed = selected.filter(({ id }) => difference.remove.includes(id))
  return {
    opened,
    closed,
    opened_count: opened.length,
    closed_count: closed.length,
    opened_workflows: workflows.filter(({ id }) => id === 1 && workflowIds.includes(id)),
    closed_workflows: workflows.filter(({ id }) => id === 2 && !workflowIds.includes(id)),
    users_count: 4,
  }
}

const none = { add: [], remove: [], add_apis: [], remove_apis: [] }

/** What the server finds: every word in what is shown of an endpoint. */
function choicesFor({ query }: SeenRequest) {
  const words = (query['search'] ?? '').toLowerCase().split(' ')
  const all = buildAccessChoices()
  const found = all.endpoints.filter((each) =>
    words.every((word) => `${each.description} ${each.path}`.toLowerCase().includes(word)),
  )
  return { ...all, endpoints: found, total: found.length, apis: found.length > 0 ? all.apis : [] }
}

const answers = {
  'GET /api/api-permission/:id/edit': () => buildAccessForm(),
  'GET /api/api-permission/:id/endpoints': choicesFor,
  'GET /api/api-permission/:id/apis': () => buildAccessApis(),
  'POST /api/api-permission/:id/preview': changeFor,
  'PUT /api/api-permission/:id/update': changeFor,
  'GET /api/api-permission': () => buildPage([]),
}

const lineOf = (name: string) => screen.findByRole('treeitem', { name: new RegExp(name) })
const field = () => screen.findByRole<HTMLInputElement>('combobox', { name: 'Assign Access' })

test('before it is saved, the edit says what it opens and closes, and for how many', async () => {
  const { server, browser } = renderApp({ path, answers })
  const picker = await field()
  expect(screen.queryByText(/^Saving/)).toBeNull()
  await browser.type(picker, 'endpoint 2')
  await browser.click(await screen.findByRole('option', { name: /Endpoint 2/ }))
  expect(await screen.findByText('Saving opens 1 endpoint for 4 users.')).toBeTruthy()
  expect(screen.getByText('Endpoint 2 (Orders · GET /things/2)')).toBeTruthy()
  await browser.click(screen.getByRole('button', { name: 'Remove Endpoint 1' }))
  expect(
    await screen.findByText('Saving opens 1 endpoint and closes 1 endpoint for 4 users.'),
  ).toBeTruthy()
  expect(server.bodiesOf('POST /api/api-permission/:id/preview')).toEqual([
    { difference: { ...none, add: [2] } },
    { difference: { ...none, add: [2], remove: [1] } },
  ])
  expect(server.bodiesOf('PUT /api/api-permission/:id/update')).toEqual([])
})

test('a save sends the chosen ids, reports it, and begins again with what is stored', async () => {
  const { server, browser, address } = renderApp({ path, answers })
  await browser.click(await field())
  await browser.click(await screen.findByRole('option', { name: /Endpoint 3/ }))
  const stored = buildAccessForm({ selected: [buildAccessEndpoint(4)], version: 8 })
  server.use({ 'GET /api/api-permission/:id/edit': () => stored })
  await browser.click(screen.getByRole('button', update))
  expect(await screen.findByText('Access updated successfully!')).toBeTruthy()
  expect(server.bodiesOf('PUT /api/api-permission/:id/update')).toEqual([
    { difference: { ...none, add: [3] }, version: 7 },
  ])
  expect(await screen.findByRole('button', { name: 'Remove Endpoint 4' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Remove Endpoint 3' })).toBeNull()
  expect(address()).toBe(path)
})

test('workflows are given beside endpoints, with the same preview', async () => {
  const { server, browser } = renderApp({
    path,
    answers: {
      ...answers,
      'GET /api/api-permission/:id/edit': () =>
        buildAccessForm({ workflows, selected_workflows: [workflows[1]!] }),
    },
  })
  const picker = await screen.findByRole('combobox', { name: 'Assign Workflows' })
  await browser.type(picker, 'workflow-1')
  await browser.click(await screen.findByRole('option', { name: /Workflow 1/ }))
  await browser.click(screen.getByRole('button', { name: 'Remove Workflow 2' }))
  expect(
    await screen.findByText('Saving opens 1 workflow and closes 1 workflow for 4 users.'),
  ).toBeTruthy()
  expect(screen.getByText('Workflow 1 (workflow-1 · tax)')).toBeTruthy()
  await browser.click(screen.getByRole('button', update))
  await screen.findByText('Access updated successfully!')
  expect(server.bodiesOf('PUT /api/api-permission/:id/update')).toEqual([
    { difference: none, workflows: [1], version: 7 },
  ])
})

test('a change of another user is not overwritten: the form says so and loads it', async () => {
  const { server, browser } = renderApp({
    path,
    answers: { ...answers, 'PUT /api/api-permission/:id/update': () => refuse('record.changed') },
  })
  await browser.click(await field())
  await browser.click(await screen.findByRole('option', { name: /Endpoint 3/ }))
  const changed = buildAccessForm({ selected: [buildAccessEndpoint(2)], version: 8 })
  server.use({ 'GET /api/api-permission/:id/edit': () => changed })
  await browser.click(screen.getByRole('button', update))
  // It is offered once the dialog has loaded the newest record.
  await browser.click(await screen.findByRole('button', { name: 'Reload' }))
  await waitFor(() => expect(screen.queryByText('Another user has changed this record')).toBeNull())
  expect(await screen.findByRole('button', { name: 'Remove Endpoint 2' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Remove Endpoint 3' })).toBeNull()
})

test('failures show the spec’s texts', async () => {
  const { browser } = renderApp({
    path,
    answers: { ...answers, 'PUT /api/api-permission/:id/update': () => refuse('server.failed') },
  })
  await browser.click(await screen.findByRole('button', update))
  expect(await screen.findByText('Failed to update access.')).toBeTruthy()
})

test('endpoints that cannot be fetched are told in the spec’s words', async () => {
  watchConsoleErrors()
  renderApp({
    path,
    answers: { 'GET /api/api-permission/:id/edit': () => refuse('server.failed') },
  })
  expect(await screen.findByText('Failed to fetch endpoints.')).toBeTruthy()
})

test('access that is locked, or may only be looked at, says why and cannot be saved', async () => {
  const locked = 'You have this role yourself. Users can’t change their own role.'
  renderApp({
    path,
    answers: {
      ...answers,
      'GET /api/api-permission/:id/edit': () => buildAccessForm({ locked }),
    },
  })
  expect(await screen.findByText(locked)).toBeTruthy()
  expect((await lineOf('Endpoint 1')).getAttribute('aria-disabled')).toBe('true')
  expect((await field()).disabled).toBe(true)
  expect(screen.queryByRole('button', update)).toBeNull()
})

test('without api-permission.edit the list offers to look, and not to take a role away', async () => {
  const permissions = buildUser().permissions.filter((name) => name !== 'api-permission.edit')
  renderApp({
    path: '/dashboard/admin/api-permission',
    user: buildUser({ permissions }),
    answers: { 'GET /api/api-permission': () => buildPage([buildAccessRow()]) },
  })
  const table = within(await screen.findByRole('table', { name: 'User List' }))
  expect(table.getByRole('link', { name: 'View Operator, Otto Operator' })).toBeTruthy()
  expect(table.queryByRole('button', { name: /Delete/ })).toBeNull()
})

test('thousands of endpoints stay a short list and a few pills', async () => {
  const many = Array.from({ length: 50 }, (_, index) => buildAccessEndpoint(index + 1))
  const { browser, server } = renderApp({
    path,
    answers: {
      ...answers,
      'GET /api/api-permission/:id/edit': () =>
        buildAccessForm({ selected: many.slice(0, 30), selected_count: 3000 }),
      'GET /api/api-permission/:id/endpoints': ({ query }) =>
        query['search'] === '/things/4321'
          ? buildAccessChoices({
              endpoints: [{ ...buildAccessEndpoint(4321), is_held: false }],
              total: 1,
            })
          : buildAccessChoices({
              endpoints: many.map((each) => ({ ...each, is_held: true })),
              total: 5000,
              apis: [{ id: 5, name: 'Orders', endpoints_count: 5000, held_count: 3000 }],
            }),
    },
  })
  const picker = await field()
  await browser.click(picker)
  expect(screen.getAllByRole('button', { name: /^Remove/ })).toHaveLength(30)
  expect(screen.getByText('2970 others and')).toBeTruthy()
  expect(await screen.findByText('and 4950 more: type to narrow them down')).toBeTruthy()
  expect(screen.getAllByRole('option')).toHaveLength(51)
  await browser.type(picker, '/things/4321')
  await waitFor(() => expect(screen.getAllByRole('option')).toHaveLength(2))
  await browser.keyboard('{Enter}')
  expect(await screen.findByRole('button', { name: 'Remove Endpoint 4321' })).toBeTruthy()
  expect(server.bodiesOf('PUT /api/api-permission/:id/update')).toEqual([])
})

test('an API is given as a whole, in one entry, and single endpoints of it are left out', async () => {
  const { server, browser } = renderApp({ path, answers })
  await browser.click(await field())
  await browser.click(await screen.findByRole('option', { name: /All 3 endpoints of Orders/ }))
  expect(await screen.findByText('Saving opens 2 endpoints for 4 users.')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Remove All 3 endpoints of Orders' })).toBeTruthy()
  await browser.click(screen.getByRole('option', { name: /Endpoint 3/ }))
  expect(screen.getByRole('option', { name: /All 3 endpoints of Orders.*2 chosen/ })).toBeTruthy()
  await browser.click(screen.getByRole('button', update))
  await screen.findByText('Access updated successfully!')
  expect(server.bodiesOf('PUT /api/api-permission/:id/update')).toEqual([
    { difference: { ...none, remove: [3], add_apis: [5] }, version: 7 },
  ])
})

test('a search that fails says why', async () => {
  watchConsoleErrors()
  renderApp({
    path,
    answers: {
      ...answers,
      'GET /api/api-permission/:id/endpoints': () => refuse('server.failed'),
    },
  })
  expect(await screen.findByText('Something went wrong on our side.')).toBeTruthy()
})

test('a choice draws its own option again, and no other', async () => {
  const { browser } = renderApp({ path, answers })
  await browser.click(await field())
  const option = await screen.findByRole('option', { name: /Endpoint 3/ })
  const drawn = await countRenders(() => browser.click(option))
  expect(drawn.get('LightOption')).toBe(2)
})

test('an API is chosen as a whole, in part or not at all, and its endpoints with it', async () => {
  const { server, browser } = renderApp({ path, answers })
  const api = await lineOf('Orders')
  await screen.findByText(/GET \/things\/3/)
  const states = () =>
    screen.getAllByRole('treeitem').map((line) => line.getAttribute('aria-checked'))
  expect(api.getAttribute('aria-expanded')).toBe('true')
  expect(screen.getByText('1 of 3 endpoints')).toBeTruthy()
  expect(states()).toEqual(['mixed', 'true', 'false', 'false'])
  await browser.click(api.querySelector('[data-box]')!)
  expect(states()).toEqual(['true', 'true', 'true', 'true'])
  await browser.click(await lineOf('Endpoint 3'))
  expect(states()).toEqual(['mixed', 'true', 'true', 'false'])
  expect(screen.getByText('2 of 3 endpoints')).toBeTruthy()
  expect(await screen.findByText('Saving opens 2 endpoints for 4 users.')).toBeTruthy()
  await browser.click(screen.getByRole('button', update))
  await screen.findByText('Access updated successfully!')
  expect(server.bodiesOf('PUT /api/api-permission/:id/update')).toEqual([
    { difference: { ...none, remove: [3], add_apis: [5] }, version: 7 },
  ])
})

test('the tree works by keys: they go through it, open and close an API, and choose', async () => {
  const { browser } = renderApp({ path, answers })
  await screen.findByText(/GET \/things\/3/)
  const tree = screen.getByRole('tree', { name: 'APIs and their endpoints' })
  const active = () =>
    document.getElementById(tree.getAttribute('aria-activedescendant') ?? '')?.textContent ?? ''
  tree.focus()
  expect(active()).toContain('Orders')
  await browser.keyboard('{ArrowRight}{ArrowDown}')
  expect(active()).toContain('Endpoint 2')
  await browser.keyboard(' ')
  expect((await lineOf('Endpoint 2')).getAttribute('aria-checked')).toBe('true')
  await browser.keyboard('{End}')
  expect(active()).toContain('Endpoint 3')
  await browser.keyboard('{ArrowLeft}')
  expect(active()).toContain('Orders')
  await browser.keyboard('{ArrowLeft}')
  expect(screen.getAllByRole('treeitem')).toHaveLength(1)
  expect((await lineOf('Orders')).getAttribute('aria-expanded')).toBe('false')
  expect(screen.queryByText('Access updated successfully!')).toBeNull()
})

test('of 5,000 endpoints only those in sight are drawn and loaded', async () => {
  const apis = Array.from({ length: 50 }, (_, at) => ({
    id: at + 1,
    name: `Api ${at + 1}`,
    endpoints_count: 100,
    held_count: 0,
    found_count: 100,
  }))
  const { server, browser } = renderApp({
    path,
    answers: {
      ...answers,
      'GET /api/api-permission/:id/apis': () => buildAccessApis({ apis, endpoints_count: 5000 }),
      'GET /api/api-permission/:id/endpoints': ({ query }) =>
        buildAccessChoices({
          endpoints: Array.from({ length: 100 }, (_, at) => ({
            ...buildAccessEndpoint(Number(query['api_id']) * 1000 + at),
            api_id: Number(query['api_id']),
            is_held: false,
          })),
        }),
    },
  })
  const first = await lineOf('Api 1 ')
  const loads = () =>
    server.requests.filter(({ key }) => key === 'GET /api/api-permission/:id/endpoints')
  expect(loads()).toEqual([])
  await browser.click(first)
  await lineOf('Endpoint 1000')
  expect(loads().map(({ query }) => query)).toEqual([
    { api_id: '1', page: '1', limit: '100', search: '' },
  ])
  expect(screen.getAllByRole('treeitem').length).toBeLessThan(60)
  expect((await lineOf('Endpoint 1000')).getAttribute('aria-setsize')).toBe('100')
})

test('a search leaves what it finds in the tree, and says how much of each API that is', async () => {
  const { server, browser } = renderApp({
    path,
    answers: {
      ...answers,
      'GET /api/api-permission/:id/apis': ({ query }) => {
        const found_count = query['search'] === 'endpoint 2' ? 1 : 0
        const apis = buildAccessApis().apis.map((api) => ({ ...api, found_count }))
        if (query['search'] === '') return buildAccessApis()
        return buildAccessApis({ apis: found_count === 0 ? [] : apis })
      },
    },
  })
  await lineOf('Orders')
  await browser.type(await field(), 'endpoint 2')
  expect(await screen.findByText('1 of 3 endpoints · 1 found')).toBeTruthy()
  await waitFor(() => expect(screen.getAllByRole('treeitem')).toHaveLength(2))
  expect(await lineOf('Endpoint 2')).toBeTruthy()
  await browser.type(await field(), 'x')
  await waitFor(() => expect(screen.queryByRole('tree')).toBeNull())
  expect(screen.getAllByText('No endpoints match').length).toBeGreaterThan(0)
  expect(server.bodiesOf('PUT /api/api-permission/:id/update')).toEqual([])
})
