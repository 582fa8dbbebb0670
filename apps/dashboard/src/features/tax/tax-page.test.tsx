import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { alwaysEnds, findToast, renderTax } from '../../testing/bundle-screen.ts'
import { buildUser } from '../../testing/builders.ts'
import { countRenders } from '../../testing/count-renders.ts'
import { refuse } from '../../testing/fake-server.ts'
import { renderApp, watchConsoleErrors } from '../../testing/render-app.tsx'
import { buildRunDetail, buildSummary } from '../../testing/run-builders.ts'

test('each of the four endpoints has an API select, Token and Body', async () => {
  const { card } = await renderTax()
  for (const position of [1, 2, 3, 4]) {
    expect(card(position).getByRole('combobox', { name: 'API' })).toBeTruthy()
    expect(card(position).getByLabelText('Token')).toBeTruthy()
    expect(await card(position).findByRole('textbox', { name: 'Body' })).toBeTruthy()
  }
  expect(screen.getByRole('checkbox', { name: 'Test invoice' })).toBeTruthy()
})

test('endpoint 1 has its own token; the others share one', async () => {
  const { browser, card } = await renderTax()
  const tokenOf = (position: number) => card(position).getByLabelText<HTMLInputElement>('Token')
  await browser.type(tokenOf(1), 'get-token')
  await browser.type(tokenOf(3), 'post-token')
  expect([1, 2, 3, 4].map((position) => tokenOf(position).value)).toEqual([
    'get-token',
    'post-token',
    'post-token',
    'post-token',
  ])
})

test('“Dependent on the previous API” reveals a field that is prefilled', async () => {
  const { browser, card } = await renderTax()
  expect(screen.queryByLabelText('Dependency field')).toBeNull()
  await browser.click(card(2).getByRole('checkbox', { name: 'Dependent on the previous API' }))
  const field = card(2).getByLabelText<HTMLInputElement>('Dependency field')
  expect(field.value).toBe('id,title')
})

test('Send Request sends the bundle as it stands, with a key, and shows the run', async () => {
  const { server, browser, card, choose, typeBody, press } = await renderTax({
    ...alwaysEnds(buildSummary('succeeded')),
    'GET /api/runs/:id': () => buildRunDetail({ state: 'succeeded' }),
  })
  await choose(1, 'One order')
  await choose(2, 'File invoice')
  await typeBody(2, '{"total": 0.10}')
  await browser.click(card(2).getByRole('checkbox'))
  await browser.click(screen.getByRole('checkbox', { name: 'Test invoice' }))
  await browser.type(card(1).getByLabelText('Token'), 'get-token')
  await press('Send Request')
  expect(await findToast('Request sent successfully!')).toContain('Every step succeeded.')
  expect(server.bodiesOf('POST /api/tax')).toEqual([
    {
      endpoint_1: { end_point: '3', body: '', token: 'get-token', test_invoice: true },
      endpoint_2: {
        end_point: '4',
        body: '{"total": 0.10}',
        token: '',
        test_invoice: true,
        dependency_field: 'id,title',
        is_dependent: true,
      },
      endpoint_3: { end_point: null, body: '', token: '', test_invoice: true },
      endpoint_4: { end_point: null, body: '', token: '', test_invoice: true },
    },
  ])
  const post = server.requests.find(({ key }) => key === 'POST /api/tax')
  expect(post?.headers.get('idempotency-key')).toMatch(/^[0-9a-f-]{36}$/)
  const link = await screen.findByRole('link', { name: /run 41/i })
  expect(link.getAttribute('href')).toBe('/dashboard/admin/runs/41')
  expect(await screen.findByRole('list', { name: 'Attempts of step 1' })).toBeTruthy()
})

test('messages of a 422 are at their fields, and the toast says that nothing was sent', async () => {
  const { browser, card, press } = await renderTax({
    'POST /api/tax': () =>
      refuse('request.invalid', {
        'endpoint_1.end_point': ['Choose an endpoint.'],
        'endpoint_2.body': ['Not JSON.'],
        'endpoint_2.dependency_field': ['Name the fields.'],
        'endpoint_3.token': ['No blanks.'],
        'Idempotency-Key': ['The key is too short.'],
      }),
  })
  await browser.click(card(2).getByRole('checkbox'))
  await press('Send Request')
  expect(await findToast('Failed to send request.')).toContain('Nothing was sent.')
  expect(card(1).getByText('Choose an endpoint.')).toBeTruthy()
  expect(card(2).getByText('Not JSON.')).toBeTruthy()
  expect(card(2).getByText('Name the fields.')).toBeTruthy()
  expect(card(3).getByText('No blanks.')).toBeTruthy()
  // A message for no field of the form is not lost.
  expect(screen.getByText('The key is too short.')).toBeTruthy()
  await waitFor(() => expect(document.activeElement).toBe(card(1).getByRole('combobox')))
})

test('choices that cannot be loaded are said so in the spec’s words', async () => {
  watchConsoleErrors()
  renderApp({
    path: '/dashboard/admin/tax',
    answers: { 'GET /api/tax': () => refuse('server.failed') },
  })
  expect(await screen.findByText('Failed to fetch endpoints.')).toBeTruthy()
})

test('a user who may only view has no buttons to send with', async () => {
  const permissions = ['dashboard.view', 'tax.view'] as const
  await renderTax({}, buildUser({ permissions: [...permissions] }))
  expect(screen.queryByRole('button', { name: 'Send Request' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Preview' })).toBeNull()
  expect(screen.queryByRole('checkbox', { name: 'Test invoice' })).toBeNull()
  expect(screen.getByText('Your roles do not let you send.')).toBeTruthy()
})

test('typing into a body draws neither the other endpoints nor the select beside it', async () => {
  const { typeBody } = await renderTax()
  await typeBody(1, '{')
  const drawn = await countRenders(() => typeBody(1, '{"total": 1'))
  expect(drawn.get('TaxFields')).toBeGreaterThan(0)
  expect(drawn.get('TaxCard')).toBe(drawn.get('TaxFields'))
  for (const other of ['EndpointSelect', 'TokenField', 'Dependency'])
    expect(drawn.get(other), other).toBeUndefined()
})
