import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { buildPage, buildUser } from '../../testing/builders.ts'
import { renderApp } from '../../testing/render-app.tsx'

const since = new Date(Date.now() - 3 * 3_600_000 - 60_000).toISOString()
const three = () => ({ count: 3, oldest: { run_id: 12, since } })
const answers = {
  'GET /api/apis': () => buildPage([]),
  'GET /api/runs/unknown': three,
}

test('the sidebar shows how many outcomes are unknown, and for how long', async () => {
  renderApp({ path: '/dashboard', answers })
  const menu = within(await screen.findByLabelText('Main'))
  const words = '3 unknown outcomes, the oldest for 3 hours'
  const link = await menu.findByRole('link', { name: `Unclear ${words}` })
  expect(link.textContent).toContain('3')
})

test('while there are none, nothing is shown', async () => {
  const { server } = renderApp({
    path: '/dashboard',
    answers: { ...answers, 'GET /api/runs/unknown': () => ({ count: 0, oldest: null }) },
  })
  await waitFor(() =>
    expect(server.requests.some(({ key }) => key === 'GET /api/runs/unknown')).toBe(true),
  )
  expect(await screen.findByRole('link', { name: 'Unclear' })).toBeTruthy()
  expect(screen.queryByText(/unknown outcome/)).toBeNull()
})

test('a user who may not view runs sees no mark, and none is fetched', async () => {
  const user = buildUser({ permissions: ['dashboard.view', 'tax.view'] })
  const { server } = renderApp({ path: '/dashboard', answers, user })
  await screen.findByRole('link', { name: 'Tax workflow' })
  expect(screen.queryByRole('link', { name: /^Unclear/ })).toBeNull()
  expect(server.requests.some(({ key }) => key === 'GET /api/runs/unknown')).toBe(false)
})
