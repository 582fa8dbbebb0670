import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { buildToken } from '../../testing/admin-builders.ts'
import { buildPage, buildUser } from '../../testing/builders.ts'
import { refuse } from '../../testing/fake-server.ts'
import { renderApp } from '../../testing/render-app.tsx'

const path = '/dashboard/admin/personal-token'
const generate = { name: 'Generate' }
const owners = [
  { id: 1, name: 'Ada Admin' },
  { id: 4, name: 'Gateway client' },
]
const answers = {
  'GET /api/token/create': () => ({ users: owners }),
  'GET /api/token': () => buildPage([buildToken()]),
}
const created = { access_token: { ...buildToken(), token: 'ghp_secret' } }

const tokenBox = () => screen.findByPlaceholderText<HTMLInputElement>('Token will appear here')

test('Generate asks for user 4, is disabled meanwhile, and shows the token', async () => {
  const { promise, resolve } = Promise.withResolvers<typeof created>()
  const { server, browser } = renderApp({
    path,
    answers: { ...answers, 'POST /admin/token/store': () => promise },
  })
  const field = await tokenBox()
  expect(field.readOnly).toBe(true)
  expect(field.value).toBe('')
  await browser.click(screen.getByRole('button', generate))
  const busy = await screen.findByRole<HTMLButtonElement>('button', { name: 'Generating...' })
  expect(busy.disabled).toBe(true)
  resolve(created)
  expect(await screen.findByDisplayValue('ghp_secret')).toBe(field)
  expect(screen.getByRole<HTMLButtonElement>('button', generate).disabled).toBe(false)
  expect(screen.getByText(/shown this once/)).toBeTruthy()
  expect(server.bodiesOf('POST /admin/token/store')).toEqual([
    { user: 4, name: '', expires_in_days: '365' },
  ])
})

test('name, expiry and for whom go along', async () => {
  const { server, browser } = renderApp({
    path,
    answers: { ...answers, 'POST /admin/token/store': () => created },
  })
  await browser.click(await screen.findByRole('combobox', { name: 'For whom' }))
  await browser.click(await screen.findByRole('option', { name: 'Ada Admin' }))
  await browser.type(screen.getByLabelText('Name'), 'CI')
  await browser.clear(screen.getByLabelText('Expiry in days'))
  await browser.type(screen.getByLabelText('Expiry in days'), '30')
  await browser.click(screen.getByRole('button', generate))
  await screen.findByDisplayValue('ghp_secret')
  expect(server.bodiesOf('POST /admin/token/store')).toEqual([
    { user: 1, name: 'CI', expires_in_days: '30' },
  ])
})

test('a link that names a user offers a token for them', async () => {
  const { server, browser } = renderApp({
    path: `${path}?for=1`,
    answers: { ...answers, 'POST /admin/token/store': () => created },
  })
  const owner = await screen.findByRole<HTMLInputElement>('combobox', { name: 'For whom' })
  await waitFor(() => expect(owner.value).toBe('Ada Admin'))
  await browser.click(screen.getByRole('button', generate))
  await screen.findByDisplayValue('ghp_secret')
  expect(server.bodiesOf('POST /admin/token/store')).toMatchObject([{ user: 1 }])
})

test('a failure says so in the spec’s words, and leaves no earlier token standing', async () => {
  const { server, browser } = renderApp({
    path,
    answers: { ...answers, 'POST /admin/token/store': () => created },
  })
  await browser.click(await screen.findByRole('button', generate))
  await screen.findByDisplayValue('ghp_secret')
  server.use({
    'POST /admin/token/store': () =>
      refuse('request.invalid', { expires_in_days: ['The expiry must be a whole number.'] }),
  })
  await browser.click(screen.getByRole('button', generate))
  expect(await screen.findByText('Error generating token.')).toBeTruthy()
  expect(await screen.findByText('The expiry must be a whole number.')).toBeTruthy()
  expect((await tokenBox()).value).toBe('')
})

