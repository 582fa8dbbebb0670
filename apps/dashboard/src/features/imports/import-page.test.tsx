import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
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

const made: Imported = {
  apis: [{ id: 4, name: 'Orders', action: 'left', api_access: 'externally' }],
  endpoints: [
    { id: 7, api_id: 4, key: keys[0], action: 'left', is_token_required: false, roles_count: 0 },
    { id: 8, api_id: 4, key: keys[1], action: 'update', ...callers },
  ],
}

async function openPreview(preview: Preview) {
  const app = renderApp({
    path: '/dashboard/admin/api/import',
    answers: { 'POST /api/import/preview': () => preview, 'POST /api/import': () => made },
  })
  await app.browser.click(await screen.findByText('Paste it instead'))
  await app.browser.type(screen.getByRole('textbox', { name: 'Document' }), 'a document')
  await app.browser.click(screen.getByRole('button', { name: 'Preview' }))
  await screen.findByRole('list', { name: /^Operations of/ })
  return app
}

const outcomes = () =>
  within(screen.getByRole('list', { name: /^Operations of/ }))
    .getAllByRole('listitem')
    .map((item) => item.lastElementChild?.textContent)

test('an API that has the base URL is offered beside a new one, and each operation says who may call it', async () => {
  const { server, browser } = await openPreview(previewOf({ existing: [existing(4, 'Orders')] }))
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
  await browser.click(screen.getByRole('button', { name: 'Import 2 endpoints' }))
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
  const url = screen.getByRole('textbox', { name: 'Base URL' })
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
