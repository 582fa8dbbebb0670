import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { findToast, sent } from '../../../testing/bundle-screen.ts'
import { refuse } from '../../../testing/fake-server.ts'
import {
  buildAttempt,
  buildRunDetail,
  buildStep,
  buildSummary,
} from '../../../testing/run-builders.ts'
import { findDialog, press, showRun, stoppedRun } from '../../../testing/run-screen.ts'

test('Resume explains what is not sent again, and takes new tokens', async () => {
  const { server, browser } = await showRun(stoppedRun, {
    'POST /api/runs/:id/resume': () => sent(buildSummary('succeeded')),
  })
  await press(browser, 'Resume from step 2')
  const question = await findDialog()
  expect(question.getByText(/Step 1 has succeeded and will not be sent again/)).toBeTruthy()
  await browser.type(question.getByLabelText('Token of steps 2 to 3'), 'new-token')
  await browser.click(question.getByRole('button', { name: 'Resume from step 2' }))
  expect(await findToast('Request sent successfully!')).toContain('Every step succeeded.')
  expect(server.bodiesOf('POST /api/runs/:id/resume')).toEqual([
    { endpoint_2: { token: 'new-token' }, endpoint_3: { token: 'new-token' } },
  ])
})

test('a resume that is refused says why', async () => {
  const { browser } = await showRun(stoppedRun, {
    'POST /api/runs/:id/resume': () => refuse('run.superseded'),
  })
  await press(browser, 'Resume from step 2')
  await browser.click((await findDialog()).getByRole('button', { name: 'Resume from step 2' }))
  expect(await findToast('Failed to send request.')).toContain('Another run was sent')
})

test('Run again from the start warns of what is sent twice, and leads to the new run', async () => {
  const { server, browser, address } = await showRun(stoppedRun, {
    'POST /api/runs/:id/retry': () => sent(buildSummary('succeeded', undefined, { id: 42 })),
    'GET /api/runs/by-key/:key': () => refuse('run.not_found'),
  })
  await press(browser, 'Run again from the start')
  const question = await findDialog()
  expect(question.getByText(/Steps of this run that succeeded are sent a second time/)).toBeTruthy()
  await browser.click(question.getByRole('button', { name: 'Run again from the start' }))
  await waitFor(() => expect(address()).toBe('/dashboard/admin/runs/42'))
  expect(server.bodiesOf('POST /api/runs/:id/retry')).toMatchObject([{ from_start: true }])
  const retry = server.requests.find(({ key }) => key === 'POST /api/runs/:id/retry')
  expect(retry?.headers.get('idempotency-key')).toMatch(/^[0-9a-f-]{36}$/)
})

test('what the endpoint has from another sender is settled in the same way', async () => {
  const duplicate = buildStep({
    state: 'blocked',
    can: { resolve: true, resend: false, status_query: false },
    attempts: [buildAttempt({ outcome: 'duplicate', status: 409 })],
  })
  await showRun(buildRunDetail({ state: 'blocked', steps: [duplicate] }))
  expect(await screen.findByRole('button', { name: 'It was received' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Send the same again' })).toBeNull()
})

test('a user who may only view runs is offered no action', async () => {
  const onlyView = ['dashboard.view', 'run.view']
  await showRun(stoppedRun, {}, onlyView)
  await screen.findByRole('list', { name: 'Steps' })
  expect(screen.queryByRole('button', { name: /Resume|Run again|Retry/ })).toBeNull()
})

test('a user who may not send reads so, and is offered nothing that would be refused', async () => {
  const refusal = 'You do not have permission to do this (tax.send).'
  const refused = {
    ...stoppedRun,
    resume: { step: null, refusal },
    run_again: { is_allowed: false, refusal },
    correct: { is_allowed: false, refusal, kept_steps: 1 },
  }
  await showRun(refused, {}, ['dashboard.view', 'run.view', 'run.resume'])
  expect(await screen.findAllByText(refusal)).toHaveLength(1)
  expect(screen.queryByRole('button', { name: /Resume|Run again|Retry/ })).toBeNull()
})

test('a run is closed with a reason', async () => {
  const closable = { ...stoppedRun, close: { is_allowed: true, refusal: null } }
  const { server, browser } = await showRun(
    closable,
    {
      'POST /api/runs/:id/close': () => ({
        message: 'The run is closed.',
        run: buildSummary('stopped'),
      }),
    },
    ['dashboard.view', 'run.view', 'run.resolve'],
  )
  await press(browser, 'Close this run')
  const question = await findDialog()
  await browser.type(question.getByLabelText(/Reason/), 'Sent by hand')
  await browser.click(question.getByRole('button', { name: 'Close this run' }))
  await findToast('The run is closed.')
  expect(server.bodiesOf('POST /api/runs/:id/close')).toEqual([{ reason: 'Sent by hand' }])
})

test('a run that needs no action says why, and names the other run', async () => {
  const blocked = buildStep({ state: 'blocked', message: 'The document is taken.', blocked_by: 44 })
  await showRun(buildRunDetail({ state: 'blocked', overtaken_by: 43, steps: [blocked] }))
  expect(screen.getByText('Overtaken')).toBeTruthy()
  const links = screen.getAllByRole('link', { name: /^run 4[34]$/ })
  expect(new Set(links.map((link) => link.getAttribute('href')))).toEqual(
    new Set(['/dashboard/admin/runs/43', '/dashboard/admin/runs/44']),
  )
})

test('the page of a run shows who closed it, and why', async () => {
  const closed = { at: '2026-02-01T10:00:00.000Z', by: 'Grace', reason: 'Sent by hand' }
  await showRun(buildRunDetail({ state: 'rejected', is_closed: true, closed }))
  expect(screen.getByText('“Sent by hand”')).toBeTruthy()
  expect(screen.getByText('Grace has closed it: nothing is left to do.')).toBeTruthy()
})
