import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { buildUser } from '../../testing/builders.ts'
import { findToast, sent } from '../../testing/bundle-screen.ts'
import { refuse, type Answers } from '../../testing/fake-server.ts'
import { renderApp } from '../../testing/render-app.tsx'
import {
  buildAttempt,
  buildRunDetail,
  buildStep,
  buildSummary,
  buildUnknownStep,
} from '../../testing/run-builders.ts'

const stopped = buildRunDetail({
  state: 'stopped',
  resume: { step: 2, refusal: null },
  run_again: { is_allowed: true, refusal: null },
  steps: [
    buildStep(),
    buildStep({ position: 2, state: 'waiting', attempts: [] }),
    buildStep({ position: 3, state: 'waiting', attempts: [] }),
  ],
})
const unknown = buildRunDetail({
  state: 'unknown',
  resume: { step: null, refusal: 'Say first whether it was received.' },
  steps: [buildStep(), buildUnknownStep({ position: 2 })],
})

async function show(run: typeof stopped, answers: Answers = {}, permissions?: string[]) {
  const user = buildUser()
  const held = permissions && user.permissions.filter((name) => permissions.includes(name))
  const app = renderApp({
    path: '/dashboard/admin/runs/41',
    answers: { 'GET /api/runs/:id': () => run, ...answers },
    ...(held ? { user: { ...user, permissions: held } } : {}),
  })
  await screen.findByRole('list', { name: 'Steps' })
  return app
}

const press = async (browser: Awaited<ReturnType<typeof show>>['browser'], name: string) =>
  browser.click(await screen.findByRole('button', { name }))
const dialog = async () => within(await screen.findByRole('dialog'))

test('Resume explains what is not sent again, and takes new tokens', async () => {
  const { server, browser } = await show(stopped, {
    'POST /api/runs/:id/resume': () => sent(buildSummary('succeeded')),
  })
  await press(browser, 'Resume from step 2')
  const question = await dialog()
  expect(question.getByText(/Step 1 has succeeded and will not be sent again/)).toBeTruthy()
  await browser.type(question.getByLabelText('Token of steps 2 to 3'), 'new-token')
  await browser.click(question.getByRole('button', { name: 'Resume from step 2' }))
  expect(await findToast('Request sent successfully!')).toContain('Every step succeeded.')
  expect(server.bodiesOf('POST /api/runs/:id/resume')).toEqual([
    { endpoint_2: { token: 'new-token' }, endpoint_3: { token: 'new-token' } },
  ])
})

test('a resume that is refused says why', async () => {
  const { browser } = await show(stopped, {
    'POST /api/runs/:id/resume': () => refuse('run.superseded'),
  })
  await press(browser, 'Resume from step 2')
  await browser.click((await dialog()).getByRole('button', { name: 'Resume from step 2' }))
  expect(await findToast('Failed to send request.')).toContain('Another run was sent')
})

test('Run again from the start warns of what is sent twice, and leads to the new run', async () => {
  const { server, browser, address } = await show(stopped, {
    'POST /api/runs/:id/retry': () => sent(buildSummary('succeeded', undefined, { id: 42 })),
    'GET /api/runs/by-key/:key': () => refuse('run.not_found'),
  })
  await press(browser, 'Run again from the start')
  const question = await dialog()
  expect(question.getByText(/Steps of this run that succeeded are sent a second time/)).toBeTruthy()
  await browser.click(question.getByRole('button', { name: 'Run again from the start' }))
  await waitFor(() => expect(address()).toBe('/dashboard/admin/runs/42'))
  expect(server.bodiesOf('POST /api/runs/:id/retry')).toMatchObject([{ from_start: true }])
  const retry = server.requests.find(({ key }) => key === 'POST /api/runs/:id/retry')
  expect(retry?.headers.get('idempotency-key')).toMatch(/^[0-9a-f-]{36}$/)
})

