import { screen, waitFor, within } from '@testing-library/react'
import type { AlarmChannelRecord, AlarmRecord, AlarmRuleRecord } from '@gatehouse/contract'
import { expect, test } from 'vitest'
import { buildPage, buildUser } from '../../testing/builders.ts'
import { refuse } from '../../testing/fake-server.ts'
import { renderApp } from '../../testing/render-app.tsx'

const buildAlarm = (changes: Partial<AlarmRecord> = {}): AlarmRecord => ({
  id: 7,
  kind: 'unknown',
  state: 'open',
  rule: { id: 1, name: 'Outcome unknown' },
  subject: 'run:12',
  title: 'Run 12 (INV-7): the outcome is unknown',
  registers: ['Tax office'],
  path: '/dashboard/admin/runs/12',
  since: '2026-11-22T08:00:00.000Z',
  raised_at: '2026-11-22T09:00:00.000Z',
  acknowledged: null,
  ended_at: null,
  muted_until: null,
  told_at: null,
  ...changes,
})

const buildRule = (changes: Partial<AlarmRuleRecord> = {}): AlarmRuleRecord => ({
  id: 3,
  name: 'Authority does not answer',
  kind: 'lane_outage',
  is_on: true,
  limits: { minutes: 15 },
  where: { workflow_ids: [], lane_ids: [4], api_ids: [] },
  calendar: { time_zone: 'UTC', weekdays: [1, 2, 3, 4, 5], from: '08:00', to: '18:00' },
  channels: { is_all: true, ids: [] },
  repeat_hours: 24,
  escalate_minutes: null,
  escalation_ids: [],
  muted_until: null,
  open: 1,
  version: 2,
  ...changes,
})

const buildChannel = (changes: Partial<AlarmChannelRecord> = {}): AlarmChannelRecord => ({
  id: 5,
  name: 'On call',
  kind: 'e-mail',
  is_on: true,
  tells_end: true,
  digest_above: 5,
  url: '',
  host: 'mail.example.com',
  port: 587,
  security: 'starttls',
  ca: '',
  user: 'gatehouse',
  from: 'gatehouse@example.com',
  to: ['ann@example.com'],
  has_secret: true,
  version: 1,
  ...changes,
})

const choices = {
  workflows: [],
  lanes: [{ id: 4, name: 'jofotara' }],
  apis: [],
  channels: [{ id: 5, name: 'On call', is_on: true }],
}

test('the bell counts open alarms, lists them with links, and acknowledges one', async () => {
  const key = 'POST /api/alarms/acknowledge'
  let alarms = [buildAlarm(), buildAlarm({ id: 8, title: 'A lane is full' })]
  const { server, browser } = renderApp({
    path: '/dashboard/account',
    answers: {
      'GET /api/sessions': () => ({ sessions: [] }),
      'GET /api/admin-tokens': () => ({ tokens: [] }),
      'GET /api/second-factor': () => ({
        since: null,
        recovery_codes_left: 0,
        is_required: false,
      }),
      'GET /api/alarms/bell': () => ({ count: alarms.length, alarms, checked_at: null }),
      [key]: () => {
        alarms = alarms.slice(1)
        return { acknowledged: 1 }
      },
    },
  })
  await browser.click(await screen.findByRole('button', { name: '2 open alarms' }))
  const link = await screen.findByRole('link', { name: /Run 12/ })
  expect(link.getAttribute('href')).toBe('/dashboard/admin/runs/12')
  await browser.click(screen.getByRole('button', { name: /^Acknowledge Run 12/ }))
  await screen.findByText('1 alarm acknowledged.')
  expect(await screen.findByRole('button', { name: '1 open alarm' })).toBeTruthy()
  expect(server.bodiesOf(key)).toEqual([{ ids: [7], note: '' }])
})

test('a user without alarm.view has no bell, and the server is not asked', async () => {
  const user = buildUser({ permissions: ['dashboard.view'] })
  const { server } = renderApp({ path: '/dashboard', user })
  await screen.findByRole('heading', { name: /Welcome/ })
  expect(screen.queryByRole('button', { name: /open alarm/ })).toBeNull()
  expect(server.requests.map(({ key }) => key)).not.toContain('GET /api/alarms/bell')
})

test('several alarms are acknowledged together, with a note', async () => {
  const key = 'POST /api/alarms/acknowledge'
  const rows = [
    buildAlarm(),
    buildAlarm({ id: 8, title: 'Run 13' }),
    buildAlarm({
      id: 9,
      title: 'Old',
      state: 'acknowledged',
      acknowledged: { at: '2026-11-22T09:00:00.000Z', by: 'Bob', note: 'I call them' },
    }),
  ]
  const { server, browser } = renderApp({
    path: '/dashboard/admin/alarms',
    answers: {
      'GET /api/alarms': () => buildPage(rows),
      [key]: () => ({ acknowledged: 2 }),
    },
  })
  await browser.click(await screen.findByRole('checkbox', { name: /Run 12/ }))
  await browser.click(screen.getByRole('checkbox', { name: /Run 13/ }))
  expect(screen.queryByRole('checkbox', { name: /Old/ })).toBeNull()
  expect(screen.getByText('by Bob: I call them')).toBeTruthy()
  const bar = within(await screen.findByRole('region', { name: 'Selected rows' }))
  await browser.click(bar.getByRole('button', { name: 'Acknowledge' }))
  const dialog = within(await screen.findByRole('dialog'))
  await browser.type(dialog.getByLabelText(/Note/), 'On it')
  await browser.click(dialog.getByRole('button', { name: 'Acknowledge' }))
  await screen.findByText('2 alarms acknowledged.')
  expect(server.bodiesOf(key)).toEqual([{ ids: [7, 8], note: 'On it' }])
  const asked = server.requests.find((seen) => seen.key === 'GET /api/alarms')
  expect(asked?.query['state']).toBe('current')
})

