import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { TrailEvent } from '@gatehouse/contract'
import { renderApp } from '../../testing/render-app.tsx'

const requestId = '6b66d251-5ec7-4fd9-a0fb-93f2a4eb4765'
const event = (values: Partial<TrailEvent>): TrailEvent => ({
  at: '2026-06-01T08:00:00.000Z',
  source: 'run',
  text: '',
  outcome: '',
  request_id: requestId,
  id: null,
  line: null,
  ...values,
})
const nothingFound = { groups: [], is_too_short: false, searched_since: null, indexed_share: null }

test('what happened about a request is shown in order, and each event leads to its screen', async () => {
  const events = [
    event({ source: 'gateway', text: 'POST /shop/orders', outcome: '200' }),
    event({ source: 'run', text: 'tax INV-77', outcome: 'succeeded', id: 12 }),
    event({
      source: 'run_log',
      text: 'sent',
      line: { file: 'runs/runs-2026-06-01.log', entry: 40 },
    }),
    event({ source: 'delivery', text: 'INV-77 was accepted', id: 3 }),
  ]
  const { server } = renderApp({
    path: `/dashboard/admin/search?q=${requestId}`,
    answers: {
      'GET /api/search': () => nothingFound,
      'GET /api/search/trail': () => ({
        subjects: [{ kind: 'request', name: requestId }],
        events,
        has_more: true,
        left_out: ['audit'],
      }),
    },
  })
  const region = within(await screen.findByRole('region', { name: 'What happened' }))
  const links = region.getAllByRole('link').map((link) => link.getAttribute('href'))
  expect(links).toEqual([
    `/dashboard/admin/gateway-requests?search=${requestId}`,
    '/dashboard/admin/runs/12',
    '/dashboard/admin/logs?l=runs%2Fruns-2026-06-01.log&entry=40',
    '/dashboard/admin/deliveries/3',
  ])
  expect(region.getByText(/did not answer: Audit trail\.$/)).toBeTruthy()
  expect(region.getByText('There is more: these are the newest of each source.')).toBeTruthy()
  expect(server.requests.find(({ key }) => key.endsWith('trail'))?.query).toEqual({ q: requestId })
})

test('nothing is called so: the results stand alone', async () => {
  renderApp({
    path: '/dashboard/admin/search?q=bolts',
    answers: {
      'GET /api/search': () => nothingFound,
      'GET /api/search/trail': () => ({ subjects: [], events: [], has_more: false, left_out: [] }),
    },
  })
  expect(await screen.findByText('Nothing found')).toBeTruthy()
  expect(screen.queryByRole('region', { name: 'What happened' })).toBeNull()
})
