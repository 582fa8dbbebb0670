import type { DeliveryDetail, DeliveryRow } from '@gatehouse/contract'
import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { buildPage, buildUser } from '../../testing/builders.ts'
import { refuse, type Answers } from '../../testing/fake-server.ts'
import { renderApp, watchConsoleErrors } from '../../testing/render-app.tsx'

const listKey = 'GET /api/deliveries'
const oneKey = 'GET /api/deliveries/:id'
const sendKey = 'POST /api/deliveries/:id/send'
const listPath = '/dashboard/admin/deliveries'

const buildDelivery = (changes: Partial<DeliveryRow> = {}): DeliveryRow => ({
  id: 12,
  kind: 'callback',
  channel: 'webhook',
  state: 'dead',
  target: 'https://erp.example.com/gatehouse',
  place: 'erp.example.com',
  subject: 'run.succeeded',
  workflow: { id: 7, name: 'Sales invoices' },
  run_id: 41,
  batch_id: null,
  waits_for: null,
  tries: 31,
  next_try_at: null,
  give_up_at: '2026-11-22T09:00:00.000Z',
  last_status: 503,
  last_error: 'The receiver answered 503.',
  created_at: '2026-11-21T09:00:00.000Z',
  ended_at: '2026-11-22T09:00:00.000Z',
  ...changes,
})
const waiting = {
  state: 'waiting',
  next_try_at: '2026-11-22T10:00:00.000Z',
  ended_at: null,
} as const
const delivered = { state: 'delivered', last_status: 204, last_error: null } as const
const buildDetail = (changes: Partial<DeliveryRow> = {}): DeliveryDetail => ({
  ...buildDelivery(changes),
  message_id: 'msg_4c7a1f0e9d2b4a6c8e0f1a2b3c4d5e6f',
  payload: '{"type":"run.succeeded","data":{"run":{"id":41}}}',
})

function open(path: string, answers: Answers, permissions?: readonly string[]) {
  const user = buildUser()
  const held = user.permissions.filter((name) => permissions?.includes(name) ?? true)
  return renderApp({ path, user: { ...user, permissions: held }, answers })
}
const openOne = (delivery: DeliveryDetail, answers: Answers = {}, permissions?: string[]) =>
  open(`${listPath}/12`, { [oneKey]: () => ({ delivery }), ...answers }, permissions)

/** Lets the time pass after which a screen asks again. */
async function passSeconds(seconds: number) {
  await act(() => vi.advanceTimersByTimeAsync(seconds * 1_000))
}
const useFakeIntervals = () =>
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'], shouldAdvanceTime: true })
afterEach(() => vi.useRealTimers())

test('the list says where each delivery goes, how it ended and what it waits for', async () => {
  const rows = [
    buildDelivery(),
    buildDelivery({ ...waiting, id: 13, waits_for: 12, tries: 0, last_error: null }),
    buildDelivery({ id: 14, kind: 'alarm', channel: 'e-mail', workflow: null, run_id: null }),
  ]
  open(listPath, { [listKey]: () => buildPage(rows) })
  const table = within(await screen.findByRole('table'))
  const link = table.getByRole('link', { name: '12 · run.succeeded' })
  expect(link.getAttribute('href')).toBe(`${listPath}/12`)
  expect(table.getAllByText('The receiver answered 503.')).toHaveLength(2)
  expect(table.getByText('Waits for delivery 12.')).toBeTruthy()
})

test('filters are in the address, and reach the server', async () => {
  const { server } = open(`${listPath}?state=dead&workflow=7&search=erp.example.com`, {
    [listKey]: () => buildPage([buildDelivery()]),
  })
  await screen.findByRole('table')
  const asked = server.requests.find(({ key }) => key === listKey)?.query
  expect(asked).toMatchObject({ state: 'dead', workflow: '7', place: 'erp.example.com' })
})

test('an empty list says what sends', async () => {
  open(listPath, { [listKey]: () => buildPage([]) })
  expect(await screen.findByText('No deliveries yet')).toBeTruthy()
})

test('a list that could not be loaded is asked for again', async () => {
  watchConsoleErrors()
  const { server, browser } = open(listPath, { [listKey]: () => refuse('server.busy') })
  const retry = await screen.findByRole('button', { name: 'Retry' })
  server.use({ [listKey]: () => buildPage([buildDelivery()]) })
  await browser.click(retry)
  expect(await screen.findByRole('link', { name: '12 · run.succeeded' })).toBeTruthy()
})

test('the dead of a receiver are sent again after a question', async () => {
  const { server, browser } = open(`${listPath}?search=erp.example.com`, {
    [listKey]: () => buildPage([buildDelivery()]),
    'POST /api/deliveries/send-dead': () => ({ sent: 3, left: 0 }),
  })
  await browser.click(await screen.findByRole('button', { name: 'Send the dead again' }))
  const dialog = within(await screen.findByRole('dialog'))
  await browser.click(dialog.getByRole('button', { name: 'Send again' }))
  expect(await screen.findByText('3 deliveries are sent again.')).toBeTruthy()
  expect(server.bodiesOf('POST /api/deliveries/send-dead')).toEqual([{ place: 'erp.example.com' }])
})

test('what was given up says why, and is sent again, also where it arrives before anyone looks', async () => {
  const { server, browser } = openOne(buildDetail(), {
    [sendKey]: () => ({ delivery: buildDetail(waiting) }),
  })
  expect(await screen.findByText('This delivery was given up')).toBeTruthy()
  server.use({ [oneKey]: () => ({ delivery: buildDetail(delivered) }) })
  await browser.click(screen.getByRole('button', { name: 'Send again' }))
  expect(await screen.findByText('Delivered')).toBeTruthy()
  expect(screen.queryByText('This delivery was given up')).toBeNull()
})

test('a delivery that has ended is followed: another user may send it again', async () => {
  useFakeIntervals()
  const { server } = openOne(buildDetail())
  expect(await screen.findByText('This delivery was given up')).toBeTruthy()
  server.use({ [oneKey]: () => ({ delivery: buildDetail(delivered) }) })
  await passSeconds(5)
  expect(await screen.findByText('Delivered')).toBeTruthy()
})

test('one that waits can be sent now and cancelled; a refusal says why', async () => {
  const { server, browser } = openOne(buildDetail(waiting), {
    'POST /api/deliveries/:id/cancel': () => refuse('delivery.ended'),
  })
  watchConsoleErrors()
  await browser.click(await screen.findByRole('button', { name: 'Cancel' }))
  expect(await screen.findByText('It was not changed.')).toBeTruthy()
  server.use({ [sendKey]: () => ({ delivery: buildDetail(delivered) }) })
  await browser.click(screen.getByRole('button', { name: 'Send now' }))
  await waitFor(() => expect(server.bodiesOf(sendKey)).toHaveLength(1))
})

test('without the permission nothing can be done with it', async () => {
  openOne(buildDetail(), {}, ['workflow.view'])
  expect(await screen.findByText('This delivery was given up')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Send again' })).toBeNull()
})
