import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { buildApiRecord, buildPage } from '../../../testing/builders.ts'
import { refuse } from '../../../testing/fake-server.ts'
import { renderApp, watchConsoleErrors } from '../../../testing/render-app.tsx'

const createPath = '/dashboard/admin/api/create'
const editPath = '/dashboard/admin/api/edit/4'
const list = '/dashboard/admin/apis'
const save = { name: 'Create API' }
const saveEdit = { name: 'Save' }
const staticSignIn = {
  kind: 'bearer' as const,
  state: 'static' as const,
  obtained_at: null,
  expires_at: null,
  message: '',
  certificate: null,
  refresh_token: null,
}

test('create sends the whole definition, then reports it and goes to the API at once', async () => {
  const { server, browser, address } = renderApp({
    path: createPath,
    answers: {
      'POST /api/apis': () => buildApiRecord(4),
      'GET /api/apis/:id/edit': () => [buildApiRecord(4)],
    },
  })
  await screen.findByRole('heading', { name: 'Create a New API' })
  await browser.type(screen.getByLabelText('API Name'), 'Orders')
  await browser.type(screen.getByLabelText('Base URL'), 'https://orders.example.com')
  await browser.click(screen.getByRole('switch', { name: 'Enable Authentication' }))
  await browser.click(screen.getByRole('radio', { name: 'Externally' }))
  await browser.click(screen.getByRole('button', save))

  expect(await screen.findByText('API created successfully!')).toBeTruthy()
  expect(server.bodiesOf('POST /api/apis')).toEqual([
    expect.objectContaining({
      name: 'Orders',
      api_protocol: 'http',
      authentication: true,
      auth_type: 'bearer_token',
      gateway_status: 'active',
      api_access: 'externally',
      api_url: 'https://orders.example.com',
      credential: null,
      test_credential: null,
      tls: null,
      static_headers: [],
    }),
  ])
  await waitFor(() => expect(address()).toBe(editPath))
})

test('the protocol decides which fields are shown, and authentication shows its type', async () => {
  const { browser } = renderApp({ path: createPath })
  await screen.findByLabelText('Base URL')
  expect(screen.queryByLabelText('Auth Type')).toBeNull()
  await browser.click(screen.getByRole('switch', { name: 'Enable Authentication' }))
  expect(screen.getByRole<HTMLInputElement>('combobox', { name: 'Auth Type' }).value).toBe(
    'Bearer token',
  )

  await browser.click(screen.getByRole('radio', { name: 'Stored Procedure' }))
  expect(screen.queryByLabelText('Base URL')).toBeNull()
  const labels = [
    'Driver',
    'Host',
    'Port',
    'Database',
    'Username',
    'Password',
    'Stored Procedure method',
  ]
  for (const label of labels) expect(screen.getAllByLabelText(label).length).toBeGreaterThan(0)
})

test('a 422 shows its toast and the first message under each field, the focus in the first', async () => {
  const { browser } = renderApp({
    path: createPath,
    answers: {
      'POST /api/apis': () =>
        refuse('request.invalid', {
          api_url: ['The base URL field is required.'],
          name: ['The name field is required.', 'A second message.'],
          something_else: ['A message for no field of this form.'],
        }),
    },
  })
  await browser.click(await screen.findByRole('button', save))
  expect(await screen.findByText('Validation errors occurred!')).toBeTruthy()
  const name = screen.getByLabelText('API Name')
  await waitFor(() => expect(document.activeElement).toBe(name))
  expect(screen.getByText('The name field is required.')).toBeTruthy()
  expect(screen.getByText('The base URL field is required.')).toBeTruthy()
  expect(screen.queryByText('A second message.')).toBeNull()
  expect(screen.getByText('A message for no field of this form.')).toBeTruthy()
  await browser.type(name, 'x')
  expect(screen.queryByText('The name field is required.')).toBeNull()
  expect(screen.getByRole<HTMLButtonElement>('button', save).disabled).toBe(false)
})

test('any other failure shows the spec’s toast and what really happened', async () => {
  const { browser, address } = renderApp({
    path: createPath,
    answers: { 'POST /api/apis': () => refuse('server.failed') },
  })
  await browser.click(await screen.findByRole('button', save))
  expect(await screen.findByText('Failed to create user.')).toBeTruthy()
  expect(screen.getByText('The API was not saved: Something went wrong on our side.')).toBeTruthy()
  expect(address()).toBe(createPath)
})

