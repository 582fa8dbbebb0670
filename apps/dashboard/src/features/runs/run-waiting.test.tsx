import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { buildUser } from '../../testing/builders.ts'
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
  await waitFor(() => expect(screen.getByText(/It was cancelled\. Nothing of it/)).toBeTruthy())
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Cancel this run' })).toBeNull())
})

const queue = {
  lane: { id: 3, name: 'jofotara' },
  queued_at: '2026-11-22T09:00:00.000Z',
  tries: 3,
  next_try_at: '2026-11-22T09:10:00.000Z',
  deadline_at: '2026-11-22T21:00:00.000Z',
  waiting_for: 'Its lane is paused. Paused by Ada: Stock-taking',
  last_failure: 'The connection was refused.',
}
const showQueued = async (
  changes: Partial<typeof queue> | Record<string, null>,
  user?: ReturnType<typeof buildUser>,
) => {
  const run = buildRunDetail({ state: 'queued', queue: { ...queue, ...changes } })
  renderApp({ path, answers: { 'GET /api/runs/:id': () => run }, ...(user ? { user } : {}) })
  const card = within(await screen.findByRole('region', { name: 'In its lane' }))
  return { card, valueOf: (name: string) => card.getByText(name).nextElementSibling }
}

test('a queued run says where it waits, what for, when it is tried next and until when', async () => {
  const { card, valueOf } = await showQueued({})
  expect(card.getByRole('link', { name: 'jofotara' }).getAttribute('href')).toBe(
    '/dashboard/admin/lanes',
  )
  expect(valueOf('Waits for')?.textContent).toBe(queue.waiting_for)
  expect(valueOf('Next try')?.querySelector('time')?.dateTime).toBe(queue.next_try_at)
  expect(valueOf('Deadline')?.querySelector('time')?.dateTime).toBe(queue.deadline_at)
  expect(valueOf('Deadline')?.textContent).toMatch(/it ends as not started$/)
  expect(valueOf('Tried')?.textContent).toBe('3 times')
  expect(valueOf('Last try')?.textContent).toBe(queue.last_failure)
})

test('a queued run that nothing keeps back says so; without the right its lane is no link', async () => {
  const user = buildUser({ permissions: ['dashboard.view', 'run.view'] })
  const nothing = { next_try_at: null, deadline_at: null, waiting_for: null, last_failure: null }
  const { card, valueOf } = await showQueued(nothing, user)
  expect(valueOf('Lane')?.textContent).toBe('jofotara')
  expect(card.queryByRole('link')).toBeNull()
  expect(valueOf('Waits for')?.textContent).toBe('Nothing: it is sent in a moment.')
  expect(valueOf('Next try')?.textContent).toBe('as soon as it can be')
  expect(valueOf('Deadline')?.textContent).toBe('none')
  expect(card.queryByText('Last try')).toBeNull()
})
