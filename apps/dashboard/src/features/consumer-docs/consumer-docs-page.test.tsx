import { screen, within } from '@testing-library/react'
import type { ConsumerDocs } from '@gatehouse/contract'
import { expect, test } from 'vitest'
import { buildUser } from '../../testing/builders.ts'
import { refuse } from '../../testing/fake-server.ts'
import { renderApp } from '../../testing/render-app.tsx'

const path = '/dashboard/admin/api-docs'
const endpoint = (name: string) => ({
  method_type: 'get' as const,
  path: `/${name}/{id}`,
  url: `https://gw.example/shop/${name}/{id}`,
  summery: `Read ${name}`,
  description: '',
  parameters: [],
  requires_token: true,
  answers: null,
})
const docs = (...names: string[]): ConsumerDocs => ({
  title: 'All APIs',
  gateway_url: 'https://gw.example',
  apis:
    names.length === 0
      ? []
      : [
          {
            name: 'Shop',
            context: 'shop',
            is_internal: true,
            key_header: null,
            takes_jwts: false,
            is_signed: false,
            asks_certificate: false,
            rate_limit: { requests: 5, window_seconds: 60 },
            endpoints: names.map(endpoint),
          },
        ],
})
const role = { id: 7, name: 'Till', endpoints_count: 1, shared: null }
const roles = (more = {}) => ({ sees_all: true, roles: [{ ...role, ...more }] })

test('shows each endpoint with its address, its parameters and a call, and finds by words', async () => {
  const { browser } = renderApp({
    path,
    answers: {
      'GET /api/consumer-docs/roles': () => roles(),
      'GET /api/consumer-docs': () => docs('orders', 'items'),
    },
  })
  const table = await screen.findByRole('table', { name: 'Parameters of Read orders' })
  expect(within(table).getByText('id')).toBeTruthy()
  expect(screen.getByText('https://gw.example/shop/orders/{id}')).toBeTruthy()
  expect(screen.getByText(/only be called from internal.*At most 5 requests in 60/)).toBeTruthy()
  expect(screen.getByText(/does not fit what the endpoint takes: “errors” names/)).toBeTruthy()
  await browser.type(screen.getByLabelText('Find an endpoint'), 'read items')
  expect(await screen.findByText(/1 endpoint found/)).toBeTruthy()
  expect(screen.queryByText('Read orders')).toBeNull()
})

test('says which header takes the token, and how calls are signed', async () => {
  const served = docs('orders')
  const [shop] = served.apis
  const apis = [
    { ...shop!, key_header: 'X-Shop-Key' },
    { ...shop!, name: 'Ledger', context: 'ledger', is_signed: true, asks_certificate: true },
  ]
  renderApp({
    path,
    answers: {
      'GET /api/consumer-docs/roles': () => roles(),
      'GET /api/consumer-docs': () => ({ ...served, apis }),
    },
  })
  expect(await screen.findByText('X-Shop-Key')).toBeTruthy()
  expect(screen.getByText(/shows a client certificate/)).toBeTruthy()
  expect(screen.getByText('Authorization: Bearer ghp_…')).toBeTruthy()
  expect(screen.getByText(/^Signature-Input: sig=/)).toBeTruthy()
  const [token, signed] = screen.getAllByLabelText('Read orders in curl')
  expect(token?.textContent).toContain('Bearer')
  expect(signed?.textContent).toContain("'Signature: {Signature}'")
  expect(signed?.textContent).not.toContain('Bearer')
})

test.each([true, false])('says whether JWTs count: %s', async (takes_jwts) => {
  const served = docs('orders')
  renderApp({
    path,
    answers: {
      'GET /api/consumer-docs/roles': () => roles(),
      'GET /api/consumer-docs': () => ({ ...served, apis: [{ ...served.apis[0]!, takes_jwts }] }),
    },
  })
  await screen.findByText('Authorization: Bearer ghp_…')
  expect(screen.queryAllByText(/A JWT of a login that the gateway trusts/)).toHaveLength(
    takes_jwts ? 1 : 0,
  )
})

test('a user without endpoint.view gets the docs of their role', async () => {
  const { server } = renderApp({
    path,
    user: buildUser({ permissions: [] }),
    answers: {
      'GET /api/consumer-docs/roles': () => ({ ...roles(), sees_all: false }),
      'GET /api/consumer-docs': () => docs(),
    },
  })
  expect(await screen.findByText(/This role has access to no endpoint/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Share' })).toBeNull()
  const asked = server.requests.filter(({ key }) => key === 'GET /api/consumer-docs')
  expect(asked.map(({ query }) => query)).toEqual([{ role_id: '7' }])
})

test('a refusal is shown with its reason', async () => {
  renderApp({
    path,
    answers: {
      'GET /api/consumer-docs/roles': () => roles(),
      'GET /api/consumer-docs': () => refuse('api.not_found'),
    },
  })
  expect(await screen.findByText('The docs could not be loaded.')).toBeTruthy()
})

test('a link is shown once, with its secret behind the hash', async () => {
  let shared: typeof role.shared | { at: string; by: string } = null
  const { browser } = renderApp({
    path: `${path}?role=7`,
    answers: {
      'GET /api/consumer-docs/roles': () => roles({ shared }),
      'GET /api/consumer-docs': () => docs('orders'),
      'POST /api/consumer-docs/roles/:id/link': () => {
        shared = { at: '2026-11-30T10:00:00.000Z', by: 'Ada' }
        return { link: 'secret-link' }
      },
    },
  })
  await browser.click(await screen.findByRole('button', { name: 'Share' }))
  await browser.click(await screen.findByRole('button', { name: 'Make a link' }))
  expect(await screen.findByText(/\/dashboard\/docs#secret-link$/)).toBeTruthy()
  expect(await screen.findByRole('button', { name: 'End link' })).toBeTruthy()
})

test('a link is opened without an account, and sends its secret in the body alone', async () => {
  const { server } = renderApp({
    path: '/dashboard/docs#secret-link',
    user: null,
    answers: { 'POST /api/consumer-docs/shared': () => docs('orders') },
  })
  expect(await screen.findByText('Read orders')).toBeTruthy()
  expect(server.bodiesOf('POST /api/consumer-docs/shared')).toEqual([{ link: 'secret-link' }])
  expect(screen.queryByRole('navigation')).toBeNull()
})
