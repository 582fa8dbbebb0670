import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import type { TryItAnswer } from '@gatehouse/contract'
import { buildToken } from '../../testing/admin-builders.ts'
import { buildApiRecord, buildEndpoint, buildPage, buildUser } from '../../testing/builders.ts'
import { refuse, type Answers } from '../../testing/fake-server.ts'
import { buildGateway } from '../../testing/traffic-builders.ts'
import { renderApp } from '../../testing/render-app.tsx'
import { buildTryItAnswer } from '../../testing/try-it-builders.ts'

const path = '/dashboard/admin/endpoint/edit/7'
const result = buildTryItAnswer()

async function openTryIt(answers: Answers = {}) {
  const endpoint = buildEndpoint({ method_type: 'post' })
  const app = renderApp({
    path,
    answers: {
      'GET /api/endpoint/:id/edit': () => [endpoint, [buildApiRecord(1)]],
      ...answers,
    },
  })
  await app.browser.click(await screen.findByRole('heading', { name: 'Try it' }))
  await screen.findByRole('button', { name: 'Send through the gateway' })
  return app
}

test('a request goes through the gateway and comes back with its stages', async () => {
  const { browser, server } = await openTryIt({ 'POST /api/endpoint/:id/try': () => result })
  expect(screen.getByText(/POST \/orders\/orders\/\{id\}/)).toBeTruthy()
  await browser.type(screen.getByLabelText('{id}'), '7')
  await browser.type(screen.getByLabelText('Query'), 'a=1')
  await browser.click(screen.getByRole('button', { name: 'Send through the gateway' }))
  const refused = (await screen.findByText('client.unauthenticated')).closest('li')
  expect(refused && within(refused).getByText('refused')).toBeTruthy()
  expect(screen.getByText(/0\.40 ms, on configuration 12/)).toBeTruthy()
  expect(screen.getByText('Without a body.')).toBeTruthy()
  expect(server.bodiesOf('POST /api/endpoint/:id/try')).toEqual([
    {
      params: { id: '7' },
      query: 'a=1',
      headers: '',
      body: '',
      token: '',
      as_token: null,
      as_role: null,
    },
  ])
})

test('a refusal is under the field that it is for', async () => {
  const { browser } = await openTryIt({
    'POST /api/endpoint/:id/try': () =>
      refuse('request.invalid', { 'params.id': ['This parameter needs a value.'] }),
  })
  await browser.click(screen.getByRole('button', { name: 'Send through the gateway' }))
  await screen.findByText('Nothing was sent')
  expect(screen.getByLabelText('{id}').getAttribute('aria-invalid')).toBe('true')
})

test('it is hidden from users who may not send', async () => {
  renderApp({
    path,
    user: buildUser({ roles: [], permissions: ['endpoint.view', 'endpoint.edit'] }),
    answers: { 'GET /api/endpoint/:id/edit': () => [buildEndpoint(), [buildApiRecord(1)]] },
  })
  await screen.findByLabelText('Path')
  expect(screen.queryByRole('heading', { name: 'Try it' })).toBeNull()
})

test('a call over HTTP shows no stage of stored procedures', async () => {
  const stage = { started_ms: 0, took_ms: 0.1, code: null, details: {} }
  const { browser } = await openTryIt({
    'POST /api/endpoint/:id/try': () => ({
      ...result,
      trace: {
        revision: 12,
        took_ms: 0.4,
        stages: [
          { ...stage, name: 'procedure', verdict: 'passed' as const },
          { ...stage, name: 'forward', verdict: 'answered' as const },
        ],
      },
    }),
  })
  await browser.type(screen.getByLabelText('{id}'), '7')
  await browser.click(screen.getByRole('button', { name: 'Send through the gateway' }))
  await screen.findByText('Upstream')
  expect(screen.queryByText('Stored procedure')).toBeNull()
})

