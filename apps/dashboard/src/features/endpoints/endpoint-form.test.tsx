import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { buildApiRecord, buildEndpoint, buildPage } from '../../testing/builders.ts'
import { refuse, type Answers } from '../../testing/fake-server.ts'
import { renderApp, watchConsoleErrors } from '../../testing/render-app.tsx'

const createPath = '/dashboard/admin/endpoint/create'
const editPath = '/dashboard/admin/endpoint/edit/7'
const create = { name: 'Create endpoint' }
const save = { name: 'Save' }

const apis = [buildApiRecord(1, { name: 'Orders' }), buildApiRecord(2, { name: 'Stock' })]
const answers: Answers = {
  'GET /api/endpoint': () => buildPage([]),
  'GET /api/endpoint/create': () => [apis],
  'GET /api/endpoint/:id/edit': () => [buildEndpoint(), apis],
  'POST /api/endpoint': () => buildEndpoint(),
  'PUT /api/endpoint/:id': () => buildEndpoint(),
}

test('create sends flags as 0 and 1 and no auth type, and goes to the endpoint at once', async () => {
  const { server, browser, address } = renderApp({ path: createPath, answers })
  await screen.findByRole('heading', { name: 'New endpoint' })
  await browser.click(await screen.findByRole('combobox', { name: 'Method' }))
  await browser.click(screen.getByRole('option', { name: 'POST' }))
  await browser.click(screen.getByRole('combobox', { name: 'Api' }))
  await browser.click(screen.getByRole('option', { name: 'Stock' }))
  await browser.type(screen.getByLabelText('Path'), '/stock/{{id}')
  await browser.type(screen.getByLabelText('Summary'), 'Stock of an item')
  await browser.type(screen.getByLabelText('Description'), 'How many are left')
  await browser.click(screen.getByRole('switch', { name: 'Custom Output' }))
  await browser.type(screen.getByLabelText('Output content'), 'fixed')
  // A new endpoint asks for a token unless somebody switches that off.
  expect(screen.getByRole<HTMLInputElement>('combobox', { name: 'Authentication' }).value).toBe(
    'Bearer Token',
  )
  await browser.click(screen.getByRole('button', create))

  expect(await screen.findByText('Endpoint created.')).toBeTruthy()
  expect(server.bodiesOf('POST /api/endpoint')).toEqual([
    {
      api_id: '2',
      method_type: 'post',
      status: 'active',
      path: '/stock/{id}',
      summery: 'Stock of an item',
      description: 'How many are left',
      enable_custom_output: 1,
      custom_output: 'fixed',
      authentication: 1,
    },
  ])
  await waitFor(() => expect(address()).toBe(editPath))
  expect(await screen.findByRole('heading', { name: 'Edit One order' })).toBeTruthy()
})

test('edit is prefilled; off, the output is sent blank; the auth type and version go along', async () => {
  const endpoint = buildEndpoint({
    summery: 'One order',
    enable_custom_output: 1,
    custom_output: '{"id":1}',
    authentication: 1,
    auth_type: 'bearer_token',
  })
  const { server, browser } = renderApp({
    path: editPath,
    answers: { ...answers, 'GET /api/endpoint/:id/edit': () => [endpoint, apis] },
  })
  await screen.findByRole('heading', { name: 'Edit One order' })
  expect(screen.getByLabelText<HTMLTextAreaElement>('Output content').value).toBe('{"id":1}')
  expect(screen.getByRole<HTMLInputElement>('combobox', { name: 'Api' }).value).toBe('Orders')
  await browser.click(screen.getByRole('switch', { name: 'Custom Output' }))
  await browser.click(screen.getByRole('button', save))
  expect(await screen.findByText('Endpoint saved.')).toBeTruthy()
  expect(server.bodiesOf('PUT /api/endpoint/:id')).toEqual([
    {
      api_id: '1',
      method_type: 'get',
      status: 'active',
      path: '/orders/{id}',
      summery: 'One order',
      description: 'One order, by its number',
      enable_custom_output: 0,
      custom_output: '',
      authentication: 1,
      auth_type: 'bearer_token',
      version: 2,
    },
  ])
})

test('a refusal shows a toast, the reason, and the messages under their fields', async () => {
  const { browser } = renderApp({
    path: createPath,
    answers: {
      ...answers,
      'POST /api/endpoint': () =>
        refuse('request.invalid', {
          path: ['The path field is required.'],
          api_id: ['The API field is required.'],
        }),
    },
  })
  await browser.click(await screen.findByRole('button', create))
  expect(await screen.findByText('The endpoint was not saved.')).toBeTruthy()
  expect(screen.getByText('Validation errors occurred!')).toBeTruthy()
  expect(screen.getByText('The path field is required.')).toBeTruthy()
  await waitFor(() =>
    expect(document.activeElement).toBe(screen.getByRole('combobox', { name: 'Api' })),
  )
})

