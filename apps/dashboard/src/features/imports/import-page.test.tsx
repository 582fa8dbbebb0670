import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { buildToken } from '../../testing/admin-builders.ts'
import { buildPage } from '../../testing/builders.ts'
import { buildFirstSteps } from '../../testing/first-steps-builders.ts'
import { renderApp } from '../../testing/render-app.tsx'
import type { Imported, Preview, PreviewApi } from './import-queries.ts'

const keys = ['GET /orders', 'POST /orders'] as const
const callers = { is_token_required: true, roles_count: 0 }

const existing = (id: number, name: string): PreviewApi['existing'][number] => ({
  id,
  name,
  api_access: 'externally',
  operations: [
    {
      key: keys[0],
      action: 'left',
      changes: [],
      endpoint_id: 7,
      is_token_required: false,
      roles_count: 0,
    },
    {
      key: keys[1],
      action: 'update',
      changes: ['summery'],
      endpoint_id: 8,
      is_token_required: true,
      roles_count: 2,
    },
  ],
})

const previewOf = (changes: Partial<PreviewApi> = {}): Preview => ({
  format: 'openapi',
  version: '3.1.0',
  title: 'Orders',
  notes: [],
  apis: [
    {
      key: 'https://orders.example.com',
      name: 'Orders 2',
      api_url: 'https://orders.example.com',
      description: '',
      operations: keys.map((key) => ({
        key,
        method_type: key.startsWith('GET') ? 'get' : 'post',
        path: '/orders',
        summery: key,
        description: '',
        parameters: [],
        pointer: '',
        line: null,
      })),
      existing: [],
      ...changes,
    },
  ],
})

const consumer = { id: 5, name: 'API Consumer' }
const roles = [{ id: 1, name: 'Super Admin' }, consumer].map((role) => ({
  ...role,
  permissions_count: 0,
  users_count: 1,
}))

const made: Imported = {
  apis: [{ id: 4, name: 'Orders', action: 'left', api_access: 'externally' }],
  endpoints: [
    { id: 7, api_id: 4, key: keys[0], action: 'left', is_token_required: false, roles_count: 0 },
    { id: 8, api_id: 4, key: keys[1], action: 'update', ...callers },
  ],
}

async function openPreview(preview: Preview, result: Imported = made) {
  const app = renderApp({
    path: '/dashboard/admin/api/import',
    answers: {
      'POST /api/import/preview': () => preview,
      'POST /api/import': () => result,
      'GET /api/role': () => buildPage(roles),
      'GET /api/first-steps': () => buildFirstSteps({ client_role: consumer }),
    },
  })
  await app.browser.type(
    await screen.findByRole('textbox', { name: 'URL, curl command or document' }),
    'a document',
  )
  await app.browser.click(screen.getByRole('button', { name: 'Continue' }))
  return app
}

const outcomes = () =>
  within(screen.getByRole('list', { name: /^Operations of/ }))
    .getAllByRole('listitem')
    .map((item) => item.lastElementChild?.textContent)

test('an API that has the base URL is offered beside a new one, and each operation says who may call it', async () => {
  const { server, browser } = await openPreview(previewOf({ existing: [existing(4, 'Orders')] }))
  await screen.findByRole('list', { name: /^Operations of/ })
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Orders' }).checked).toBe(true)
  expect(outcomes()).toEqual([
    'there alreadyanyone: no token is asked for',
    'changes summarywith a token: 2 roles',
  ])
  expect(screen.queryByRole('textbox', { name: 'Base URL' })).toBeNull()

  await browser.click(screen.getByRole('radio', { name: 'A new API' }))
  expect(outcomes()).toEqual(['newwith a token: no role yet', 'newwith a token: no role yet'])
  await browser.click(screen.getByRole('button', { name: 'Import 2 endpoints' }))
  await screen.findByText('Imported')
  expect(server.bodiesOf('POST /api/import')).toEqual([
    {
      document: 'a document',
      roles: [],
      takes_sign_in: false,
      apis: [
        {
          key: 'https://orders.example.com',
          api_id: null,
          name: 'Orders 2',
          api_url: 'https://orders.example.com',
          operations: [...keys],
        },
      ],
    },
  ])
})

test('the result says who may call each endpoint, and leads to the access of the API by role', async () => {
  const { browser } = await openPreview(previewOf())
  await browser.click(await screen.findByRole('button', { name: 'Import 2 endpoints' }))
  const note = within(await screen.findByRole('note'))
  expect(note.getByText(/^Anyone may call 1 of them/).textContent).toBe(
    'Anyone may call 1 of them: no token is asked for. No role has access yet to 1 of them. Any network may call them.',
  )
  const list = within(note.getByRole('list', { name: 'Endpoints of Orders' }))
  expect(list.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'GET /ordersanyone: no token is asked for',
    'POST /orderswith a token: no role yet',
  ])
  expect(note.getByRole('link', { name: 'Access to Orders by role' }).getAttribute('href')).toBe(
    '/dashboard/admin/apis/4/access?by=roles',
  )
})

