import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { CallError } from '../../lib/calls/call-error.ts'
import { confirmingHeld } from '../../lib/forms/held-question.ts'
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

test('a database that lost commits is said to be that, also where something is sent by hand', async () => {
  const { browser } = renderApp({
    path: list,
    answers: {
      'GET /api/apis': () => buildPage([]),
      'GET /api/installation/hold': () => ({ hold: { ...hold, reason: 'older_database' } }),
    },
  })
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toContain('The database was last written at')
  expect(alert.textContent).not.toContain('backup')
  const sent: object[] = []
  const sending = confirmingHeld(async (confirmed) => {
    if (!confirmed.confirm_held)
      throw new CallError({ status: 409, code: 'installation.held', message: '' })
    sent.push(confirmed)
  })
  await screen.findByText('Send although the database is older than what was sent?')
  await browser.click(screen.getByRole('button', { name: 'Send it' }))
  await sending
  expect(sent).toEqual([{ confirm_held: true }])
})

test('a lane can be released alone', async () => {
  const { server, browser } = renderApp({
    path: list,
    answers: {
      'GET /api/apis': () => buildPage([]),
      'GET /api/installation/hold': () => ({ hold }),
      'GET /api/installation/held': () => ({
        lanes: [
          { id: 3, name: 'Authority', queued: 7, without_query: 2, is_released: false },
          { id: 4, name: 'Reports', queued: 0, without_query: 0, is_released: true },
        ],
        schedules: [{ id: 9, name: 'Nightly', next_run_at: null, is_released: false }],
        found: { unknown: 1, total: 4 },
      }),
      'POST /api/installation/release': () => ({ hold }),
    },
  })
  await browser.click(await screen.findByRole('button', { name: 'Release' }))
  await browser.click(await screen.findByRole('radio', { name: 'Only some lanes and schedules' }))
  await browser.click(await screen.findByRole('checkbox', { name: 'Lane Authority' }))
  expect(screen.getByText(/7 queued, 2 of them without a status query/)).toBeTruthy()
  expect(screen.queryByRole('checkbox', { name: 'Lane Reports' })).toBeNull()
  expect(screen.getByText(/4 documents were sent since; 1 of them/)).toBeTruthy()
  await browser.type(screen.getByLabelText(/^Note/), 'Checked.')
  await browser.click(screen.getByRole('button', { name: 'Release what is chosen' }))
  await waitFor(() =>
    expect(server.bodiesOf('POST /api/installation/release')).toEqual([
      { note: 'Checked.', lanes: [3], schedules: [] },
    ]),
  )
})

test('the authorities are asked about what is queued, call by call', async () => {
  const { server, browser } = renderApp({
    path: list,
    answers: {
      'GET /api/apis': () => buildPage([]),
      'GET /api/installation/hold': () => ({ hold }),
      'POST /api/installation/check-gap': ({ body }) =>
        (body as { after: number }).after === 0
          ? {
              results: [
                {
                  id: 4,
                  reference: 'INV-4',
                  outcome: 'received',
                  message: 'The authority has it.',
                },
              ],
              lists: [],
              next_after: 4,
            }
          : {
              results: [
                { id: 5, reference: 'INV-5', outcome: 'not_received', message: 'Not there.' },
              ],
              lists: [
                { name: 'Sales of the day', listed: 7, entered: 2, message: null },
                { name: 'All of it', listed: 7, entered: 0, message: 'It names no workflow.' },
              ],
              next_after: null,
            },
    },
  })
  await browser.click(await screen.findByRole('button', { name: 'Check the gap' }))
  await browser.click(await screen.findByRole('button', { name: 'Ask the authorities' }))
  expect(await screen.findByText('There: 1, not there: 1, not certain: 0')).toBeTruthy()
  expect(screen.getByText('INV-4')).toBeTruthy()
  expect(screen.queryByText('INV-5')).toBeNull()
  expect(screen.getByText('In the list: 7, entered as accepted: 2')).toBeTruthy()
  expect(screen.getByText('It names no workflow.')).toBeTruthy()
  expect(server.bodiesOf('POST /api/installation/check-gap')).toEqual([{ after: 0 }, { after: 4 }])
})