test.each([createPath, editPath])('%s says so when it cannot be loaded', async (path) => {
  watchConsoleErrors()
  renderApp({
    path,
    answers: {
      'GET /api/endpoint/create': () => refuse('server.failed'),
      'GET /api/endpoint/:id/edit': () => refuse('endpoint.not_found'),
    },
  })
  expect(await screen.findByText('Unable to fetch API details.')).toBeTruthy()
})

test('a move to another API warns of the access that it takes, and the save says what it took', async () => {
  const { browser } = renderApp({
    path: editPath,
    answers: {
      ...answers,
      'GET /api/endpoint/:id/edit': () => [buildEndpoint({ access_count: 2 }), apis],
      'PUT /api/endpoint/:id': () => buildEndpoint({ access_cleared: 2 }),
    },
  })
  const choose = async (name: string) => {
    await browser.click(await screen.findByRole('combobox', { name: 'Api' }))
    await browser.click(await screen.findByRole('option', { name }))
  }
  await screen.findByRole('combobox', { name: 'Api' })
  expect(screen.queryByRole('alert')).toBeNull()
  await choose('Stock')
  expect((await screen.findByRole('alert')).textContent).toContain('2 roles')
  await choose('Orders')
  expect(screen.queryByRole('alert')).toBeNull()
  await choose('Stock')
  await browser.click(screen.getByRole('button', save))
  expect(
    await screen.findByText('The endpoint was moved, and 2 roles lost access to it.'),
  ).toBeTruthy()
})

test('a move of an endpoint that no role may call warns of nothing', async () => {
  const { browser } = renderApp({ path: editPath, answers })
  await browser.click(await screen.findByRole('combobox', { name: 'Api' }))
  await browser.click(await screen.findByRole('option', { name: 'Stock' }))
  expect(screen.queryByRole('alert')).toBeNull()
})

test('under an API that demands a token, the switch says that callers need one although it is off', async () => {
  const guarded = [buildApiRecord(1), buildApiRecord(2, { name: 'Stock', authentication: true })]
  const { browser } = renderApp({
    path: editPath,
    answers: { ...answers, 'GET /api/endpoint/:id/edit': () => [buildEndpoint(), guarded] },
  })
  const hint = async () => {
    const control = await screen.findByRole('switch', { name: 'Enable Authentication' })
    return document.getElementById(control.getAttribute('aria-describedby') ?? '')?.textContent
  }
  expect(await hint()).toMatch(/^The gateway then lets in/)
  await browser.click(screen.getByRole('combobox', { name: 'Api' }))
  await browser.click(await screen.findByRole('option', { name: 'Stock' }))
  expect(await hint()).toMatch(/^Stock lets in only callers .+ even while this is off\.$/)
})

test('a time-out of the endpoint is shown, and sent where it changes', async () => {
  const { server, browser } = renderApp({
    path: editPath,
    answers: {
      ...answers,
      'GET /api/endpoint/:id/edit': () => [buildEndpoint({ answer_timeout_ms: 90_000 }), apis],
    },
  })
  await browser.click(await screen.findByText('Answer time-out'))
  const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'Answer time-out' })
  expect(field.value).toBe('90000')
  await browser.clear(field)
  await browser.click(screen.getByRole('button', save))
  await waitFor(() => expect(server.bodiesOf('PUT /api/endpoint/:id')).toHaveLength(1))
  expect(server.bodiesOf('PUT /api/endpoint/:id')).toMatchObject([{ answer_timeout_ms: '' }])
})

test('a mock shows the example that the gateway will answer with', async () => {
  const answer_schema = '{"properties":{"id":{"type":"integer","examples":[7]}}}'
  const validation = {
    mode: 'off' as const,
    parameters_schema: '',
    body_schema: '',
    is_body_required: false,
    answer_schema,
    is_mocked: true,
  }
  const { browser } = renderApp({
    path: editPath,
    answers: {
      ...answers,
      'GET /api/endpoint/:id/edit': () => [buildEndpoint({ validation }), apis],
    },
  })
  await browser.click(await screen.findByText('Validation'))
  expect(await screen.findByText(/"id": 7/)).toBeTruthy()
})