test('the list tells states apart, and only a token that still holds can be revoked', async () => {
  const revoked_at = '2026-02-01T00:00:00.000Z'
  const { server, browser } = renderApp({
    path,
    answers: {
      ...answers,
      'GET /api/token': () =>
        buildPage([
          buildToken(),
          buildToken({ id: 2, name: 'Old one', state: 'revoked', revoked_at }),
          buildToken({ id: 3, name: 'Stale one', state: 'expired' }),
        ]),
      'DELETE /api/token/:id': () => undefined,
    },
  })
  const table = within(await screen.findByRole('table', { name: 'Tokens' }))
  expect(
    table.getAllByText(/^(active|revoked|expired)$/).map((badge) => badge.textContent),
  ).toEqual(['active', 'revoked', 'expired'])
  expect(table.queryByRole('button', { name: 'Revoke Old one' })).toBeNull()
  await browser.click(table.getByRole('button', { name: 'Revoke ERP client' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Revoke this token?' }))
  await browser.click(dialog.getByRole('button', { name: 'Revoke token' }))
  expect(await screen.findByText('Token revoked successfully!')).toBeTruthy()
  expect(server.requests.find(({ key }) => key === 'DELETE /api/token/:id')?.params).toEqual({
    id: '1',
  })
})

test.each([
  ['token.create', generate],
  ['token.revoke', { name: /^Revoke/ }],
  ['api-permission.view', { name: /^Access/ }],
])('without %s its button is not there', async (lacking, button) => {
  const permissions = buildUser().permissions.filter((name) => name !== lacking)
  renderApp({ path, user: buildUser({ permissions }), answers })
  await screen.findByRole('table', { name: 'Tokens' })
  expect(screen.queryByRole('button', button)).toBeNull()
})

test('what a token can call is asked for that token', async () => {
  const { server, browser } = renderApp({
    path,
    answers: {
      ...answers,
      'GET /api/access/:subject/:id/endpoints': () => ({
        name: 'ERP client',
        endpoints: [],
        endpoints_count: 0,
        workflows: [],
      }),
    },
  })
  await browser.click(await screen.findByRole('button', { name: 'Access of ERP client' }))
  await waitFor(() =>
    expect(server.requests.find(({ key }) => key.includes(':subject'))?.params).toEqual({
      subject: 'token',
      id: '1',
    }),
  )
})

const checked = {
  url: 'http://localhost:8080/mcp',
  tools: ['sales_orders'],
  has_more: false,
  problem: null,
}

test('a token for an agent has chosen tools, and is shown as working once the gateway was asked with it', async () => {
  const { server, browser } = renderApp({
    path,
    answers: {
      ...answers,
      'GET /api/token/choices': () => ({
        endpoints: [{ id: 7, name: 'Orders', line: 'sales_orders · Sales · GET /orders' }],
        workflows: [],
      }),
      'POST /admin/token/store': () => created,
      'POST /api/token/check-agent': () => ({ ...checked, problem: 'Not yet.' }),
    },
  })
  await browser.click(await screen.findByRole('radio', { name: 'For an agent' }))
  await browser.click(await screen.findByRole('combobox', { name: 'Tools' }))
  await browser.click(await screen.findByRole('option', { name: /Orders/ }))
  await browser.click(screen.getByRole('button', generate))
  expect(await screen.findByText('Not yet.')).toBeTruthy()
  expect(screen.queryByText('Works')).toBeNull()
  expect(server.bodiesOf('POST /admin/token/store')).toMatchObject([
    { user: 4, expires_in_days: '90', is_for_agent: true, limits: { endpoints: [7] } },
  ])
  server.use({ 'POST /api/token/check-agent': () => checked })
  await browser.click(screen.getByRole('button', { name: 'Check again' }))
  expect(await screen.findByText('Works')).toBeTruthy()
  expect(screen.getByText('sales_orders')).toBeTruthy()
  expect(screen.getByText(/"Authorization": "Bearer ghp_secret"/)).toBeTruthy()
  expect(screen.getByText(/inspector --cli http:\/\/localhost:8080\/mcp/)).toBeTruthy()
  expect(server.bodiesOf('POST /api/token/check-agent')).toEqual([
    { token: 'ghp_secret' },
    { token: 'ghp_secret' },
  ])
})