test('alarms that a filter hides are not acknowledged with those that are shown', async () => {
  const key = 'POST /api/alarms/acknowledge'
  const both = [buildAlarm(), buildAlarm({ id: 8, title: 'Run 13' })]
  const { server, browser } = renderApp({
    path: '/dashboard/admin/alarms',
    answers: {
      'GET /api/alarms': ({ query }) => buildPage(query['search'] ? both.slice(1) : both),
      [key]: () => ({ acknowledged: 1 }),
    },
  })
  await browser.click(await screen.findByRole('checkbox', { name: /Run 12/ }))
  await browser.click(screen.getByRole('checkbox', { name: /Run 13/ }))
  await screen.findByText('2 selected')
  await browser.type(screen.getByRole('searchbox', { name: 'Search alarms' }), '13')
  await screen.findByText('1 selected')
  const bar = within(await screen.findByRole('region', { name: 'Selected rows' }))
  await browser.click(bar.getByRole('button', { name: 'Acknowledge' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Acknowledge this alarm?' }))
  await browser.click(dialog.getByRole('button', { name: 'Acknowledge' }))
  await screen.findByText('1 alarm acknowledged.')
  expect(server.bodiesOf(key)).toEqual([{ ids: [8], note: '' }])
})

test('an alarm is muted with an end; a refusal is shown', async () => {
  const key = 'POST /api/alarms/:id/mute'
  const { server, browser } = renderApp({
    path: '/dashboard/admin/alarms',
    answers: {
      'GET /api/alarms': () => buildPage([buildAlarm()]),
      [key]: () => refuse('alarm.not_found'),
    },
  })
  await browser.click(await screen.findByRole('button', { name: /^Mute Run 12/ }))
  const dialog = within(await screen.findByRole('dialog'))
  await browser.click(dialog.getByRole('radio', { name: /Everything of the rule/ }))
  await browser.click(dialog.getByRole('button', { name: 'Mute' }))
  expect(await dialog.findByText('This alarm does not exist.')).toBeTruthy()
  server.use({ [key]: () => ({ muted_until: '2026-11-22T12:00:00.000Z' }) })
  await browser.click(dialog.getByRole('button', { name: 'Mute' }))
  await screen.findByText('Muted.')
  const body = server.bodiesOf(key)[1] as { until: string; what: string }
  expect(body.what).toBe('rule')
  const hours = (Date.parse(body.until) - Date.now()) / 3_600_000
  expect(Math.round(hours)).toBe(4)
})

test('a rule says when and where it is raised, and is changed in its form', async () => {
  const key = 'PUT /api/alarm-rules/:id'
  const { server, browser } = renderApp({
    path: '/dashboard/admin/alarm-rules',
    answers: {
      'GET /api/alarm-rules': () => buildPage([buildRule()]),
      'GET /api/alarm-rules/:id/edit': () => ({ rule: buildRule(), ...choices }),
      [key]: () => ({ rule: buildRule() }),
    },
  })
  expect(await screen.findByText('for 15 minutes')).toBeTruthy()
  expect(screen.getByText('1 lane')).toBeTruthy()
  await browser.click(screen.getByRole('link', { name: 'Edit Authority does not answer' }))
  const minutes = await screen.findByLabelText(/Minutes/)
  await browser.clear(minutes)
  await browser.type(minutes, '5')
  await browser.click(screen.getByRole('button', { name: 'Save rule' }))
  await waitFor(() => expect(server.bodiesOf(key)).toHaveLength(1))
  expect(server.bodiesOf(key)[0]).toMatchObject({
    kind: 'lane_outage',
    limits: { minutes: 5 },
    where: { lane_ids: [4] },
    version: 2,
  })
})

test('a channel is tested, and the answer of the mail server is shown', async () => {
  const key = 'POST /api/alarm-channels/:id/test'
  const { browser } = renderApp({
    path: '/dashboard/admin/alarm-channels',
    answers: {
      'GET /api/alarm-channels': () => buildPage([buildChannel()]),
      [key]: () => ({ ok: false, answer: '535 5.7.8 Authentication failed' }),
    },
  })
  await browser.click(await screen.findByRole('button', { name: 'Send a test to On call' }))
  const status = await screen.findByRole('alert')
  expect(status.textContent).toBe('Not sent. 535 5.7.8 Authentication failed')
})

test('the secret of a new webhook is shown once', async () => {
  const key = 'POST /api/alarm-channels'
  const { server, browser } = renderApp({
    path: '/dashboard/admin/alarm-channels/create',
    answers: {
      [key]: () => ({
        channel: buildChannel({ kind: 'webhook' }),
        new_secret: 'whsec_c2VjcmV0',
      }),
    },
  })
  await browser.type(await screen.findByLabelText(/Name/), 'Pager')
  await browser.click(screen.getByRole('combobox', { name: 'Kind' }))
  await browser.click(await screen.findByRole('option', { name: 'Webhook' }))
  await browser.type(screen.getByLabelText(/URL/), 'https://pager.example.com/in')
  await browser.click(screen.getByRole('button', { name: 'Add channel' }))
  expect(await screen.findByText('whsec_c2VjcmV0')).toBeTruthy()
  expect(server.bodiesOf(key)[0]).toMatchObject({
    kind: 'webhook',
    url: 'https://pager.example.com/in',
    secret: '',
  })
})
