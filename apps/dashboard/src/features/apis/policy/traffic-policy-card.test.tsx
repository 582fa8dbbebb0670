import { screen, waitFor } from '@testing-library/react'
import { noTrafficPolicy } from '@gatehouse/contract'
import { expect, test } from 'vitest'
import { buildApiRecord } from '../../../testing/builders.ts'
import { refuse } from '../../../testing/fake-server.ts'
import { renderApp } from '../../../testing/render-app.tsx'
// The screens load lazily: here already, so that no wait has to last through it.
import '../form/api-create-page.tsx'
import '../form/api-settings.tsx'
import './policy-fields.tsx'
import { formatExactBytes } from '../../../lib/format/format-bytes.ts'

const createPath = '/dashboard/admin/api/create'
const editPath = '/dashboard/admin/api/edit/4'
const save = { name: 'Create API' }
const allOffLine = 'All off: requests are passed on as they come.'

async function open(browser: ReturnType<typeof renderApp>['browser']) {
  await browser.click(await screen.findByText('Traffic policy'))
  await screen.findByRole('switch', { name: 'Rate limit' })
}

test('it is closed and all off on a new API, and then sends null', async () => {
  const { server, browser } = renderApp({
    path: createPath,
    answers: { 'POST /api/apis': () => buildApiRecord(4) },
  })
  await screen.findByText(allOffLine)
  expect(screen.queryByRole('switch', { name: 'Rate limit' })).toBeNull()
  await browser.click(screen.getByRole('button', save))
  await screen.findByText('API created successfully!')
  expect(server.bodiesOf('POST /api/apis')).toEqual([
    expect.objectContaining({ traffic_policy: null }),
  ])
})

test('each part is a switch that shows its fields; what is on is in the summary line and sent', async () => {
  const { server, browser } = renderApp({
    path: createPath,
    answers: { 'POST /api/apis': () => buildApiRecord(4) },
  })
  await open(browser)
  expect(screen.queryByLabelText('Requests')).toBeNull()
  await browser.click(screen.getByRole('switch', { name: 'Rate limit' }))
  const requests = screen.getByLabelText('Requests')
  await browser.type(requests, '0')
  await browser.click(screen.getByRole('switch', { name: 'CORS' }))
  await browser.click(screen.getByRole('combobox', { name: 'Origins' }))
  await browser.paste('https://a.test')
  await browser.keyboard('{Enter}')
  await browser.click(screen.getByRole('switch', { name: 'Several base URLs' }))
  await browser.click(screen.getByLabelText('Other base URL 1'))
  await browser.paste('https://b.test')
  await browser.click(screen.getByRole('button', { name: 'Add a base URL' }))
  await browser.click(screen.getByRole('switch', { name: 'Health check' }))
  screen.getByText('1000 requests in 60 s per token · CORS for 1 origin · 3 base URLs')
  await browser.click(screen.getByRole('button', { name: 'Remove other base URL 2' }))

  await browser.click(screen.getByRole('button', save))
  await screen.findByText('API created successfully!')
  const [body] = server.bodiesOf('POST /api/apis')
  expect(body).toMatchObject({
    traffic_policy: {
      rate_limit: { requests: '1000', window_seconds: '60', per: 'token' },
      cors: { origins: ['https://a.test'], allow_credentials: false },
      targets: {
        others: [{ url: 'https://b.test', weight: '1' }],
        health_check: { path: '/health' },
      },
      retries: null,
      max_body_bytes: null,
    },
  })
  expect(body).not.toHaveProperty('traffic_policy_on')
})

test('the header of API keys begins with a usual name', async () => {
  const { server, browser } = renderApp({
    path: createPath,
    answers: { 'POST /api/apis': () => buildApiRecord(4) },
  })
  await open(browser)
  await browser.click(screen.getByRole('switch', { name: 'API key in a header' }))
  await browser.type(screen.getByLabelText('Header'), '-2')
  screen.getByText('API key in X-API-Key-2')
  await browser.click(screen.getByRole('button', save))
  await screen.findByText('API created successfully!')
  expect(server.bodiesOf('POST /api/apis')[0]).toMatchObject({
    traffic_policy: { api_key: { header: 'X-API-Key-2' }, rate_limit: null },
  })
})

test('a stored policy fills the fields, sizes in their unit', async () => {
  const { browser } = renderApp({
    path: editPath,
    answers: {
      'GET /api/apis/:id/edit': () => [
        buildApiRecord(4, {
          traffic_policy: {
            ...noTrafficPolicy,
            max_body_bytes: 10_485_760,
            retries: { attempts: 1, backoff_ms: 40 },
          },
        }),
      ],
    },
  })
  await screen.findByText('Bodies up to 10 MiB · 1 retry')
  await open(browser)
  expect(screen.getByLabelText<HTMLInputElement>('At most').value).toBe('10 MiB')
  expect(screen.getByLabelText<HTMLInputElement>('First pause up to (ms)').value).toBe('40')
  expect(screen.getByRole<HTMLInputElement>('switch', { name: 'Retries' }).checked).toBe(true)
  expect(screen.getByRole<HTMLInputElement>('switch', { name: 'CORS' }).checked).toBe(false)
})

test('a message for a field in it opens it and is under that field', async () => {
  const { browser } = renderApp({
    path: editPath,
    answers: {
      'GET /api/apis/:id/edit': () => [
        buildApiRecord(4, {
          traffic_policy: {
            ...noTrafficPolicy,
            targets: {
              own_weight: 1,
              others: [{ url: 'http://169.254.169.254', weight: 1 }],
              health_check: null,
            },
          },
        }),
      ],
      'PUT /api/apis/:id': () =>
        refuse('request.invalid', {
          'traffic_policy.targets.others.0.url': ['This address can’t be used.'],
        }),
    },
  })
  await browser.click(await screen.findByRole('button', { name: 'Save' }))
  await screen.findByText('This address can’t be used.')
  const field = screen.getByLabelText('Other base URL 1')
  expect(field.getAttribute('aria-invalid')).toBe('true')
  await waitFor(() => expect(document.activeElement).toBe(field))
  // Under its field alone, not among the messages for no field.
  expect(screen.getAllByText('This address can’t be used.')).toHaveLength(1)
})

test('for a stored procedure the card says what does not apply', async () => {
  const { browser } = renderApp({ path: createPath })
  await open(browser)
  expect(screen.getByRole('switch', { name: 'Retries' })).toBeTruthy()
  await browser.click(screen.getByRole('radio', { name: 'Stored Procedure' }))
  expect(screen.queryByRole('switch', { name: 'Retries' })).toBeNull()
  expect(screen.getByRole('switch', { name: 'Rate limit' })).toBeTruthy()
  expect(screen.getByText(/do not apply to stored procedures/)).toBeTruthy()
})

test.each([
  [0, '0 B'],
  [1_500, '1500 B'],
  [10_000, '10 KB'],
  [524_288, '512 KiB'],
  [10_000_000, '10 MB'],
  [1_073_741_824, '1 GiB'],
])('%i bytes are typed as %s', (bytes, typed) => {
  expect(formatExactBytes(bytes)).toBe(typed)
})