test('edit is headed by the name of the API, and sends the version back', async () => {
  const { server, browser } = renderApp({
    path: editPath,
    answers: {
      'GET /api/apis/:id/edit': () => [
        buildApiRecord(4, {
          authentication: true,
          auth_type: 'bearer_token',
          answer_timeout_ms: 900,
        }),
      ],
      'PUT /api/apis/:id': () => buildApiRecord(4),
    },
  })
  expect(await screen.findByRole('heading', { level: 2, name: 'Orders' })).toBeTruthy()
  expect(await screen.findByRole('heading', { level: 3, name: 'Edit Orders' })).toBeTruthy()
  expect(screen.getByLabelText<HTMLInputElement>('Answer time-out').value).toBe('900')
  await browser.click(screen.getByRole('switch', { name: 'Enable Authentication' }))
  await browser.click(screen.getByRole('button', saveEdit))
  expect(await screen.findByText('API updated successfully!')).toBeTruthy()
  expect(server.bodiesOf('PUT /api/apis/:id')).toEqual([
    expect.objectContaining({ name: 'Orders', authentication: false, auth_type: '', version: 3 }),
  ])
})

test('an API that cannot be loaded says so instead of an empty form', async () => {
  watchConsoleErrors()
  renderApp({
    path: editPath,
    answers: { 'GET /api/apis/:id/edit': () => refuse('api.not_found') },
  })
  expect(await screen.findByText('Unable to fetch API details.')).toBeTruthy()
  expect(screen.queryByRole('button', saveEdit)).toBeNull()
})

test('a stored secret is kept unless replaced or cleared, and asked for again where it must be', async () => {
  const { server, browser } = renderApp({
    path: editPath,
    answers: {
      'GET /api/apis/:id/edit': () => [
        buildApiRecord(4, {
          credential: { kind: 'bearer', refused_when: null, has_token: true, scheme: 'Bearer' },
        }),
      ],
      'GET /api/apis/:id/sign-in': () => staticSignIn,
      'PUT /api/apis/:id': () =>
        refuse('request.invalid', { 'credential.token': ['Enter the upstream token again.'] }),
    },
  })
  const field = await screen.findByLabelText<HTMLInputElement>('Token')
  expect(field.placeholder).toBe('Stored, leave blank to keep')
  await browser.click(screen.getByRole('button', saveEdit))
  expect(await screen.findByText('Enter the upstream token again.')).toBeTruthy()
  await waitFor(() => expect(document.activeElement).toBe(field))
  await browser.type(field, 'new token')
  expect(field.value).toBe('new token')
  await browser.click(screen.getByRole('button', saveEdit))

  await waitFor(() => expect(server.bodiesOf('PUT /api/apis/:id')).toHaveLength(2))
  await browser.click(screen.getByRole('combobox', { name: 'Kind of sign-in' }))
  await browser.click(await screen.findByRole('option', { name: 'None' }))
  await browser.click(screen.getByRole('button', saveEdit))
  await waitFor(() => expect(server.bodiesOf('PUT /api/apis/:id')).toHaveLength(3))
  const bearer = { kind: 'bearer', refused_when: null, scheme: 'Bearer' }
  expect(server.bodiesOf('PUT /api/apis/:id')).toEqual([
    expect.objectContaining({ credential: { ...bearer, token: '' } }),
    expect.objectContaining({ credential: { ...bearer, token: 'new token' } }),
    expect.objectContaining({ credential: null }),
  ])
})

test('a save over another user’s change offers to reload the record', async () => {
  const { server, browser } = renderApp({
    path: editPath,
    answers: {
      'GET /api/apis/:id/edit': () => [buildApiRecord(4)],
      'PUT /api/apis/:id': () => refuse('record.changed'),
    },
  })
  await browser.type(await screen.findByLabelText('API Name'), ' of mine')
  server.use({
    'GET /api/apis/:id/edit': () => [buildApiRecord(4, { name: 'Renamed', version: 4 })],
  })
  await browser.click(screen.getByRole('button', saveEdit))
  await screen.findByText('Another user has changed this record')
  // It is offered once the dialog has loaded the newest record.
  await browser.click(await screen.findByRole('button', { name: 'Reload' }))
  await waitFor(() => {
    expect(screen.getByLabelText<HTMLInputElement>('API Name').value).toBe('Renamed')
    expect(screen.queryByText('Another user has changed this record')).toBeNull()
  })
  expect(screen.getByRole('heading', { level: 2, name: 'Renamed' })).toBeTruthy()
})

test('what was typed is not lost by a link without a question', async () => {
  const { browser, address } = renderApp({
    path: createPath,
    answers: { 'GET /api/apis': () => buildPage([]) },
  })
  await browser.type(await screen.findByLabelText('API Name'), 'Orders')
  await browser.click(screen.getByRole('link', { name: 'APIs' }))
  await screen.findByRole('dialog', { name: 'Leave without saving?' })
  await browser.click(screen.getByRole('button', { name: 'Stay' }))
  expect(address()).toBe(createPath)
  expect(screen.getByLabelText<HTMLInputElement>('API Name').value).toBe('Orders')

  await browser.click(screen.getByRole('link', { name: 'APIs' }))
  await browser.click(await screen.findByRole('button', { name: 'Leave' }))
  await waitFor(() => expect(address()).toBe(list))
})
