import type { ChosenAnswer, UnclearRun } from '@gatehouse/contract'
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { buildPage, buildUser } from '../../../testing/builders.ts'
import { refuse } from '../../../testing/fake-server.ts'
import { renderApp } from '../../../testing/render-app.tsx'
import { buildRunRow } from '../../../testing/run-builders.ts'

const path = '/dashboard/admin/unclear'
const at = '2026-01-31T10:00:00.000Z'

function buildUnclear(changes: Partial<UnclearRun> = {}): UnclearRun {
  const { steps: _, ...run } = buildRunRow({ state: 'unknown' })
  return {
    ...run,
    since: at,
    step: {
      position: 1,
      endpoint_id: 3,
      endpoint_name: 'File invoice',
      method: 'POST',
      state: 'unknown',
      outcome: 'timeout',
      status: null,
      message: null,
    },
    healing: null,
    can: { ask: true, resume: false, resolve: true, close: false },
    ...changes,
  }
}
const none = { 'GET /api/workflows': () => buildPage([]) }
const listing = (...rows: UnclearRun[]) => ({
  ...none,
  'GET /api/runs/unclear': () => buildPage(rows),
})
const table = async () => within(await screen.findByRole('table', { name: 'Unclear' }))
const answer = (results: ChosenAnswer['results'], next: number | null = null): ChosenAnswer => ({
  results,
  next_after: next,
})
const done = (id: number) =>
  ({
    id,
    reference: null,
    outcome: 'done',
    message: 'The run is closed.',
    state: 'blocked',
  }) as const

test('each run says since when, why, what healing does, and what the user can do', async () => {
  const healing = {
    plan: 'ask' as const,
    since: at,
    tries: 2,
    next_at: '2999-01-01T00:00:00.000Z',
    last: { at, detail: 'The endpoint was asked: its answer decides nothing.' },
  }
  renderApp({
    path,
    answers: listing(
      buildUnclear({ reference: 'INV-7', healing }),
      buildUnclear({
        id: 42,
        reference: null,
        can: { ask: false, resume: false, resolve: false, close: false },
      }),
    ),
  })
  const rows = await table()
  const run = rows.getByRole('link', { name: 'INV-7' })
  expect(run.getAttribute('href')).toBe('/dashboard/admin/runs/41')
  expect(rows.getAllByText('No answer in time')).toHaveLength(2)
  expect(rows.getByText(/Gatehouse asks by itself: 2 times so far, next at/)).toBeTruthy()
  expect(rows.getByText(/its answer decides nothing/)).toBeTruthy()
  expect(rows.getByText('Ask · Resolve')).toBeTruthy()
  expect(rows.getByText('only look')).toBeTruthy()
})

test('the filters are kept in the address, and are what is asked for and done', async () => {
  const { browser, server } = renderApp({
    path: `${path}?state=unknown&healing=0&endpoint=7`,
    answers: {
      ...listing(buildUnclear()),
      'POST /api/runs/bulk/status-query': () => answer([done(41)]),
    },
  })
  await table()
  const asked = server.requests.find(({ key }) => key === 'GET /api/runs/unclear')
  expect(asked?.query).toMatchObject({ state: 'unknown', healing: '0', endpoint: '7' })
  await browser.click(screen.getByRole('button', { name: 'All that match' }))
  await browser.click(await screen.findByRole('menuitem', { name: 'Ask' }))
  const dialog = within(await screen.findByRole('dialog'))
  await browser.click(dialog.getByRole('button', { name: 'Ask' }))
  await screen.findByText('Ask: 1 done')
  expect(server.bodiesOf('POST /api/runs/bulk/status-query')).toEqual([
    { filter: { state: 'unknown', healing: '0', endpoint: '7', work: 'unclear' }, after: 0 },
  ])
})

test('keys move from row to row, select, and act; each run says what became of it', async () => {
  const { browser, server } = renderApp({
    path,
    answers: {
      ...listing(buildUnclear({ id: 41 }), buildUnclear({ id: 42, reference: 'INV-8' })),
      'POST /api/runs/bulk/resolve': ({ body }) =>
        (body as { after: number }).after === 0
          ? answer([done(41)], 41)
          : answer([{ ...done(42), outcome: 'refused', message: 'Not so.' }]),
    },
  })
  await table()
  await browser.keyboard('j[Space]j[Space]s')
  const dialog = within(await screen.findByRole('dialog'))
  await browser.click(dialog.getByRole('radio', { name: 'They were not received' }))
  await browser.type(dialog.getByLabelText('Note'), 'Seen')
  await browser.click(dialog.getByRole('button', { name: 'Resolve' }))
  await screen.findByText('Resolve: 1 done, 1 refused')
  const lines = within(screen.getByRole('list', { name: 'Results' })).getAllByRole('listitem')
  expect(lines.map(({ textContent }) => textContent)).toEqual([
    'Run 42Not so.',
    'Run 41The run is closed.',
  ])
  const common = { ids: [41, 42], verdict: 'not_received', note: 'Seen' }
  expect(server.bodiesOf('POST /api/runs/bulk/resolve')).toEqual([
    { ...common, after: 0 },
    { ...common, after: 41 },
  ])
})

test('a refusal of a field is at that field, and nothing was done', async () => {
  const { browser } = renderApp({
    path,
    answers: {
      ...listing(buildUnclear()),
      'POST /api/runs/bulk/close': () =>
        refuse('request.invalid', { reason: ['The reason field is required.'] }),
    },
  })
  await table()
  await browser.keyboard('j[Space]c')
  const dialog = within(await screen.findByRole('dialog'))
  await browser.click(dialog.getByRole('button', { name: 'Close' }))
  expect(await dialog.findByText('The reason field is required.')).toBeTruthy()
  expect(dialog.getByLabelText(/Reason/)).toBeTruthy()
})

test('a viewer selects nothing and is offered nothing', async () => {
  const user = buildUser({ permissions: ['run.view'] })
  renderApp({ path, user, answers: listing(buildUnclear()) })
  await table()
  expect(screen.queryByRole('checkbox')).toBeNull()
  expect(screen.queryByRole('button', { name: 'All that match' })).toBeNull()
})

test('nothing is unclear', async () => {
  renderApp({ path, answers: listing() })
  expect(await screen.findByText('Nothing is unclear')).toBeTruthy()
})

test('a list that could not be loaded says so', async () => {
  renderApp({ path, answers: { ...none, 'GET /api/runs/unclear': () => refuse('server.failed') } })
  expect(await screen.findByText('The list could not be loaded.')).toBeTruthy()
})
