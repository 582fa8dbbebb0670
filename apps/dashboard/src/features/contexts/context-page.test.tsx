import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { buildContext, buildPage, buildUser } from '../../testing/builders.ts'
import { refuse } from '../../testing/fake-server.ts'
import { renderApp } from '../../testing/render-app.tsx'

const path = '/dashboard/admin/context'

test('each API is listed with prefix, status, access, number of endpoints and full URLs', async () => {
  renderApp({
    path,
    answers: { 'GET /api/context': () => buildPage([buildContext({ endpoints_count: 130 })]) },
  })
  await screen.findByRole('heading', { name: 'Orders' })
  for (const text of [
    '/orders',
    'active',
    'internally',
    '130 endpoints',
    'http://localhost:8080/orders/orders/{id}',
    'and 129 more',
  ]) {
    expect(screen.getByText(text)).toBeTruthy()
  }
})

test('the prefix is changed in place; a refused one says why under the field', async () => {
  let context = 'orders'
  const { server, browser } = renderApp({
    path,
    answers: {
      'GET /api/context': () => buildPage([buildContext({ context })]),
      'PUT /api/context/:id': () =>
        refuse('request.invalid', { context: ['This context is already in use.'] }),
    },
  })
  await browser.click(await screen.findByRole('button', { name: 'Change the prefix of Orders' }))
  const field = screen.getByLabelText('Prefix of Orders')
  await waitFor(() => expect(document.activeElement).toBe(field))
  await browser.clear(field)
  await browser.type(field, 'sales/v1{Enter}')
  expect(await screen.findByText('This context is already in use.')).toBeTruthy()

  server.use({
    'PUT /api/context/:id': () => {
      context = 'sales/v1'
      return buildContext({ context })
    },
  })
  await browser.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('/sales/v1')).toBeTruthy()
  expect(server.bodiesOf('PUT /api/context/:id')).toEqual([
    { context: 'sales/v1' },
    { context: 'sales/v1' },
  ])
})

test('a prefix that is reserved by now is marked, with what to do', async () => {
  const [early, other] = [
    buildContext({ id: 1, name: 'Early', context: 'api/v1', is_reserved: true }),
    buildContext({ id: 2, name: 'Other' }),
  ]
  renderApp({ path, answers: { 'GET /api/context': () => buildPage([early, other]) } })
  const notices = await screen.findAllByRole('alert')
  expect(notices).toHaveLength(1)
  expect(notices[0]?.textContent).toMatch(/reserved now.*under \/api .*Change the prefix/)
  expect(notices[0]?.closest('section')?.textContent).toContain('Early')
})

test('a user who may only view cannot change a prefix', async () => {
  renderApp({
    path,
    user: buildUser({ permissions: ['dashboard.view', 'context.view'] }),
    answers: { 'GET /api/context': () => buildPage([buildContext()]) },
  })
  await screen.findByRole('heading', { name: 'Orders' })
  expect(screen.queryByRole('button', { name: /Change the prefix/ })).toBeNull()
})
