import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { TrafficAnswer } from '@gatehouse/contract'
import { buildPage } from '../../testing/builders.ts'
import { buildGateway, buildTraffic } from '../../testing/traffic-builders.ts'
import { refuse } from '../../testing/fake-server.ts'
import { renderApp, watchConsoleErrors } from '../../testing/render-app.tsx'

const figures = { requests: 1_234, errors: 12, refused: 3, p50: 3.2, p95: 12, p99: 1_500 }
const endpoint = {
  endpoint_id: 7,
  summery: 'One order',
  api: 'Orders',
  method_type: 'get',
  path: '/orders/orders/{id}',

  ...figures,
}
const traffic: TrafficAnswer = {
  range: 'hour',
  step_seconds: 60,
  series: [{ at: '2026-06-01T08:00:00.000Z', ...figures }],
  totals: {
    ...figures,
    bytes_in: 0,
    bytes_out: 0,
    unmatched: 5,
    cache: { hits: 3, misses: 1, saved_ms: 5_400_000 },
  },
  busiest: [endpoint],
  failing: [{ ...endpoint, endpoint_id: 8, summery: null, path: null }],
  failing_now: [],
  open_breakers: [],
}
const path = '/dashboard/admin/traffic'
const answers = {
  'GET /api/apis': () => buildPage([]),
  'GET /api/traffic': () => traffic,
  'GET /api/gateway': () => buildGateway(),
}

test('the screen shows what went through the gateway, the busiest and the failing endpoints', async () => {
  renderApp({ path, answers })
  await screen.findByText('http://localhost:8080, 1 worker serving, configuration 12')
  const errors = (await screen.findByText('Errors (5xx)', { selector: 'dt' })).nextElementSibling
  expect(errors?.textContent).toBe('120.97 %')
  expect(screen.getByRole('link', { name: 'One order' }).getAttribute('href')).toBe(
    '/dashboard/admin/endpoint/edit/7',
  )
  const valueOf = (label: string) =>
    screen.getByText(label, { selector: 'dt' }).nextElementSibling?.textContent
  expect(valueOf('From the cache')).toBe('375 %')
  expect(valueOf('Time saved by the cache')).toBe('1.5 h')
  expect(screen.getByText('#8, deleted since')).toBeTruthy()
  expect(screen.getByText('5 of them met no endpoint.')).toBeTruthy()
})

test('another span of time is asked for', async () => {
  const { browser, server } = renderApp({ path, answers })
  await browser.click(await screen.findByRole('radio', { name: 'Week' }))
  await screen.findByText('One order')
  expect(server.requests.findLast(({ key }) => key === 'GET /api/traffic')?.query).toEqual({
    range: 'week',
  })
})

test('without requests it says so, and that a change is not in force', async () => {
  const refusal = {
    revision: 13,
    reason: 'Two APIs have one context.',
    at: '2026-06-01T08:00:00.000Z',
  }
  renderApp({
    path,
    answers: {
      ...answers,
      'GET /api/traffic': () => buildTraffic(),
      'GET /api/gateway': () => ({ ...buildGateway(), refusal }),
    },
  })
  await screen.findByText('No requests in the last hour')
  expect((await screen.findByRole('alert')).textContent).toContain('Two APIs have one context.')
})

test('figures that can’t be loaded leave a way to try again', async () => {
  watchConsoleErrors()
  const { browser, server } = renderApp({
    path,
    answers: { ...answers, 'GET /api/traffic': () => refuse('server.failed') },
  })
  await screen.findByText('The traffic could not be loaded.')
  server.use({ 'GET /api/traffic': () => traffic })
  await browser.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await screen.findByText('One order')).toBeTruthy()
})

test('of several servers the workers and requests of all are shown', async () => {
  const all_servers = { gateways: 3, workers: { serving: 11, total: 12 }, in_flight: 7 }
  renderApp({
    path,
    answers: { ...answers, 'GET /api/gateway': () => ({ ...buildGateway(), all_servers }) },
  })
  const line = 'http://localhost:8080, 11 of 12 workers serving on 3 servers, 7 requests now'
  expect(await screen.findByText(line)).toBeTruthy()
})