test('of an unknown outcome it says what is permitted; “It was received” keeps the reference', async () => {
  const { server, browser } = await show(unknown, {
    'POST /api/runs/:id/resolve': () => sent(buildSummary('succeeded')),
  })
  expect(await screen.findByText('Sent, but it is not known whether it was received')).toBeTruthy()
  await press(browser, 'It was received')
  const question = await dialog()
  await browser.type(question.getByLabelText('Reference'), 'A-77')
  await browser.type(question.getByLabelText('Note'), 'Seen in the portal')
  await browser.click(question.getByRole('button', { name: 'It was received' }))
  await findToast('Kept with the run.')
  expect(server.bodiesOf('POST /api/runs/:id/resolve')).toEqual([
    { step: 2, verdict: 'received', reference: 'A-77', note: 'Seen in the portal' },
  ])
  expect(server.bodiesOf('POST /api/runs/:id/resume')).toEqual([])
})

test('“It was not received: send again” settles it, then sends the same again', async () => {
  const { server, browser } = await show(unknown, {
    'POST /api/runs/:id/resolve': () => sent(buildSummary('stopped', ['succeeded', 'waiting'])),
    'POST /api/runs/:id/resume': () => sent(buildSummary('succeeded')),
  })
  await press(browser, 'It was not received: send again')
  const question = await dialog()
  expect(question.getByText(/if it was received after all, it is there twice/)).toBeTruthy()
  await browser.click(question.getByRole('button', { name: 'It was not received: send again' }))
  await findToast('Request sent successfully!')
  expect(server.bodiesOf('POST /api/runs/:id/resolve')).toMatchObject([{ verdict: 'not_received' }])
  expect(server.bodiesOf('POST /api/runs/:id/resume')).toHaveLength(1)
})

test('of two people who settle it at once, the later one is told, and nothing is sent again', async () => {
  const { server, browser } = await show(unknown, {
    'POST /api/runs/:id/resolve': () =>
      Response.json(
        {
          message: 'It is known already.',
          code: 'run.not_unknown',
          run: buildSummary('succeeded'),
        },
        { status: 409 },
      ),
  })
  await press(browser, 'It was not received: send again')
  const question = await dialog()
  await browser.click(question.getByRole('button', { name: 'It was not received: send again' }))
  expect(await question.findByText('It is known already.')).toBeTruthy()
  expect(server.bodiesOf('POST /api/runs/:id/resume')).toEqual([])
})

test('the endpoint can be asked, and what it said is shown', async () => {
  const { server, browser } = await show(unknown, {
    'POST /api/runs/:id/status-query': () => ({
      message: 'The endpoint was asked: it was received.',
      verdict: 'received',
      because: null,
      ask_again_after: null,
      run: buildSummary('succeeded'),
    }),
  })
  await press(browser, 'Ask what became of it')
  await browser.click((await dialog()).getByRole('button', { name: 'Ask' }))
  await findToast('The endpoint was asked: it was received.')
  expect(server.bodiesOf('POST /api/runs/:id/status-query')).toEqual([{ step: 2, token: '' }])
})

test('“not received” that does not count yet says when to ask again, in the reader’s time', async () => {
  const soon = new Date(Date.now() + 3_600_000).toISOString()
  const inquiry = {
    quiet_seconds: 120,
    negatives: 1,
    negatives_needed: 2,
    ask_again_after: soon,
  }
  const time = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' })
  const shown = time.format(new Date(Math.ceil(Date.parse(soon) / 1000) * 1000))
  const { browser } = await show(
    { ...unknown, steps: [buildStep(), buildUnknownStep({ position: 2, inquiry })] },
    {
      'POST /api/runs/:id/status-query': () => ({
        message: 'Asked too early.',
        verdict: 'undecided',
        because: 'too_early',
        ask_again_after: soon,
        run: buildSummary('unknown'),
      }),
    },
  )
  const stands = await screen.findByText(/said “not received” 1 of 2 times/)
  expect(stands.textContent).toContain(shown)
  await press(browser, 'Ask what became of it')
  await browser.click((await dialog()).getByRole('button', { name: 'Ask' }))
  const toast = await findToast('Asked too early: the endpoint may still be working on it.')
  expect(toast).toContain(`Ask again after`)
  expect(toast).toContain(shown)
})

