import type { ScheduleRecord } from '@gatehouse/contract'
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { buildPage, buildUser } from '../../../testing/builders.ts'
import { refuse, type Answers } from '../../../testing/fake-server.ts'
import { renderApp, watchConsoleErrors } from '../../../testing/render-app.tsx'
import { buildWorkflow } from '../../../testing/workflow-builders.ts'

const listKey = 'GET /api/schedules'

const buildSchedule = (changes: Partial<ScheduleRecord> = {}): ScheduleRecord => ({
  id: 3,
  version: 1,
  workflow: { id: 7, slug: 'sales', name: 'Sales invoices' },
  name: 'Every morning',
  cron: '0 6 * * 1-5',
  time_zone: 'Europe/Berlin',
  is_active: true,
  catches_up: true,
  start: 'input',
  input: '{}',
  list: null,
  user: { id: 1, name: 'Ada Admin' },
  next_run_at: '2026-11-23T05:00:00.000Z',
  last_firing: {
    id: 9,
    planned_for: '2026-11-20T05:00:00.000Z',
    started_at: '2026-11-20T05:00:00.000Z',
    ended_at: '2026-11-20T05:00:01.000Z',
    state: 'refused',
    is_by_hand: false,
    found: 0,
    old: 0,
    known: 0,
    started: 0,
    refused: 0,
    message: 'None of your roles has access to this endpoint.',
  },
  updated_at: '2026-11-01T05:00:00.000Z',
  ...changes,
})

function open(path: string, answers: Answers, permissions?: readonly string[]) {
  const user = buildUser()
  const held = user.permissions.filter((name) => permissions?.includes(name) ?? true)
  return renderApp({
    path,
    user: { ...user, permissions: held },
    answers: {
      'GET /api/workflows/:id': () => buildWorkflow(),
      'GET /api/workflows/:slug/batches': () => buildPage([]),
      'GET /api/runs': () => buildPage([]),
      ...answers,
    },
  })
}
const page = '/dashboard/admin/workflows/7'

test('the schedules of a workflow are on its page, in words, with their last and next run', async () => {
  open(page, {
    [listKey]: () =>
      buildPage([buildSchedule(), buildSchedule({ id: 4, name: 'Resting', is_active: false })]),
  })
  const list = within(await screen.findByRole('list', { name: 'Schedules' }))
  const link = list.getByRole('link', { name: 'Every morning' })
  expect(link.getAttribute('href')).toBe('/dashboard/admin/schedules/3')
  expect(list.getAllByText('Monday to Friday at 06:00, Europe/Berlin')).toHaveLength(2)
  expect(list.getAllByText('Refused')).toHaveLength(2)
  expect(list.getByText('Paused')).toBeTruthy()
})

test('a schedule is offered to people who may edit workflows', async () => {
  open(page, { [listKey]: () => buildPage([]) }, ['workflow.view'])
  expect(await screen.findByText(/^No schedules yet/)).toBeTruthy()
  expect(screen.queryByRole('link', { name: 'New schedule' })).toBeNull()
})

test('schedules that could not be loaded say so', async () => {
  watchConsoleErrors()
  open(page, { [listKey]: () => refuse('workflow.not_found') })
  expect(await screen.findByText('The schedules could not be loaded.')).toBeTruthy()
})

test('the page of a schedule says why it was refused, and leads to the runs of its firings', async () => {
  const schedule = buildSchedule()
  const firing = { ...schedule.last_firing!, state: 'done', started: 1200, known: 3 } as const
  open('/dashboard/admin/schedules/3', {
    'GET /api/schedules/:id': () => ({ schedule }),
    'GET /api/schedules/:id/firings': () => buildPage([firing]),
  })
  expect(await screen.findByText(/has access to this endpoint/)).toBeTruthy()
  const link = await screen.findByRole('link', { name: '1,200 started, 3 known' })
  expect(link.getAttribute('href')).toBe('/dashboard/admin/runs?search=schedule-3-9')
})