test('the answer is pretty or raw, and the last tries are kept without the token', async () => {
  const body = '{"total":1.10,"id":7}'
  const { browser } = await openTryIt({
    'POST /api/endpoint/:id/try': () => ({
      ...result,
      answer: { ...result.answer, status: 200, body, body_bytes: body.length },
    }),
    'GET /api/gateway': () => buildGateway(),
  })
  await browser.type(screen.getByLabelText('{id}'), '7')
  await browser.type(screen.getByLabelText('Query'), 'a=1')
  await browser.type(screen.getByLabelText('Personal token'), 'ghp_hidden')
  await browser.click(screen.getByRole('button', { name: 'Send through the gateway' }))
  await browser.click(await screen.findByRole('button', { name: 'Raw' }))
  expect(await screen.findByDisplayValue(body)).toBeTruthy()
  vi.stubGlobal('isSecureContext', true)
  await browser.click(screen.getByRole('button', { name: /^Copy as curl/ }))
  const copied = await navigator.clipboard.readText()
  expect(copied).toContain('"Authorization: Bearer $TOKEN"')
  expect(copied).not.toContain('ghp_hidden')
  expect(localStorage.getItem('gatehouse.tries-1') ?? '').toContain('a=1')
  expect(JSON.stringify({ ...localStorage })).not.toContain('ghp_hidden')
  await browser.clear(screen.getByLabelText('{id}'))
  await browser.click(screen.getByText('Last tries (1)'))
  await browser.click(await screen.findByRole('button', { name: /now|ago/ }))
  expect(screen.getByLabelText<HTMLInputElement>('{id}').value).toBe('7')
  expect(screen.getByLabelText<HTMLInputElement>('Query').value).toBe('a=1')
})

const clientToken = buildToken({
  id: 12,
  name: 'Till 4',
  user: { id: 5, name: 'Shop' },
  ending: 'a1b2',
})

test('it is tried as a client whose token is chosen by name, and never pasted', async () => {
  const { browser, server } = await openTryIt({
    'POST /api/endpoint/:id/try': () => result,
    'GET /api/token': () => buildPage([clientToken, { ...clientToken, id: 13, state: 'revoked' }]),
  })
  await browser.type(screen.getByLabelText('{id}'), '7')
  await browser.type(screen.getByLabelText('Personal token'), 'ghp_typed')
  await browser.click(screen.getByRole('combobox', { name: 'As client' }))
  await screen.findByRole('option', { name: 'Shop · Till 4 …a1b2 (revoked)' })
  await browser.click(await screen.findByRole('option', { name: 'Shop · Till 4 …a1b2' }))
  expect(screen.queryByLabelText('Personal token')).toBeNull()
  await browser.click(screen.getByRole('button', { name: 'Send through the gateway' }))
  await screen.findByText('client.unauthenticated')
  expect(server.bodiesOf('POST /api/endpoint/:id/try')).toMatchObject([{ token: '', as_token: 12 }])
  await browser.click(screen.getByLabelText('Choose no client'))
  expect(screen.getByLabelText<HTMLInputElement>('Personal token').value).toBe('')
})

test('it is tried as a client with a chosen role, instead of a token', async () => {
  const { browser, server } = await openTryIt({
    'POST /api/endpoint/:id/try': () => result,
    'GET /api/token': () => buildPage([clientToken]),
    'GET /api/role': () =>
      buildPage([{ id: 3, name: 'Cashier', users_count: 1, permissions_count: 0 }]),
  })
  await browser.type(screen.getByLabelText('{id}'), '7')
  await browser.click(screen.getByRole('combobox', { name: 'As client' }))
  await browser.click(await screen.findByRole('option', { name: 'Shop · Till 4 …a1b2' }))
  await browser.click(screen.getByRole('combobox', { name: 'As role' }))
  await browser.click(await screen.findByRole('option', { name: 'Cashier' }))
  expect(screen.queryByLabelText('Personal token')).toBeNull()
  await browser.click(screen.getByRole('button', { name: 'Send through the gateway' }))
  await screen.findByText('client.unauthenticated')
  expect(server.bodiesOf('POST /api/endpoint/:id/try')).toMatchObject([
    { token: '', as_token: null, as_role: 3 },
  ])
})

