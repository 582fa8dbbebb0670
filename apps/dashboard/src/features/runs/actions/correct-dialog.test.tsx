import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { findEditor, typeInto } from '../../../testing/build-request-screen.ts'
import { endedBadly } from '../../../testing/bundle-screen.ts'
import { refuse, type Answers } from '../../../testing/fake-server.ts'
import { renderApp } from '../../../testing/render-app.tsx'
import { buildRunDetail, buildStep, buildSummary } from '../../../testing/run-builders.ts'

const rejected = buildRunDetail({
  state: 'rejected',
  correct: { is_allowed: true, refusal: null, kept_steps: 1 },
  steps: [buildStep(), buildStep({ position: 2, state: 'rejected' })],
})

const retry = { name: 'Retry with corrected bodies' }

/** The dialog with the body of step 2 changed, and its changes shown. */
async function review(answers: Answers) {
  const app = renderApp({
    path: '/dashboard/admin/runs/41',
    answers: {
      'GET /api/runs/:id': () => rejected,
      'GET /api/runs/by-key/:key': () => refuse('run.not_found'),
      ...answers,
    },
  })
  await app.browser.click(await screen.findByRole('button', retry))
  const dialog = within(await screen.findByRole('dialog'))
  typeInto(await findEditor('Body of step 2'), '{"total":0.20}')
  const button = dialog.getByRole<HTMLButtonElement>('button', { name: 'Review the changes' })
  await waitFor(() => expect(button.disabled).toBe(false))
  await app.browser.click(button)
  return { ...app, dialog }
}

test('the old bodies are there to be corrected; unchanged there is nothing to send', async () => {
  const { browser } = renderApp({
    path: '/dashboard/admin/runs/41',
    answers: { 'GET /api/runs/:id': () => rejected },
  })
  await browser.click(await screen.findByRole('button', retry))
  const dialog = within(await screen.findByRole('dialog'))
  expect(dialog.getByText(/Step 1 has succeeded and will not be sent again/)).toBeTruthy()
  expect((await findEditor('Body of step 2')).state.doc.toString()).toBe('{"total":0.10}')
  expect(dialog.queryByRole('textbox', { name: 'Body of step 1' })).toBeNull()
  const button = dialog.getByRole<HTMLButtonElement>('button', { name: 'Review the changes' })
  expect(button.disabled).toBe(true)
})

test('what has changed is shown before it is sent, as a new run that the screen then shows', async () => {
  const { server, browser, dialog, address } = await review({
    'POST /api/runs/:id/retry': () => endedBadly(buildSummary('unknown', undefined, { id: 42 })),
  })
  const diff = within(dialog.getByRole('region', { name: 'Changes of step 2' }))
  expect(diff.getByText(/"total": 0\.10/).closest('del')).toBeTruthy()
  expect(diff.getByText(/"total": 0\.20/).closest('ins')).toBeTruthy()
  await browser.click(dialog.getByRole('button', { name: 'Send as a new run' }))
  await waitFor(() => expect(address()).toBe('/dashboard/admin/runs/42'))
  expect(server.bodiesOf('POST /api/runs/:id/retry')).toEqual([
    { endpoint_2: { body: '{"total":0.20}', token: '' } },
  ])
})

test('a new run that is on its way is shown at once', async () => {
  const { browser, dialog, address } = await review({
    'POST /api/runs/:id/retry': () => new Promise<Response>(() => undefined),
    'GET /api/runs/by-key/:key': () => ({ run: buildSummary('running', undefined, { id: 42 }) }),
  })
  await browser.click(dialog.getByRole('button', { name: 'Send as a new run' }))
  await waitFor(() => expect(address()).toBe('/dashboard/admin/runs/42'))
})

test('a refusal leads back to the bodies, with its message at the right one', async () => {
  const { browser, dialog } = await review({
    'POST /api/runs/:id/retry': () =>
      refuse('request.invalid', { 'endpoint_2.body': ['Not JSON.'] }),
  })
  await browser.click(dialog.getByRole('button', { name: 'Send as a new run' }))
  expect(await dialog.findByText('Nothing was sent')).toBeTruthy()
  expect(dialog.getAllByText('Not JSON.')).toHaveLength(2)
  expect((await findEditor('Body of step 2')).state.doc.toString()).toBe('{"total":0.20}')
})
