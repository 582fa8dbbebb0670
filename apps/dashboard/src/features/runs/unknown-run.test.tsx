import { screen, waitFor } from '@testing-library/react'
import { errorTable } from '@gatehouse/contract/errors'
import { expect, test } from 'vitest'
import { findToast, sent } from '../../testing/bundle-screen.ts'
import { refuse } from '../../testing/fake-server.ts'
import { buildStep, buildSummary, buildUnknownStep } from '../../testing/run-builders.ts'
import { findDialog, press, showRun, unknownRun } from '../../testing/run-screen.ts'

test('of an unknown outcome it says what is permitted; “It was received” keeps the reference', async () => {
  const { server, browser } = await showRun(unknownRun, {
    'POST /api/runs/:id/resolve': () => sent(buildSummary('succeeded')),
  })
  expect(await screen.findByText('Sent, but it is not known whether it was received')).toBeTruthy()
  await press(browser, 'It was received')
  const question = await findDialog()
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
  const { server, browser } = await showRun(unknownRun, {
    'POST /api/runs/:id/resolve': () => sent(buildSummary('stopped', ['succeeded', 'waiting'])),
    'POST /api/runs/:id/resume': () => sent(buildSummary('succeeded')),
  })
  await press(browser, 'It was not received: send again')
  const question = await findDialog()
  expect(question.getByText(/if it was received after all, it is there twice/)).toBeTruthy()
  await browser.click(question.getByRole('button', { name: 'It was not received: send again' }))
  await findToast('Request sent successfully!')
  expect(server.bodiesOf('POST /api/runs/:id/resolve')).toMatchObject([{ verdict: 'not_received' }])
  expect(server.bodiesOf('POST /api/runs/:id/resume')).toHaveLength(1)
})

test('of two users who settle it at once, the later one reads so, and nothing is sent again', async () => {
  const { server, browser } = await showRun(unknownRun, {
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
  const question = await findDialog()
  await browser.click(question.getByRole('button', { name: 'It was not received: send again' }))
  expect(await question.findByText('It is known already.')).toBeTruthy()
  expect(server.bodiesOf('POST /api/runs/:id/resume')).toEqual([])
})

test('neither note nor refusal of one verdict is left for the other, nor for the next time', async () => {
  const { server, browser } = await showRun(unknownRun, {
    'POST /api/runs/:id/resolve': () =>
      refuse('request.invalid', { note: ['The note is too long.'] }),
  })
  await press(browser, 'It was received')
  const first = await findDialog()
  await browser.type(first.getByLabelText('Reference'), 'A-77')
  await browser.type(first.getByLabelText('Note'), 'Seen in the portal')
  await browser.click(first.getByRole('button', { name: 'It was received' }))
  expect(await first.findByText('The note is too long.')).toBeTruthy()
  await browser.click(first.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())

  await press(browser, 'It was not received: send again')
  const second = await findDialog()
  expect(second.getByLabelText<HTMLTextAreaElement>('Note').value).toBe('')
  expect(second.queryByText('The note is too long.')).toBeNull()
  await browser.click(second.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())

  await press(browser, 'It was received')
  const third = await findDialog()
  expect(third.getByLabelText<HTMLTextAreaElement>('Note').value).toBe('')
  expect(third.getByLabelText<HTMLInputElement>('Reference').value).toBe('')
  expect(server.bodiesOf('POST /api/runs/:id/resolve')).toHaveLength(1)
})

test('a refusal of one verdict that comes late is not one of the other', async () => {
  const late = Promise.withResolvers<ReturnType<typeof refuse>>()
  const { browser } = await showRun(unknownRun, {
    'POST /api/runs/:id/resolve': () => late.promise,
  })
  await press(browser, 'It was received')
  const first = await findDialog()
  await browser.click(first.getByRole('button', { name: 'It was received' }))
  await browser.click(first.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await press(browser, 'It was not received: send again')
  const second = await findDialog()
  late.resolve(refuse('run.not_unknown'))
  await screen.findByText(errorTable['run.not_unknown'].message)
  expect(second.queryByRole('alert')).toBeNull()
  expect(second.getByRole('button', { name: 'It was not received: send again' })).toBeTruthy()
})

test('the endpoint can be asked, and what it said is shown', async () => {
  const { server, browser } = await showRun(unknownRun, {
    'POST /api/runs/:id/status-query': () => ({
      message: 'The endpoint was asked: it was received.',
      verdict: 'received',
      because: null,
      ask_again_after: null,
      run: buildSummary('succeeded'),
    }),
  })
  await press(browser, 'Ask what became of it')
  await browser.click((await findDialog()).getByRole('button', { name: 'Ask' }))
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
  const { browser } = await showRun(
    { ...unknownRun, steps: [buildStep(), buildUnknownStep({ position: 2, inquiry })] },
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
  await browser.click((await findDialog()).getByRole('button', { name: 'Ask' }))
  const toast = await findToast('Asked too early: the endpoint may still be working on it.')
  expect(toast).toContain(`Ask again after`)
  expect(toast).toContain(shown)
})

test('a user who may not settle unknown outcomes reads that another user has to', async () => {
  const withoutResolve = { ...unknownRun, steps: [buildUnknownStep()] }
  await showRun(withoutResolve, {}, ['dashboard.view', 'run.view'])
  expect(await screen.findByText(/A user whose role can settle/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: /received|Ask|same again/ })).toBeNull()
})

test('a user who may settle but not send can only say that it was not received', async () => {
  const { server, browser } = await showRun(
    unknownRun,
    { 'POST /api/runs/:id/resolve': () => sent(buildSummary('stopped', ['succeeded', 'waiting'])) },
    ['dashboard.view', 'run.view', 'run.resume', 'run.resolve'],
  )
  await press(browser, 'It was not received')
  const question = await findDialog()
  await browser.click(question.getByRole('button', { name: 'It was not received' }))
  await findToast('Kept with the run.')
  expect(server.bodiesOf('POST /api/runs/:id/resume')).toEqual([])
})