test('only users who may make tokens choose a client, and a role who may for any user', async () => {
  const { browser } = renderApp({
    path,
    user: buildUser({
      roles: [],
      permissions: ['endpoint.view', 'endpoint.edit', 'request.send', 'token.view', 'role.view'],
    }),
    answers: { 'GET /api/endpoint/:id/edit': () => [buildEndpoint(), [buildApiRecord(1)]] },
  })
  await browser.click(await screen.findByRole('heading', { name: 'Try it' }))
  await screen.findByLabelText('Personal token')
  expect(screen.queryByRole('combobox', { name: 'As client' })).toBeNull()
  expect(screen.queryByRole('combobox', { name: 'As role' })).toBeNull()
})

describe('what is in the form and not saved', () => {
  const send = () => screen.getByRole('button', { name: 'Send through the gateway' })

  test('is sent with the try, and not saved', async () => {
    const { browser, server } = await openTryIt({
      'POST /api/endpoint/:id/try-changes': () => result,
    })
    await browser.type(screen.getByLabelText('Path'), '/lines')
    await screen.findByText(/not yet saved: POST \/orders\/orders\/\{id\}\/lines/)
    await browser.type(screen.getByLabelText('{id}'), '7')
    await browser.click(send())
    await screen.findByText('client.unauthenticated')
    expect(server.bodiesOf('POST /api/endpoint/:id/try-changes')).toMatchObject([
      { params: { id: '7' }, definition: { path: '/orders/{id}/lines', version: 2 } },
    ])
    expect(server.bodiesOf('PUT /api/endpoint/:id')).toEqual([])
  })

  test('shows a refusal under the field of the form', async () => {
    const { browser } = await openTryIt({
      'POST /api/endpoint/:id/try-changes': () =>
        refuse('request.invalid', {
          'definition.path': ['This API already has an endpoint with this method and path.'],
        }),
    })
    await browser.type(screen.getByLabelText('Path'), 'x')
    await browser.click(send())
    await screen.findByText(/could not be saved like this/)
    const path = screen.getByLabelText('Path')
    expect(path.getAttribute('aria-invalid')).toBe('true')
    await waitFor(() => expect(document.activeElement).toBe(path))
  })

  test('may be an endpoint that is new, whose access is explained', async () => {
    const { browser, server } = renderApp({
      path: '/dashboard/admin/endpoint/create',
      answers: {
        'GET /api/endpoint/create': () => [[buildApiRecord(1)]],
        'POST /api/endpoint/try': () => refusedForAccess,
      },
    })
    await browser.type(await screen.findByLabelText('Path'), '/new')
    await browser.click(screen.getByRole('heading', { name: 'Try it' }))
    await browser.click(send())
    await screen.findByText(/only the token of a Super Admin is let in/)
    expect(server.bodiesOf('POST /api/endpoint/try')).toMatchObject([
      { definition: { path: '/new', method_type: 'get' } },
    ])
  })

  test('is not offered where the user could not give access to it', async () => {
    renderApp({
      path: '/dashboard/admin/endpoint/create',
      user: buildUser({ roles: [], permissions: ['endpoint.create', 'request.send'] }),
      answers: { 'GET /api/endpoint/create': () => [[buildApiRecord(1)]] },
    })
    await screen.findByLabelText('Path')
    expect(screen.queryByRole('heading', { name: 'Try it' })).toBeNull()
  })
})

const refusedForAccess: TryItAnswer = {
  ...result,
  trace: {
    revision: 12,
    took_ms: 0.4,
    stages: [
      {
        name: 'authenticate',
        verdict: 'passed',
        started_ms: 0,
        took_ms: 0.1,
        code: null,
        details: { token_id: 12 },
      },
      {
        name: 'authorize',
        verdict: 'refused',
        started_ms: 0.1,
        took_ms: 0.1,
        code: 'client.access_denied',
        details: {},
      },
    ],
  },
}
