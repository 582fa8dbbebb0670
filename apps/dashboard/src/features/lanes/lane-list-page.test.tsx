import { screen, waitFor, within } from '@testing-library/react'
import type { LaneRecord } from '@gatehouse/contract'
import { expect, test } from 'vitest'
import { buildUser } from '../../testing/builders.ts'
import { refuse } from '../../testing/fake-server.ts'
import { renderApp, watchConsoleErrors } from '../../testing/render-app.tsx'

const path = '/dashboard/admin/lanes'

const buildLane = (changes: Partial<LaneRecord> = {}): LaneRecord => ({
  id: 3,
  name: 'jofotara',
  concurrency: 4,
  per_second: 2,
  per_minute: null,
  per_hour: 600,
  max_age_minutes: 1440,
  is_strict_order: true,
  state: 'working',
  workflows: [{ id: 7, slug: 'sales', name: 'Sales invoices' }],
  depth: 12345,
  running: 4,
  oldest_at: new Date(Date.now() - 3 * 60_000 - 5000).toISOString(),
  deadline_at: null,
  rate_per_minute: 97,
  waiting_for: null,
  next_try_at: null,
  outage_since: null,
  paused: null,
  ...changes,
})

const card = async (name = 'jofotara') => within(await screen.findByRole('region', { name }))

test('a lane shows what waits, since when, how fast it goes, and its limits', async () => {
  renderApp({ path, answers: { 'GET /api/lanes': () => ({ lanes: [buildLane()] }) } })
  const lane = await card()
  expect(lane.getByText('Working')).toBeTruthy()
  expect(lane.getByText('Sales invoices')).toBeTruthy()
  const figure = (name: string) => lane.getByText(name).nextElementSibling?.textContent
  expect(figure('Waiting')).toBe('12,345')
  expect(figure('Oldest')).toBe('3 minutes')
  expect(figure('Under way')).toBe('4 of 4')
  expect(figure('Ended in a minute')).toBe('97')
  expect(
    lane.getByText(
      'at most 4 runs at once · calls: 2 a second, 600 an hour · sent within 1 day · in order for each order key',
    ),
  ).toBeTruthy()
  const menu = within(screen.getByRole('navigation', { name: 'Main' }))
  expect(menu.getByRole('link', { name: 'Lanes' }).getAttribute('href')).toBe(path)
})

test('a lane in an outage says since when, what it waits for, and when it tries next', async () => {
  const lane = buildLane({
    state: 'outage',
    waiting_for: 'The authority could not be reached five times in a row.',
    outage_since: '2026-11-22T09:00:00.000Z',
    next_try_at: '2026-11-22T09:05:00.000Z',
  })
  renderApp({ path, answers: { 'GET /api/lanes': () => ({ lanes: [lane] }) } })
  const note = (await card()).getByRole('note')
  expect(note.textContent).toMatch(/does not answer.*Since .*five times in a row.*Next try: /)
  expect(note.querySelectorAll('time')[1]?.dateTime).toBe('2026-11-22T09:05:00.000Z')
})

test('a lane that paused itself says why, and is resumed', async () => {
  const paused = { at: '2026-11-22T09:00:00.000Z', by: null, reason: 'The sign-in was refused.' }
  let lane = buildLane({ state: 'paused', paused })
  const { browser } = renderApp({
    path,
    answers: {
      'GET /api/lanes': () => ({ lanes: [lane] }),
      'POST /api/lanes/:id/resume': () => {
        lane = buildLane()
        return { lane }
      },
    },
  })
  const shown = await card()
  expect(shown.getByRole('note').textContent).toMatch(/Paused by itself.*The sign-in was refused\./)
  expect(shown.queryByRole('button', { name: /Pause|Drain/ })).toBeNull()
  await browser.click(shown.getByRole('button', { name: 'Resume jofotara' }))
  await screen.findByText('Lane resumed.')
  await waitFor(() => expect(shown.queryByRole('note')).toBeNull())
})

test('a pause carries its reason; a message is at the field', async () => {
  const key = 'POST /api/lanes/:id/pause'
  const { server, browser } = renderApp({
    path,
    answers: {
      'GET /api/lanes': () => ({ lanes: [buildLane()] }),
      [key]: () => refuse('request.invalid', { reason: ['The reason field is required.'] }),
    },
  })
  await browser.click((await card()).getByRole('button', { name: 'Pause jofotara' }))
  const dialog = within(await screen.findByRole('dialog'))
  await browser.click(dialog.getByRole('button', { name: 'Pause lane' }))
  expect(await dialog.findByText('The reason field is required.')).toBeTruthy()
  server.use({ [key]: () => ({ lane: buildLane({ state: 'paused' }) }) })
  await browser.type(dialog.getByLabelText(/Reason/), 'Stock-taking')
  await browser.click(dialog.getByRole('button', { name: 'Pause lane' }))
  await screen.findByText('Lane paused.')
  expect(server.bodiesOf(key)).toEqual([{ reason: '' }, { reason: 'Stock-taking' }])
})

test('drain is asked for first', async () => {
  const key = 'POST /api/lanes/:id/drain'
  const { server, browser } = renderApp({
    path,
    answers: {
      'GET /api/lanes': () => ({ lanes: [buildLane()] }),
      [key]: () => ({ lane: buildLane({ state: 'draining' }) }),
    },
  })
  await browser.click((await card()).getByRole('button', { name: 'Drain jofotara' }))
  expect(server.requests.some((seen) => seen.key === key)).toBe(false)
  const dialog = within(await screen.findByRole('dialog'))
  await browser.click(dialog.getByRole('button', { name: 'Drain lane' }))
  await screen.findByText('Lane takes no new runs.')
})

test('who may only look has no buttons', async () => {
  renderApp({
    path,
    user: buildUser({ permissions: ['workflow.view'] }),
    answers: { 'GET /api/lanes': () => ({ lanes: [buildLane()] }) },
  })
  expect((await card()).queryAllByRole('button')).toEqual([])
})

test('no lanes, and lanes that cannot be loaded', async () => {
  watchConsoleErrors()
  const { server, browser } = renderApp({
    path,
    answers: { 'GET /api/lanes': () => refuse('server.failed') },
  })
  await screen.findByText('The lanes could not be loaded.')
  server.use({ 'GET /api/lanes': () => ({ lanes: [] }) })
  await browser.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await screen.findByText('No lanes yet')).toBeTruthy()
})
