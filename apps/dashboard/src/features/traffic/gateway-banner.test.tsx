import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { buildApiRecord, buildApiRow, buildPage } from '../../testing/builders.ts'
import { renderApp } from '../../testing/render-app.tsx'
import { buildGateway } from '../../testing/traffic-builders.ts'

const list = '/dashboard/admin/apis'
const refusal = {
  revision: 13,
  reason: 'No worker has taken it over so far.',
  at: '2026-06-01T08:00:00.000Z',
}
const faults = [{ api_id: 4, name: 'Orders', fault: 'upstream_token' as const }]
const brokenRow = { ...buildApiRow(4, { name: 'Orders' }), fault: 'upstream_token' as const }

test('every page shows that the last change is not in force', async () => {
  renderApp({
    path: list,
    answers: {
      'GET /api/apis': () => buildPage([]),
      'GET /api/gateway': () => ({ ...buildGateway(), refusal }),
    },
  })
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toContain('The last change is not in force')
  expect(alert.textContent).toContain(
    'No worker has taken it over so far. Configuration 13 was refused on ',
  )
  expect(alert.textContent).toContain('The gateway keeps configuration 12')
  const time = within(alert).getByText(/2026/, { selector: 'time' })
  expect(time.getAttribute('datetime')).toBe(refusal.at)
  const zone = new Intl.DateTimeFormat(undefined, { timeZoneName: 'short' })
    .formatToParts(new Date(refusal.at))
    .find(({ type }) => type === 'timeZoneName')
  expect(time.textContent).toContain(zone?.value)
})

test('an API that can’t be read is named on every page, and marked in the list', async () => {
  renderApp({
    path: list,
    answers: {
      'GET /api/apis': () => buildPage([brokenRow]),
      'GET /api/gateway': () => ({ ...buildGateway(), faults }),
    },
  })
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toContain('Orders: its upstream token can’t be opened.')
  const link = within(alert).getByRole('link', { name: 'Orders' })
  expect(link.getAttribute('href')).toBe('/dashboard/admin/api/edit/4')
  expect(await screen.findByText('not served')).toBeTruthy()
})

test('its form says what mends it', async () => {
  renderApp({
    path: '/dashboard/admin/api/edit/4',
    answers: {
      'GET /api/apis/:id/edit': () => [{ ...buildApiRecord(4), fault: 'upstream_token' }],
    },
  })
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toContain('Enter the upstream token again')
})

test('a change that is saved but not in force is a success with a warning', async () => {
  const message = `Saved, but not in force yet: ${refusal.reason}`
  const { browser } = renderApp({
    path: list,
    answers: {
      'GET /api/apis': () => buildPage([buildApiRow(4, { name: 'Orders' })]),
      'DELETE /api/apis/:id': () =>
        Response.json({ message, code: 'gateway.not_in_force', saved: null }, { status: 503 }),
    },
  })
  await browser.click(await screen.findByRole('button', { name: /delete.*orders/i }))
  await browser.click(await screen.findByRole('button', { name: 'Delete API' }))
  expect(await screen.findByText(message)).toBeTruthy()
  expect(await screen.findByText('API deleted successfully!')).toBeTruthy()
})
