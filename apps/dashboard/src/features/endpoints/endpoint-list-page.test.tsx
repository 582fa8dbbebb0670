import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { buildApiRow, buildEndpoint, buildPage, buildUser } from '../../testing/builders.ts'
import { countRenders } from '../../testing/count-renders.ts'
import { refuse } from '../../testing/fake-server.ts'
import { renderApp } from '../../testing/render-app.tsx'

const path = '/dashboard/admin/endpoints'

test('the columns are the spec’s, and Name is the description', async () => {
  renderApp({ path, answers: { 'GET /api/endpoint': () => buildPage([buildEndpoint()]) } })
  const table = within(await screen.findByRole('table'))
  expect(table.getAllByRole('columnheader').map((head) => head.textContent)).toEqual([
    '#',
    'Status',
    'Name',
    'Path',
    'Type',
    'Action',
  ])
  const cells = table.getAllByRole('cell').map((cell) => cell.lastElementChild?.textContent)
  expect(cells.slice(0, 5)).toEqual([
    '7',
    'active',
    'One order, by its numberOrders',
    '/orders/{id}',
    'get',
  ])
  expect(screen.getByRole('link', { name: 'Add endpoint' }).getAttribute('href')).toBe(
    '/dashboard/admin/endpoint/create',
  )
  expect(table.getByRole('link', { name: /^Edit/ }).getAttribute('href')).toBe(
    '/dashboard/admin/endpoint/edit/7',
  )
})

test('delete asks first and names the address that stops answering', async () => {
  const { server, browser } = renderApp({
    path,
    answers: {
      'GET /api/endpoint': () => buildPage([buildEndpoint()]),
      'DELETE /api/endpoint/:id': () => undefined,
    },
  })
  await browser.click(await screen.findByRole('button', { name: /^Delete/ }))
  const dialog = await screen.findByRole('dialog', { name: 'Delete this endpoint?' })
  expect(dialog.textContent).toContain('GET /orders/orders/{id}')
  await browser.click(within(dialog).getByRole('button', { name: 'Delete endpoint' }))
  expect(await screen.findByText('Endpoint deleted successfully!')).toBeTruthy()
  expect(server.requests.find(({ key }) => key === 'DELETE /api/endpoint/:id')?.params).toEqual({
    id: '7',
  })
})

test.each([
  ['Undone.', 'done' as const, null],
  ['Not undone.', 'refused' as const, 'Its name is taken.'],
])('a delete is undone by the toast, which says: %s', async (said, outcome, message) => {
  const { server, browser } = renderApp({
    path,
    answers: {
      'GET /api/endpoint': () => buildPage([buildEndpoint()]),
      'DELETE /api/endpoint/:id': () => undefined,
      'POST /api/deletions/undo': () => ({ results: [{ id: 7, name: 'One', outcome, message }] }),
    },
  })
  await browser.click(await screen.findByRole('button', { name: /^Delete/ }))
  const dialog = await screen.findByRole('dialog', { name: 'Delete this endpoint?' })
  await browser.click(within(dialog).getByRole('button', { name: 'Delete endpoint' }))
  const undo = await screen.findByRole('button', { name: 'Undo' })
  const countLists = () => server.requests.filter(({ key }) => key === 'GET /api/endpoint').length
  const before = countLists()
  await browser.click(undo)
  expect(await screen.findByText(said)).toBeTruthy()
  if (message !== null) expect(screen.getByText(message)).toBeTruthy()
  expect(countLists()).toBeGreaterThan(before)
  const body = { thing: 'endpoint', ids: [7] }
  expect(server.bodiesOf('POST /api/deletions/undo')).toEqual([body])
})

