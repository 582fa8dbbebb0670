import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { SeenRequest } from '../../testing/fake-server.ts'
import { buildEntry, buildLogPage } from '../../testing/log-builders.ts'
import { renderApp } from '../../testing/render-app.tsx'

const path = '/dashboard/admin/logs'
const lookedAt = (requests: SeenRequest[]) =>
  requests.filter(({ key }) => key === 'GET /api/logs').map(({ query }) => query)

test('a request id shows what else belongs to the request', async () => {
  const request_id = 'b3b7f0f0-0000-4000-8000-000000000001'
  const { server, browser, address } = renderApp({
    path: `${path}?l=admin%2Fadmin.log&page=3`,
    answers: { 'GET /api/logs': () => buildLogPage([buildEntry({ request_id })]) },
  })
  await browser.click(
    await screen.findByRole('link', { name: `Show entries of request ${request_id}` }),
  )
  await waitFor(() => expect(address()).toBe(`${path}?l=admin%2Fadmin.log&search=${request_id}`))
  expect(lookedAt(server.requests).at(-1)).toEqual({ l: 'admin/admin.log', search: request_id })
  expect(screen.getByRole<HTMLInputElement>('searchbox').value).toBe(request_id)
})

test.each([
  [
    'gateway/gateway-1-2026-06-01.log',
    '/dashboard/admin/gateway-requests?search=r-1&from=2026-06-01T07%3A59%3A00.000Z&to=2026-06-01T08%3A15%3A00.000Z',
  ],
  ['runs/runs-2026-06-01.2.log', `${path}?l=admin%2Fadmin-2026-06-01.log&search=r-1`],
])('a request id in %s leads to where the request is found', async (file, target) => {
  const entry = buildEntry({ request_id: 'r-1', date: '2026-06-01T08:00:00.000Z' })
  const { browser, address } = renderApp({
    path: `${path}?${new URLSearchParams({ l: file }).toString()}`,
    answers: { 'GET /api/logs': () => buildLogPage([entry], { current_file: file }) },
  })
  await browser.click(await screen.findByRole('link', { name: 'Show entries of request r-1' }))
  await waitFor(() => expect(address()).toBe(target))
})

test('each entry has its own link, which asks for its page and marks it', async () => {
  const { server, browser, address } = renderApp({
    path: `${path}?l=admin%2Fadmin.log&level=error`,
    answers: {
      'GET /api/logs': () => buildLogPage([buildEntry(), buildEntry({ id: 40, text: 'Another' })]),
    },
  })
  const row = (await screen.findByText('Another')).closest('tr')
  await browser.click(
    within(row ?? document.body).getByRole('link', { name: /link to this entry/ }),
  )
  await waitFor(() => expect(address()).toBe(`${path}?l=admin%2Fadmin.log&entry=40`))
  expect(lookedAt(server.requests).at(-1)).toEqual({ l: 'admin/admin.log', entry: '40' })
  await waitFor(() =>
    expect(screen.getByText('Another').closest('tr')?.getAttribute('aria-current')).toBe('true'),
  )
})

test('the filter by level asks for the level and those that are worse', async () => {
  const { server, browser } = renderApp({
    path: `${path}?l=admin%2Fadmin.log`,
    answers: { 'GET /api/logs': () => buildLogPage([buildEntry()]) },
  })
  const level = await screen.findByRole('combobox', { name: 'Level' })
  await browser.selectOptions(level, 'Error and worse')
  await waitFor(() =>
    expect(lookedAt(server.requests).at(-1)).toMatchObject({
      level: 'error,critical,alert,emergency',
    }),
  )
  await browser.selectOptions(level, 'All levels')
  await waitFor(() => expect(lookedAt(server.requests).at(-1)).not.toHaveProperty('level'))
})

test('Follow asks again automatically, says what is new and marks it', async () => {
  const first = buildEntry({ id: 10, text: 'First' })
  const { server, browser } = renderApp({
    path: `${path}?l=admin%2Fadmin.log`,
    answers: { 'GET /api/logs': () => buildLogPage([first]) },
  })
  await screen.findByText('First')
  await browser.click(screen.getByRole('checkbox', { name: 'Follow' }))
  server.use({
    'GET /api/logs': () => buildLogPage([buildEntry({ id: 50, text: 'Second' }), first]),
  })
  const second = await screen.findByText('Second')
  expect(second.closest('tr')?.dataset['new']).toBe('true')
  expect(screen.getByText('First').closest('tr')?.dataset['new']).toBeUndefined()
  expect(screen.getByText('1 new entry')).toBeTruthy()
  expect(lookedAt(server.requests).at(-1)).toMatchObject({ follow: 'true' })
})

test('a large file shows its newest entries at once and asks again until it has been read', async () => {
  const { server } = renderApp({
    path: `${path}?l=admin%2Fadmin.log`,
    answers: {
      'GET /api/logs': () =>
        buildLogPage([buildEntry()], {
          total: 1_000,
          last_page: 34,
          reading: { done_bytes: 430, total_bytes: 1_000 },
        }),
    },
  })
  expect(await screen.findByText('Reading the whole file: 43 %')).toBeTruthy()
  expect(screen.getByText('1–1 of about 1,000')).toBeTruthy()
  expect(screen.getByText('It broke.')).toBeTruthy()
  server.use({
    'GET /api/logs': () => buildLogPage([buildEntry()], { total: 1_017, last_page: 34 }),
  })
  expect(await screen.findByText('1–1 of 1,017')).toBeTruthy()
  expect(screen.queryByText(/Reading the whole file/)).toBeNull()
})
