import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { buildPage } from '../../testing/builders.ts'
import { renderApp } from '../../testing/render-app.tsx'

const list = '/dashboard/admin/apis'
const hold = {
  reason: 'restore' as const,
  backup_made_at: '2026-06-01T08:00:00.000Z',
  held_since: '2026-06-01T09:00:00.000Z',
}

test('every page shows the hold after a restore, which ends with a note', async () => {
  let isHeld = true
  const { server, browser } = renderApp({
    path: list,
    answers: {
      'GET /api/apis': () => buildPage([]),
      'GET /api/installation/hold': () => ({ hold: isHeld ? hold : null }),
      'POST /api/installation/release': () => {
        isHeld = false
        return { hold: null }
      },
    },
  })
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toContain('A backup was restored: nothing is sent without a person')
  await browser.click(await screen.findByRole('button', { name: 'Release' }))
  await browser.type(await screen.findByLabelText(/^Note/), 'Checked at the portal.')
  await browser.click(screen.getByRole('button', { name: 'Release everything' }))
  const title = 'A backup was restored: nothing is sent without a person'
  await waitFor(() => expect(screen.queryByText(title)).toBeNull())
  expect(server.bodiesOf('POST /api/installation/release')).toEqual([
    { note: 'Checked at the portal.' },
  ])
})
