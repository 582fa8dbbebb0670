import { screen, waitFor } from '@testing-library/react'
import type { TokenDetail } from '@gatehouse/contract'
import { expect, test } from 'vitest'
import { buildToken } from '../../testing/admin-builders.ts'
import { buildPage } from '../../testing/builders.ts'
import { refuse } from '../../testing/fake-server.ts'
import { renderApp } from '../../testing/render-app.tsx'

const orders = { id: 7, name: 'Orders', line: 'Sales · GET /orders' }
const items = { id: 8, name: 'Items', line: 'Sales · GET /items' }
const invoices = { id: 3, name: 'Invoices', line: 'invoices' }

const buildDetail = (changes: Partial<TokenDetail> = {}): TokenDetail => ({
  token: {
    ...buildToken({ is_limited: true }),
    limits: {
      endpoints: [7, 99],
      workflows: [],
      methods: ['GET'],
      client_addresses: { allow: ['10.0.0.0/8'], deny: [] },
      quota: { per_day: 1_000, per_month: null },
    },
    signing_since: null,
    version: 5,
  },
  named: { endpoints: [orders], workflows: [] },
  usage: { today: 12, this_month: 1_900 },
  can_change: true,
  ...changes,
})
const key = 'PUT /api/token/:id/limits'
const answers = {
  'GET /api/token/:id': () => buildDetail(),
  'GET /api/tool-calls': () => ({ calls: [] }),
  'GET /api/token/choices': () => ({ endpoints: [orders, items], workflows: [invoices] }),
  'GET /api/token': () => buildPage([buildToken()]),
  [key]: () => buildDetail(),
}
const path = '/dashboard/admin/personal-token/1'

test('what a token is limited to is shown by name, and saved with its version', async () => {
  const { server, browser } = renderApp({ path, answers })
  expect(await screen.findByText('No agent has called a tool yet.')).toBeTruthy()
  await screen.findByText('Orders')
  // It was deleted: the token stays limited to it.
  expect(screen.getByText('#99')).toBeTruthy()
  expect(screen.getByText('12 of 1,000')).toBeTruthy()
  expect(screen.getByText('1,900')).toBeTruthy()
  await browser.click(screen.getByRole('combobox', { name: 'Endpoints' }))
  await browser.click(await screen.findByRole('option', { name: /Items/ }))
  await browser.click(screen.getByRole('combobox', { name: 'Workflows' }))
  await browser.click(await screen.findByRole('option', { name: /Invoices/ }))
  await browser.type(screen.getByRole('combobox', { name: 'Denied addresses' }), '10.9.9.9,')
  await browser.type(screen.getByRole('textbox', { name: 'Requests per month' }), '50000')
  await browser.click(screen.getByRole('button', { name: 'Save limits' }))
  expect(await screen.findByText('Limits saved.')).toBeTruthy()
  expect(server.bodiesOf(key)).toEqual([
    {
      limits: {
        endpoints: [7, 99, 8],
        workflows: [3],
        methods: ['GET'],
        client_addresses: { allow: ['10.0.0.0/8'], deny: ['10.9.9.9'] },
        quota: { per_day: 1_000, per_month: 50_000 },
      },
      version: 5,
    },
  ])
})

test('a refusal stands under its field', async () => {
  const { browser } = renderApp({
    path,
    answers: {
      ...answers,
      [key]: () =>
        refuse('request.invalid', { 'limits.workflows': ['Choose workflows from the list.'] }),
    },
  })
  await screen.findByText('Orders')
  await browser.click(screen.getByRole('combobox', { name: 'Workflows' }))
  await browser.click(await screen.findByRole('option', { name: /Invoices/ }))
  await browser.click(screen.getByRole('button', { name: 'Save limits' }))
  expect(await screen.findByText('Choose workflows from the list.')).toBeTruthy()
})

test('who could not make the token sees its limits and changes nothing', async () => {
  renderApp({
    path,
    answers: { ...answers, 'GET /api/token/:id': () => buildDetail({ can_change: false }) },
  })
  await screen.findByText('Orders')
  expect(screen.queryByRole('button', { name: 'Save limits' })).toBeNull()
  expect(screen.getByRole<HTMLInputElement>('combobox', { name: 'Endpoints' }).disabled).toBe(true)
})

test('a new token is limited from its first call on', async () => {
  const make = 'POST /admin/token/store'
  const { server, browser } = renderApp({
    path: '/dashboard/admin/personal-token',
    answers: {
      ...answers,
      'GET /api/token/create': () => ({ users: [{ id: 4, name: 'Gateway client' }] }),
      [make]: () => ({ access_token: { ...buildToken(), token: 'ghp_secret' } }),
    },
  })
  await browser.click(await screen.findByText('Limits', { selector: 'summary' }))
  await browser.click(await screen.findByRole('combobox', { name: 'Endpoints' }))
  await browser.click(await screen.findByRole('option', { name: /Orders/ }))
  await browser.click(screen.getByRole('button', { name: 'Generate' }))
  await waitFor(() => expect(server.bodiesOf(make)).toHaveLength(1))
  expect(server.bodiesOf(make)[0]).toMatchObject({
    limits: { endpoints: [7], workflows: [], methods: [], client_addresses: null },
  })
})

test('a signing secret is shown once, then replaced or removed after a question', async () => {
  const makeKey = 'POST /api/token/:id/signing-secret'
  const removeKey = 'DELETE /api/token/:id/signing-secret'
  const { server, browser } = renderApp({
    path,
    answers: {
      ...answers,
      [makeKey]: () => ({ signing_secret: 'ghk_made' }),
      [removeKey]: () => undefined,
    },
  })
  await browser.type(await screen.findByRole('textbox', { name: 'Requests per month' }), '50000')
  await browser.click(screen.getByRole('button', { name: 'Make a signing secret' }))
  await screen.findByDisplayValue('ghk_made')
  await screen.findByText('keyid="1"')
  await browser.click(screen.getByRole('button', { name: 'Remove it' }))
  await browser.click(await screen.findByRole('button', { name: 'Remove' }))
  await screen.findByRole('button', { name: 'Make a signing secret' })
  expect(screen.queryByDisplayValue('ghk_made')).toBeNull()
  expect(server.bodiesOf(removeKey)).toHaveLength(1)
  // What was typed beside it is still there.
  expect(screen.getByDisplayValue('50,000')).toBeTruthy()
})
