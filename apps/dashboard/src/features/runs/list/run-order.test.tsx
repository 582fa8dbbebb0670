import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderApp } from '../../../testing/render-app.tsx'
import {
  buildAttempt,
  buildRunDetail,
  buildStep,
  buildUnknownStep,
} from '../../../testing/run-builders.ts'
import { findDialog, press, showRun } from '../../../testing/run-screen.ts'

const path = '/dashboard/admin/runs/41'
const done = buildStep({ position: 1, endpoint_name: 'Get number' })
const unknown = buildUnknownStep({
  position: 2,
  body: { text: '{"invoice":{"total":119.00}}', bytes: 28, is_whole: true },
  attempts: [
    buildAttempt({ outcome: 'timeout', status: null, started_at: '2026-01-31T10:00:00.000Z' }),
    buildAttempt({ number: 2, kind: 'status_query', started_at: '2026-01-31T11:00:00.000Z' }),
    buildAttempt({ number: 3, kind: 'resend', started_at: '2026-01-31T12:00:00.000Z' }),
  ],
})
const waiting = buildStep({ position: 3, state: 'waiting', url: null, attempts: [] })

async function titles() {
  const list = await screen.findByRole('list', { name: 'Steps' })
  return within(list)
    .getAllByRole('heading', { level: 3 })
    .map(({ textContent }) => textContent)
}

test('the step that needs somebody is first and open; a step that is done is one line', async () => {
  const run = buildRunDetail({ state: 'unknown', steps: [done, unknown, waiting] })
  const { browser } = renderApp({ path, answers: { 'GET /api/runs/:id': () => run } })
  expect(await titles()).toEqual(['Step 2', 'Step 1', 'Step 3'])
  expect(screen.getByRole('button', { name: 'It was received' })).toBeTruthy()
  expect(screen.getAllByText('Request')).toHaveLength(1)
  await browser.click(screen.getByText('Get number'))
  expect(await screen.findAllByText('Request')).toHaveLength(2)
})

test('a rejected step is first while somebody has to act', async () => {
  const run = buildRunDetail({
    state: 'rejected',
    steps: [done, buildStep({ position: 2, state: 'rejected' })],
  })
  renderApp({ path, answers: { 'GET /api/runs/:id': () => run } })
  expect(await titles()).toEqual(['Step 2', 'Step 1'])
})

test('the steps of a closed run are in their order', async () => {
  const steps = [done, buildStep({ position: 2, state: 'rejected' })]
  const closed = { at: '2026-01-31T10:00:00.000Z', by: 'Ada', reason: 'Done by hand' }
  const run = buildRunDetail({ state: 'rejected', steps, is_closed: true, closed })
  renderApp({ path, answers: { 'GET /api/runs/:id': () => run } })
  expect(await titles()).toEqual(['Step 1', 'Step 2'])
})

test('a run of one step shows it whole', async () => {
  renderApp({
    path,
    answers: { 'GET /api/runs/:id': () => buildRunDetail({ steps: [done] }) },
  })
  expect(await screen.findByText('Request')).toBeTruthy()
})

test('the dialog repeats reference, amount and times, to be compared with the portal', async () => {
  const run = buildRunDetail({ state: 'unknown', steps: [done, unknown] })
  const { browser } = await showRun(run)
  await press(browser, 'It was received')
  const dialog = await findDialog()
  const sent = within(dialog.getByRole('region', { name: 'What was sent' }))
  expect(sent.getAllByRole('term').map(({ textContent }) => textContent)).toEqual([
    'Reference',
    'Amount (invoice.total)',
    'Sent',
    'Sent again',
  ])
  expect(sent.getByText('INV-1')).toBeTruthy()
  expect(sent.getByText('119.00')).toBeTruthy()
  const times = sent.getAllByRole('time').map((time) => time.getAttribute('dateTime'))
  expect(times).toEqual(['2026-01-31T10:00:00.000Z', '2026-01-31T12:00:00.000Z'])
})
