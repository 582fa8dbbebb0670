import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { buildApiRow, buildEndpoint, buildPage, buildUser } from '../../testing/builders.ts'
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
  expect(screen.getByRole('link', { name: 'Add Api' }).getAttribute('href')).toBe(
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
  expect(link.getAttribute('href')).toBe('/dashboard/admin/runs?state=unknown&endpoint=7')
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