test('rows that were disabled are enabled again by Undo, and no others', async () => {
  const { server, browser } = renderApp({
    path,
    answers: {
      'GET /api/endpoint': () =>
        buildPage([7, 8].map((id) => buildEndpoint({ id, description: `E${id}` }))),
      'POST /api/endpoint/bulk': () => ({
        results: [
          { id: 7, name: 'E7', outcome: 'done', message: null },
          { id: 8, name: 'E8', outcome: 'unchanged', message: null },
        ],
        next_after: null,
      }),
    },
  })
  await browser.click(await screen.findByRole('checkbox', { name: 'All rows of this page' }))
  await browser.click(await screen.findByRole('button', { name: 'Disable' }))
  const dialog = await screen.findByRole('dialog', { name: 'Disable: 2 endpoints?' })
  await browser.click(within(dialog).getByRole('button', { name: 'Disable: 2 endpoints' }))
  const done = await screen.findByRole('dialog', { name: 'Disable: 1 done, 1 unchanged' })
  await browser.click(within(done).getByRole('button', { name: 'Undo' }))
  expect(await screen.findByText('Undone.')).toBeTruthy()
  expect(server.bodiesOf('POST /api/endpoint/bulk')).toEqual([
    { action: 'disable', ids: [7, 8] },
    { action: 'enable', ids: [7] },
  ])
})

test('what keeps an endpoint from being deleted is named, with a way there', async () => {
  const { browser } = renderApp({
    path,
    answers: {
      'GET /api/endpoint': () => buildPage([buildEndpoint()]),
      'DELETE /api/endpoint/:id': () => refuse('endpoint.has_unknown_runs'),
    },
  })
  await browser.click(await screen.findByRole('button', { name: /^Delete/ }))
  const dialog = await screen.findByRole('dialog', { name: 'Delete this endpoint?' })
  await browser.click(within(dialog).getByRole('button', { name: 'Delete endpoint' }))
  const link = await within(dialog).findByRole('link', { name: 'Show them in the history' })
  expect(link.getAttribute('href')).toBe('/dashboard/admin/unclear?state=unknown&endpoint=7')
})