test('what the endpoint has from somebody else is settled in the same way', async () => {
  const duplicate = buildStep({
    state: 'blocked',
    can: { resolve: true, resend: false, status_query: false },
    attempts: [buildAttempt({ outcome: 'duplicate', status: 409 })],
  })
  await show(buildRunDetail({ state: 'blocked', steps: [duplicate] }))
  expect(await screen.findByRole('button', { name: 'It was received' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Send the same again' })).toBeNull()
})

test('who may only look at runs is offered no verb', async () => {
  const onlyView = ['dashboard.view', 'run.view']
  await show(stopped, {}, onlyView)
  await screen.findByRole('list', { name: 'Steps' })
  expect(screen.queryByRole('button', { name: /Resume|Run again|Retry/ })).toBeNull()
})

test('who may not settle unknown outcomes is told that somebody has to', async () => {
  const withoutResolve = { ...unknown, steps: [buildUnknownStep()] }
  await show(withoutResolve, {}, ['dashboard.view', 'run.view'])
  expect(await screen.findByText(/Somebody whose role lets them settle/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: /received|Ask|same again/ })).toBeNull()
})

test('who may not send is told so, and offered nothing that would be refused', async () => {
  const refusal = 'You do not have permission to do this (tax.send).'
  const refused = {
    ...stopped,
    resume: { step: null, refusal },
    run_again: { is_allowed: false, refusal },
    correct: { is_allowed: false, refusal, kept_steps: 1 },
  }
  await show(refused, {}, ['dashboard.view', 'run.view', 'run.resume'])
  expect(await screen.findAllByText(refusal)).toHaveLength(1)
  expect(screen.queryByRole('button', { name: /Resume|Run again|Retry/ })).toBeNull()
})

test('who may settle but not send says that it was not received, and nothing more', async () => {
  const { server, browser } = await show(
    unknown,
    { 'POST /api/runs/:id/resolve': () => sent(buildSummary('stopped', ['succeeded', 'waiting'])) },
    ['dashboard.view', 'run.view', 'run.resume', 'run.resolve'],
  )
  await press(browser, 'It was not received')
  const question = await dialog()
  await browser.click(question.getByRole('button', { name: 'It was not received' }))
  await findToast('Kept with the run.')
  expect(server.bodiesOf('POST /api/runs/:id/resume')).toEqual([])
})

test('a run is closed with a reason', async () => {
  const closable = { ...stopped, close: { is_allowed: true, refusal: null } }
  const { server, browser } = await show(
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
  const question = await dialog()
  await browser.type(question.getByLabelText(/Reason/), 'Sent by hand')
  await browser.click(question.getByRole('button', { name: 'Close this run' }))
  await findToast('The run is closed.')
  expect(server.bodiesOf('POST /api/runs/:id/close')).toEqual([{ reason: 'Sent by hand' }])
})

test('a run that needs nobody says why, and names the other run', async () => {
  const blocked = buildStep({ state: 'blocked', message: 'The document is taken.', blocked_by: 44 })
  await show(buildRunDetail({ state: 'blocked', overtaken_by: 43, steps: [blocked] }))
  expect(screen.getByText('Overtaken')).toBeTruthy()
  const links = screen.getAllByRole('link', { name: /^run 4[34]$/ })
  expect(new Set(links.map((link) => link.getAttribute('href')))).toEqual(
    new Set(['/dashboard/admin/runs/43', '/dashboard/admin/runs/44']),
  )
})

test('who closed a run, and why, stands on its page', async () => {
  const closed = { at: '2026-02-01T10:00:00.000Z', by: 'Grace', reason: 'Sent by hand' }
  await show(buildRunDetail({ state: 'rejected', is_closed: true, closed }))
  expect(screen.getByText('“Sent by hand”')).toBeTruthy()
  expect(screen.getByText('Grace has closed it: nothing is left to do.')).toBeTruthy()
})