test('a base URL that is entered is looked up, and what has it is offered', async () => {
  const { server, browser } = await openPreview(previewOf({ api_url: '' }))
  server.use({
    'POST /api/import/preview': () =>
      previewOf({ api_url: 'https://stock.example.com', existing: [existing(5, 'Stock')] }),
  })
  const url = await screen.findByRole('textbox', { name: 'Base URL' })
  await browser.clear(url)
  await browser.type(url, 'https://stock.example.com')
  await browser.tab()
  await screen.findByRole('radio', { name: 'Stock' })
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'A new API' }).checked).toBe(true)
  expect(server.bodiesOf('POST /api/import/preview').at(-1)).toEqual({
    document: 'a document',
    api_urls: { 'https://orders.example.com': 'https://stock.example.com' },
  })
  await browser.click(screen.getByRole('radio', { name: 'Stock' }))
  await browser.click(screen.getByRole('button', { name: 'Import 1 endpoint' }))
  await waitFor(() =>
    expect(server.bodiesOf('POST /api/import')).toMatchObject([
      { apis: [{ api_id: 5, operations: ['POST /orders'] }] },
    ]),
  )
})

const commandPreview = (changes: Partial<Preview> = {}): Preview => {
  const preview = previewOf()
  const [api] = preview.apis
  return {
    ...preview,
    format: 'curl',
    version: '',
    apis: [{ ...api!, operations: api!.operations.slice(0, 1) }],
    ...changes,
  }
}

const madeOne: Imported = {
  apis: [{ id: 4, name: 'Orders 2', action: 'create', api_access: 'internally' }],
  endpoints: [{ id: 7, api_id: 4, key: keys[0], action: 'create', ...callers, roles_count: 1 }],
}

const answered = {
  request: { method: 'GET', url: 'http://127.0.0.1:7501/orders?page=1' },
  answer: { status: 200, headers: [], body: '{"ours":true}', body_bytes: 13, is_whole: true },
  took_ms: 4,
  request_id: null,
  trace: null,
}

test('a command becomes an endpoint that the gateway client may call, and its first call is one press', async () => {
  const { server, browser } = await openPreview(
    commandPreview({
      sign_in: 'bearer',
      answer: { status: 200, problem: null, took_ms: 3, content_type: 'text/plain', body: 'Ours' },
      call: { query: 'page=1', body: '', content_type: '' },
    }),
    madeOne,
  )
  server.use({
    'POST /admin/token/store': () => ({
      access_token: { ...buildToken(), token: 'gh_new' },
    }),
    'POST /api/endpoint/:id/try': () => answered,
  })
  await screen.findByText('Ours')
  const consumerBox = await screen.findByRole<HTMLInputElement>('checkbox', { name: consumer.name })
  await waitFor(() => expect(consumerBox.checked).toBe(true))
  expect(screen.queryByRole('checkbox', { name: 'Super Admin' })).toBeNull()
  await browser.click(screen.getByRole('button', { name: 'Create it' }))
  await browser.click(await screen.findByRole('button', { name: 'Generate a token and call it' }))
  await screen.findByText('{"ours":true}')
  screen.getByText('gh_new')
  expect(server.bodiesOf('POST /api/import')).toMatchObject([
    { roles: [consumer.id], takes_sign_in: true },
  ])
  expect(server.bodiesOf('POST /api/endpoint/:id/try')).toEqual([
    { token: 'gh_new', query: 'page=1' },
  ])
})

test('an address that does not answer says why, and the sign-in can be left out', async () => {
  const { server, browser } = await openPreview(
    commandPreview({
      sign_in: 'headers',
      answer: { status: null, problem: 'No route to it.', took_ms: 9, content_type: '', body: '' },
    }),
    madeOne,
  )
  await screen.findByText('No route to it.')
  await browser.click(screen.getByLabelText(/^Sign in with what the command holds/))
  await browser.click(await screen.findByRole('checkbox', { name: consumer.name, checked: true }))
  await browser.click(screen.getByRole('button', { name: 'Create it' }))
  await screen.findByText('Imported')
  expect(server.bodiesOf('POST /api/import')).toMatchObject([{ roles: [], takes_sign_in: false }])
  screen.getByRole('link', { name: 'token' })
})