test('an endpoint that workflows call is not deleted, and the refusal leads to them', async () => {
  const message = 'The workflow “Sales invoices” calls this endpoint. Change it or delete it first.'
  const { browser } = renderApp({
    path,
    answers: {
      'GET /api/endpoint': () => buildPage([buildEndpoint()]),
      'DELETE /api/endpoint/:id': () =>
        Response.json(
          {
            code: 'endpoint.in_workflow',
            message,
            request_id: 'r',
            count: 1,
            workflows: [{ id: 7, slug: 'sales', name: 'Sales invoices' }],
          },
          { status: 409 },
        ),
    },
  })
  await browser.click(await screen.findByRole('button', { name: /^Delete/ }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete this endpoint?' }))
  await browser.click(dialog.getByRole('button', { name: 'Delete endpoint' }))
  expect((await dialog.findByRole('alert')).textContent).toBe(`${message} Show it`)
  const link = dialog.getByRole('link', { name: 'Show it' })
  expect(link.getAttribute('href')).toBe('/dashboard/admin/workflows/7')
})

test('the list is filtered by API, status and method', async () => {
  const { server, browser, address } = renderApp({
    path: `${path}?method=POST&status=disabled`,
    answers: {
      'GET /api/endpoint': () => buildPage([buildEndpoint()]),
      'GET /api/apis': () => buildPage([buildApiRow(4, { name: 'Orders' })]),
    },
  })
  await screen.findByRole('table')
  await browser.click(screen.getByRole('combobox', { name: 'API' }))
  await browser.click(await screen.findByRole('option', { name: 'Orders' }))
  await browser.click(screen.getByRole('combobox', { name: 'Method' }))
  await browser.click(await screen.findByRole('option', { name: 'PUT' }))
  await waitFor(() => expect(address()).toBe(`${path}?method=put&status=disabled&api=4`))
  await waitFor(() =>
    expect(server.requests.findLast(({ key }) => key === 'GET /api/endpoint')?.query).toEqual({
      page: '1',
      limit: '10',
      api_id: '4',
      status: 'disabled',
      method_type: 'put',
    }),
  )
})

test('without the right to view APIs a filter of a link can only be taken away', async () => {
  const { server, browser, address } = renderApp({
    path: `${path}?api=4`,
    user: buildUser({ permissions: ['endpoint.view'] }),
    answers: { 'GET /api/endpoint': () => buildPage([buildEndpoint()]) },
  })
  await browser.click(await screen.findByRole('button', { name: 'Any API' }))
  expect(address()).toBe(path)
  expect(server.requests.map(({ key }) => key)).not.toContain('GET /api/apis')
})

test('tags are chips that narrow the list, and a filter offers those in use', async () => {
  const { server, browser, address } = renderApp({
    path,
    answers: {
      'GET /api/endpoint': () => buildPage([buildEndpoint({ tags: ['tax', 'live & test'] })]),
      'GET /api/endpoint/tags': () => [
        { tag: 'live & test', count: 1 },
        { tag: 'tax', count: 12 },
      ],
    },
  })
  await browser.click(await screen.findByRole('link', { name: 'live & test' }))
  await waitFor(() => expect(address()).toBe(`${path}?tag=live%20%26%20test`))
  await browser.click(screen.getByRole('combobox', { name: 'Tag' }))
  await browser.click(await screen.findByRole('option', { name: 'tax (12)' }))
  await waitFor(() => expect(address()).toBe(`${path}?tag=tax`))
  await waitFor(() =>
    expect(server.requests.findLast(({ key }) => key === 'GET /api/endpoint')?.query).toEqual({
      page: '1',
      limit: '10',
      tag: 'tax',
    }),
  )
})

test('selected rows are changed together, and the dialog tells the outcome of each', async () => {
  const rows = [
    buildEndpoint({ id: 7, description: 'One' }),
    buildEndpoint({ id: 8, description: 'Two' }),
    buildEndpoint({ id: 9, description: 'Three' }),
  ]
  const { server, browser } = renderApp({
    path,
    answers: {
      'GET /api/endpoint': () => buildPage(rows),
      'POST /api/endpoint/bulk': () => ({
        results: [
          { id: 7, name: 'One', outcome: 'done', message: null },
          { id: 8, name: 'Two', outcome: 'unchanged', message: null },
          { id: 9, name: 'Three', outcome: 'refused', message: 'A workflow calls this endpoint.' },
        ],
        next_after: null,
      }),
    },
  })
  await browser.click(await screen.findByRole('checkbox', { name: 'Select One' }))
  const bar = within(await screen.findByRole('region', { name: 'Selected rows' }))
  bar.getByText('1 selected')
  await browser.click(bar.getByRole('button', { name: 'Select all 3' }))
  await browser.click(bar.getByRole('button', { name: 'Delete' }))
  const dialog = await screen.findByRole('dialog', { name: 'Delete: 3 endpoints?' })
  expect(dialog.textContent).toContain('You can undo this for 10 seconds.')
  const selected = within(dialog).getByRole('list', { name: 'Selected' })
  expect(selected.textContent).toBe('OneTwoThree')
  expect(server.bodiesOf('POST /api/endpoint/bulk')).toEqual([])
  await browser.click(within(dialog).getByRole('button', { name: 'Delete: 3 endpoints' }))
  const done = await screen.findByRole('dialog', {
    name: 'Delete: 1 done, 1 unchanged, 1 refused',
  })
  expect(
    within(done)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual(['ThreeA workflow calls this endpoint.', 'OneDone', 'TwoWas so already'])
  expect(server.bodiesOf('POST /api/endpoint/bulk')).toEqual([{ action: 'delete', ids: [7, 8, 9] }])
  await browser.click(within(done).getByRole('button', { name: 'Close' }))
  await browser.click(bar.getByRole('button', { name: 'Clear selection' }))
  expect(screen.queryByRole('region', { name: 'Selected rows' })).toBeNull()
})

test('a token is required at the selected rows once the dialog is confirmed', async () => {
  const { server, browser } = renderApp({
    path,
    answers: {
      'GET /api/endpoint': () => buildPage([buildEndpoint({ id: 7, description: 'One' })]),
      'POST /api/endpoint/bulk': () => ({
        results: [{ id: 7, name: 'One', outcome: 'done', message: null }],
        next_after: null,
      }),
    },
  })
  await browser.click(await screen.findByRole('checkbox', { name: 'Select One' }))
  await browser.click(await screen.findByRole('button', { name: 'Require a token' }))
  const dialog = await screen.findByRole('dialog', { name: 'Require a token: 1 endpoint?' })
  expect(dialog.textContent).toContain('only callers whose personal token has access')
  await browser.click(within(dialog).getByRole('button', { name: 'Require a token: 1 endpoint' }))
  await screen.findByRole('dialog', { name: 'Require a token: 1 done' })
  expect(server.bodiesOf('POST /api/endpoint/bulk')).toEqual([
    { action: 'require_token', ids: [7] },
  ])
})

test('access is given to a role that is chosen, and a refusal stays in the dialog', async () => {
  const { server, browser } = renderApp({
    path,
    answers: {
      'GET /api/endpoint': () => buildPage([buildEndpoint()]),
      'GET /api/role': () =>
        buildPage([{ id: 4, name: 'Cashier', users_count: 1, permissions_count: 0 }]),
      'POST /api/api-permission/bulk': () => refuse('permission.denied'),
    },
  })
  await browser.click(await screen.findByRole('checkbox', { name: /^Select/ }))
  await browser.click(await screen.findByRole('button', { name: 'Grant access' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Grant access: 1 endpoint?' }))
  const confirm = dialog.getByRole('button', { name: 'Grant access: 1 endpoint' })
  await browser.click(confirm)
  expect((await dialog.findByRole('alert')).textContent).toBe('Choose a role.')
  await browser.click(dialog.getByRole('combobox', { name: 'Role' }))
  await browser.click(await screen.findByRole('option', { name: 'Cashier' }))
  await browser.click(confirm)
  await waitFor(() =>
    expect(server.bodiesOf('POST /api/api-permission/bulk')).toEqual([
      { role_id: 4, endpoints: [7] },
    ]),
  )
  await waitFor(() => expect(dialog.getByRole('alert').textContent).toContain('permission'))
})

test('only what the user may do is offered, and without that no row can be selected', async () => {
  const answers = { 'GET /api/endpoint': () => buildPage([buildEndpoint()]) }
  const user = buildUser({ permissions: ['endpoint.view', 'endpoint.delete'] })
  const { browser } = renderApp({ path, user, answers })
  await browser.click(await screen.findByRole('checkbox', { name: /^Select/ }))
  const bar = within(await screen.findByRole('region', { name: 'Selected rows' }))
  expect(bar.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
    'Delete',
    'Clear selection',
  ])
  cleanup()
  renderApp({ path, user: buildUser({ permissions: ['endpoint.view'] }), answers })
  await screen.findByRole('table')
  expect(screen.queryByRole('checkbox')).toBeNull()
})

test('the outcomes stay on the screen when every row goes from the list', async () => {
  let rows = [buildEndpoint({ id: 7, description: 'One' })]
  const { browser } = renderApp({
    path,
    answers: {
      'GET /api/endpoint': () => buildPage(rows),
      'POST /api/endpoint/bulk': () => {
        rows = []
        return {
          results: [{ id: 7, name: 'One', outcome: 'done', message: null }],
          next_after: null,
        }
      },
    },
  })
  await browser.click(await screen.findByRole('checkbox', { name: 'Select One' }))
  const bar = within(await screen.findByRole('region', { name: 'Selected rows' }))
  await browser.click(bar.getByRole('button', { name: 'Delete' }))
  await browser.click(await screen.findByRole('button', { name: 'Delete: 1 endpoint' }))
  await screen.findByText('No endpoints yet')
  const done = await screen.findByRole('dialog', { name: 'Delete: 1 done' })
  await browser.click(within(done).getByRole('button', { name: 'Close' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('neither a selected row nor an open dialog draws the rows again', async () => {
  const rows = [buildEndpoint(), buildEndpoint({ id: 8 }), buildEndpoint({ id: 9 })]
  const { browser } = renderApp({ path, answers: { 'GET /api/endpoint': () => buildPage(rows) } })
  const [box] = await screen.findAllByRole('checkbox', { name: /^Select/ })
  if (!box) throw new Error('No row can be selected.')
  // The bar comes with the first row that is selected.
  await browser.click(screen.getAllByRole('checkbox', { name: /^Select/ }).at(-1)!)
  await screen.findByRole('region', { name: 'Selected rows' })
  const selected = await countRenders(() => browser.click(box))
  expect(selected.get('SelectionBar')).toBeGreaterThan(0)
  expect(selected.get('RowBox')).toBe(1)
  expect(selected.get('RowActions')).toBeUndefined()
  const [button] = screen.getAllByRole('button', { name: /^Delete .*order/ })
  if (!button) throw new Error('No row can be deleted.')
  const asked = await countRenders(() => browser.click(button))
  expect(asked.get('ConfirmDialog')).toBeGreaterThan(0)
  expect(asked.get('RowActions')).toBeUndefined()
})
