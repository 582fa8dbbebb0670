import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import {
  buildApiRecord,
  buildApiRow,
  buildEndpoint,
  buildPage,
  buildUser,
} from '../../testing/builders.ts'
import type { Answers } from '../../testing/fake-server.ts'
import { refuse } from '../../testing/fake-server.ts'
import { renderApp, watchConsoleErrors } from '../../testing/render-app.tsx'

const hub = '/dashboard/admin/apis/4'
const record = { ...buildApiRecord(4), gateway_url: 'http://gateway.example.com/orders' }
const endpoint = buildEndpoint({ api: { id: 4, name: 'Orders', context: 'orders' }, api_id: 4 })
const answers: Answers = {
  'GET /api/apis/:id/edit': () => [record],
  'GET /api/endpoint': () => buildPage([endpoint]),
}
const tabs = () => within(screen.getByRole('navigation', { name: 'Parts of this API' }))

test('the list leads to the page, which opens the first part that the user may see', async () => {
  const { browser, address } = renderApp({
    path: '/dashboard/admin/apis',
    answers: { ...answers, 'GET /api/apis': () => buildPage([buildApiRow(4)]) },
  })
  const name = await screen.findByRole('link', { name: 'Orders' })
  expect(name.getAttribute('href')).toBe(hub)
  await browser.click(name)
  expect(await screen.findByRole('heading', { level: 2, name: 'Orders' })).toBeTruthy()
  await waitFor(() => expect(address()).toBe('/dashboard/admin/api/edit/4'))
  expect(tabs().getByRole('link', { current: 'page' }).textContent).toBe('Settings')
  screen.getByText('http://gateway.example.com/orders')
  expect(screen.getByRole('navigation', { name: 'Breadcrumb' }).textContent).toContain(
    'OrdersSettings',
  )
})

test('the endpoints are those of the API alone, and their forms lead back', async () => {
  const { server, browser, address } = renderApp({
    path: `${hub}/endpoints?api=9`,
    answers: {
      ...answers,
      'GET /api/endpoint/:id/edit': () => [endpoint, [record]],
      'GET /api/endpoint/create': () => [[record]],
    },
  })
  await screen.findByRole('table')
  expect(server.requests.findLast(({ key }) => key === 'GET /api/endpoint')?.query).toEqual({
    page: '1',
    limit: '10',
    api_id: '4',
  })
  expect(screen.queryByRole('combobox', { name: 'API' })).toBeNull()
  expect(screen.getByRole('link', { name: 'Add endpoint' }).getAttribute('href')).toBe(
    '/dashboard/admin/endpoint/create?api=4&return=api',
  )
  await browser.click(screen.getByRole('link', { name: /^Edit/ }))
  const cancel = await screen.findByRole('link', { name: 'Cancel' })
  expect(cancel.getAttribute('href')).toBe(`${hub}/endpoints?api=9`)
  expect(screen.getByRole('link', { name: 'Orders' }).getAttribute('href')).toBe(hub)
  await browser.click(cancel)
  await waitFor(() => expect(address()).toBe(`${hub}/endpoints?api=9`))
})

test('a part that the user may not see is not offered, and says so at its address', async () => {
  const user = buildUser({ permissions: ['api.view', 'endpoint.view'] })
  const { address } = renderApp({ path: hub, user, answers })
  await screen.findByRole('table')
  expect(address()).toBe(`${hub}/endpoints`)
  expect(
    tabs()
      .getAllByRole('link')
      .map(({ textContent }) => textContent),
  ).toEqual(['Endpoints', 'Agents'])
  expect(screen.queryByRole('button', { name: 'Check' })).toBeNull()
})

test('without the right to see any part the page says what the API is', async () => {
  const user = buildUser({ permissions: ['api.view'] })
  renderApp({ path: hub, user, answers })
  expect(await screen.findByText('You may see no more of this API.')).toBeTruthy()
  screen.getByText('https://orders.example.com')
})

test('an API that there is not, and a part that there is not, say so', async () => {
  watchConsoleErrors()
  renderApp({
    path: `${hub}/endpoints`,
    answers: { ...answers, 'GET /api/apis/:id/edit': () => refuse('api.not_found') },
  })
  expect(await screen.findByText('Unable to fetch API details.')).toBeTruthy()
  expect(screen.queryByRole('table')).toBeNull()
  renderApp({ path: `${hub}/nonsense`, answers })
  expect(await screen.findByRole('heading', { name: 'Page not found' })).toBeTruthy()
})
