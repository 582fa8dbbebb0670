import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderApp } from '../../testing/render-app.tsx'
import { buildRunDetail, buildStep, buildSummary } from '../../testing/run-builders.ts'

const path = '/dashboard/admin/runs/41'

test('a pending step says how and until when its decision is asked for', async () => {
  const pending = {
    since: '2026-11-22T09:00:00.000Z',
    next_at: '2026-11-22T09:10:00.000Z',
    asked_at: '2026-11-22T09:05:00.000Z',
    tries: 3,
    ask_by: 'SUB-77',
    problem: 'The connection broke.',
    give_up_at: '2026-11-25T09:00:00.000Z',
  }
  const run = buildRunDetail({
    state: 'pending',
    steps: [buildStep({ state: 'pending', pending })],
  })
  renderApp({ path, answers: { 'GET /api/runs/:id': () => run } })
  const steps = within(await screen.findByRole('list', { name: 'Steps' }))
  expect(screen.getByText(/has not decided yet/)).toBeTruthy()
  expect(steps.getByText('Next question').nextElementSibling?.querySelector('time')?.dateTime).toBe(
    pending.next_at,
  )
  expect(steps.getByText('Asked').nextElementSibling?.textContent).toMatch(/^3 times, last /)
  expect(steps.getByText('Asked by').nextElementSibling?.textContent).toBe('SUB-77')
  expect(steps.getByText(/brought no answer: The connection broke\./)).toBeTruthy()
})

test('a queued run is cancelled after a question', async () => {
  let run = buildRunDetail({ state: 'queued', cancel: { is_allowed: true, refusal: null } })
  const { browser } = renderApp({
    path,
    answers: {
      'GET /api/runs/:id': () => run,
      'POST /api/runs/:id/cancel': () => {
        run = buildRunDetail({ state: 'cancelled' })
        return { message: 'Cancelled.', run: buildSummary('cancelled') }
      },
    },
  })
  expect(await screen.findByText(/It waits in its lane\./)).toBeTruthy()
  await browser.click(screen.getByRole('button', { name: 'Cancel this run' }))
  const dialog = within(await screen.findByRole('dialog'))
  await browser.click(dialog.getByRole('button', { name: 'Cancel this run' }))
  await screen.findByText('Run 41 was cancelled.')
  await waitFor(() =>
    expect(screen.getByText(/taken out of its lane\. Nothing of it/)).toBeTruthy(),
  )
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Cancel this run' })).toBeNull())
})
