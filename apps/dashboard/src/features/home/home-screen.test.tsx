import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type {
  AuditEvent,
  AuthorityDay,
  HomeAnswer,
  LaneRecord,
  RunListItem,
  WaitingRuns,
} from '@gatehouse/contract'
import { buildPage, buildUser } from '../../testing/builders.ts'
import { buildRunRow } from '../../testing/run-builders.ts'
import { buildTraffic } from '../../testing/traffic-builders.ts'
import { buildArchive } from '../../testing/archive-builders.ts'
import { refuse, type Answers } from '../../testing/fake-server.ts'
import { renderApp, watchConsoleErrors } from '../../testing/render-app.tsx'

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000 - 500).toISOString()
const days = Array.from({ length: 14 }, (_, at) => `2026-06-${String(at + 1).padStart(2, '0')}`)

const waiting = (changes: Partial<WaitingRuns>): WaitingRuns => ({
  state: 'unknown',
  total: 1,
  has_more: false,
  oldest_at: ago(180),
  ...changes,
})

const authority = (changes: Partial<AuthorityDay> = {}): AuthorityDay => ({
  api: { id: 7, name: 'Tax office' },
  register: 'Tax office',
  today: { accepted: 1204, unknown: 2 },
  days: days.map((_, at) => ({ accepted: 100 * at, not_accepted: at, unresolved: 0 })),
  unknown: { documents: 2, oldest_at: ago(180) },
  pending: null,
  deadline_at: null,
  ...changes,
})

const answerOf = (authorities: AuthorityDay[] = [], runs: WaitingRuns[] = []): HomeAnswer => ({
  waiting: runs,
  documents: { days, authorities },
})

const open = (home: HomeAnswer, answers: Answers = {}, user = buildUser()) =>
  renderApp({
    path: '/dashboard',
    user,
    answers: { 'GET /api/apis': () => buildPage([]), 'GET /api/home': () => home, ...answers },
  })

const panel = async (name: string) => within(await screen.findByRole('region', { name }))
const listed = async (name: string) =>
  within(await (await panel('What needs you')).findByRole('list', { name })).findAllByRole('link')
const numbers = async () =>
  (await listed('How many')).map((link) => [link.textContent, link.getAttribute('href')])

test('runs that wait for a release are listed by their names, before the others', async () => {
  const row = (id: number, state: RunListItem['state'], reference: string) =>
    buildRunRow({ id, state, reference, created_at: ago(180) })
  open(answerOf([], [waiting({ state: 'waits_for_release' }), waiting({})]), {
    'GET /api/runs': ({ query }) =>
      buildPage([
        query['state'] === 'waits_for_release'
          ? row(31, 'waits_for_release', 'INV-31')
          : row(30, 'unknown', 'INV-30'),
      ]),
  })
  await screen.findByRole('link', { name: 'Decide INV-31' })
  const links = await listed('The first of them')
  expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['INV-31', '/dashboard/admin/runs/31'],
    ['Decide INV-31', '/dashboard/admin/runs/31'],
    ['INV-30', '/dashboard/admin/runs/30'],
    ['Resolve INV-30', '/dashboard/admin/runs/30'],
  ])
})

test('each number leads to the list that it counts; zeros are left out', async () => {
  open(
    answerOf(
      [],
      [
        waiting({ total: 3 }),
        waiting({ state: 'pending', total: 12 }),
        waiting({ state: 'rejected', total: 10_000, has_more: true }),
        waiting({ state: 'blocked', total: 0, oldest_at: null }),
      ],
    ),
  )
  expect(await numbers()).toEqual([
    ['3Outcome unknown', '/dashboard/admin/unclear?state=unknown'],
    ['12Taken, not decided', '/dashboard/admin/runs?state=pending'],
    ['10,000+Rejected', '/dashboard/admin/runs?state=rejected&work=open'],
  ])
  expect((await panel('What needs you')).getAllByTitle(/Oldest: 3 hours/)).toHaveLength(3)
})

test('lanes in outage and paused ones come first, and the list of lanes shows as many', async () => {
  const lane = (id: number, state: LaneRecord['state']): LaneRecord => ({
    id,
    name: `lane ${id}`,
    state,
    workflows: [],
    concurrency: 1,
    per_second: null,
    per_minute: null,
    per_hour: null,
    max_age_minutes: null,
    is_strict_order: false,
    depth: 0,
    running: 0,
    oldest_at: null,
    deadline_at: null,
    rate_per_minute: 0,
    waiting_for: null,
    next_try_at: null,
    outage_since: null,
    paused: state === 'paused' ? { at: ago(1), by: 'Ada', reason: '' } : null,
  })
  const lanes = (['outage', 'working', 'outage', 'paused'] as const).map((state, at) =>
    lane(at + 1, state),
  )
  const { browser } = open(answerOf([], [waiting({})]), { 'GET /api/lanes': () => ({ lanes }) })
  await screen.findByRole('link', { name: /Paused lanes/ })
  expect((await numbers()).map(([text]) => text)).toEqual([
    '2Lanes in outage',
    '1Paused lanes',
    '1Outcome unknown',
  ])
  await browser.click(screen.getByRole('link', { name: /Lanes in outage/ }))
  expect(await screen.findByText(/2 of 4 lanes: outage/)).toBeTruthy()
  const shown = await screen.findAllByRole('region', { name: /^lane \d$/ })
  expect(shown).toHaveLength(2)
  await browser.click(screen.getByRole('link', { name: 'Show all lanes' }))
  expect(await screen.findAllByRole('region', { name: /^lane \d$/ })).toHaveLength(4)
})

test('open alarms lead to the list of open ones', async () => {
  const { server } = open(answerOf(), { 'GET /api/alarms': () => buildPage([], 4) })
  await screen.findByRole('link', { name: /Open alarms/ })
  expect(await numbers()).toEqual([['4Open alarms', '/dashboard/admin/alarms?state=open']])
  const asked = server.requests.find(({ key }) => key === 'GET /api/alarms')
  expect(asked?.query).toMatchObject({ state: 'open' })
})

test('an open circuit breaker is named, and leads to the figures of the gateway', async () => {
  const breaker = {
    api_id: 3,
    api: 'Orders',
    since: ago(7),
    servers: [
      { name: 'erp-1', workers: 2 },
      { name: 'erp-2', workers: 1 },
    ],
  }
  open(answerOf(), { 'GET /api/traffic': () => ({ ...buildTraffic(), open_breakers: [breaker] }) })
  await screen.findByRole('link', { name: /Open circuit breakers/ })
  expect(await numbers()).toEqual([['1Open circuit breakers', '/dashboard/admin/traffic']])
  const traffic = await panel('Gateway traffic')
  expect(traffic.getByText('A circuit breaker is open')).toBeTruthy()
  expect(traffic.getByText('for 7 minutes, on erp-1 (2 workers), erp-2 (1 worker)')).toBeTruthy()
  expect(traffic.getByRole('link', { name: 'Orders' }).getAttribute('href')).toBe(
    '/dashboard/admin/api/edit/3',
  )
})

test('an archive that stopped needs somebody, and its growth is shown', async () => {
  const archive = buildArchive()
  const problem = { code: 'disk_full' as const, text: 'ENOSPC', at: ago(60) }
  open(answerOf(), {
    'GET /api/archive': () => ({ ...archive, round: { ...archive.round, problem } }),
  })
  await screen.findByRole('link', { name: /Archive stopped/ })
  expect(await numbers()).toEqual([['1Archive stopped', '/dashboard/admin/archive']])
  const storage = await panel('Storage')
  expect(await storage.findByText('Database, 1.0 GiB')).toBeTruthy()
  expect(storage.getByText('by 1.0 MiB a day · 2.0 GiB are free · full in 2,048 days')).toBeTruthy()
  expect(storage.getByText('2.0 GiB are free')).toBeTruthy()
})

test('what needs somebody is there by its name and age, the button leads to it', async () => {
  const run = (changes: Partial<RunListItem>) => buildRunRow({ created_at: ago(180), ...changes })
  const { server } = open(answerOf([], [waiting({ total: 2 })]), {
    'GET /api/runs': () =>
      buildPage([
        run({ id: 5, state: 'unknown', reference: 'INV-5' }),
        run({ id: 6, state: 'rejected', reference: null }),
      ]),
  })
  const links = await listed('The first of them')
  expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['INV-5', '/dashboard/admin/runs/5'],
    ['Resolve INV-5', '/dashboard/admin/runs/5'],
    ['Run 6', '/dashboard/admin/runs/6'],
    ['Correct Run 6', '/dashboard/admin/runs/6'],
  ])
  expect((await panel('What needs you')).getAllByText('3 hours')).toHaveLength(2)
  const asked = server.requests.find(({ key }) => key === 'GET /api/runs')
  expect(asked?.query).toMatchObject({ work: 'open', sort: 'created_at' })
})

test('an API whose requests fail now leads to those requests', async () => {
  const since = ago(20)
  const failing = { api_id: 3, api: 'Warehouse', since, requests: 1_200, errors: 1_080 }
  open(answerOf(), { 'GET /api/traffic': () => ({ ...buildTraffic(), failing_now: [failing] }) })
  const now = await panel('Failing now')
  expect(now.getByRole('listitem').textContent).toMatch(/1,080 of 1,200 failing at Warehouse since/)
  const why = new URLSearchParams({ api: '3', status: 'failed', from: since })
  expect(now.getByRole('link', { name: /^See why/ }).getAttribute('href')).toBe(
    `/dashboard/admin/gateway-requests?${why}`,
  )
})

test('without the right to see requests it leads to the figures', async () => {
  const failing = { api_id: 3, api: 'Warehouse', since: ago(1), requests: 1, errors: 1 }
  const user = buildUser({ permissions: ['dashboard.view'] })
  const traffic = () => ({ ...buildTraffic(), failing_now: [failing] })
  open(answerOf(), { 'GET /api/traffic': traffic }, user)
  const link = await screen.findByRole('link', { name: /^See why/ })
  expect(link.getAttribute('href')).toBe('/dashboard/admin/traffic')
})

test('the documents of today lead to the list of that API, state and day', async () => {
  open(answerOf([authority()]))
  const documents = await panel('Documents today')
  expect(documents.getByText('1,206 documents today')).toBeTruthy()
  const link = documents.getByRole('link', { name: '2 outcome unknown' })
  expect(link.getAttribute('href')).toBe(
    '/dashboard/admin/documents?state=unknown&api=7&test=0&from=2026-06-14&to=2026-06-14',
  )
  expect(documents.getByText('undecided for 3 hours')).toBeTruthy()
  expect(
    documents.getByRole('img', {
      name: 'Last 14 days: 9,100 accepted, 91 not accepted, 0 unresolved',
    }),
  ).toBeTruthy()
})

test.each([
  [30, 'first deadline in 29 minutes'],
  [-1, 'deadline has passed'],
  [600, 'first deadline in 9 hours'],
])('a deadline in %i minutes is in words: %s', async (minutes, words) => {
  open(answerOf([authority({ unknown: null, deadline_at: ago(-minutes) })]))
  expect((await panel('Documents today')).getByText(words)).toBeTruthy()
})

test('of many authorities eight are shown until the rest is asked for', async () => {
  const many = Array.from({ length: 11 }, (_, at) =>
    authority({ api: { id: at + 1, name: at === 10 ? null : `Office ${at}` } }),
  )
  const { browser } = open(answerOf(many))
  const documents = await panel('Documents today')
  expect(documents.getAllByRole('listitem')).toHaveLength(8)
  await browser.click(documents.getByRole('button', { name: 'Show all 11 authorities' }))
  expect(documents.getAllByRole('listitem')).toHaveLength(11)
  expect(documents.getByText('API 11 (deleted)')).toBeTruthy()
})

test('a new installation says in two lines that nothing is there', async () => {
  open(answerOf())
  expect(await screen.findByText('Nothing needs you now.')).toBeTruthy()
  expect(
    screen.getByText(/shown here once a run has sent one.*names a document reference path/),
  ).toBeTruthy()
  for (const name of ['Documents today', 'Lanes', 'Changed last'])
    expect(screen.queryByRole('region', { name })).toBeNull()
})

test('the newest changes, without sign-ins and refusals', async () => {
  const event = (id: number, changes: Partial<AuditEvent>): AuditEvent => ({
    id,
    at: ago(5),
    actor_id: 1,
    actor: 'Ada',
    address: '127.0.0.1',
    request_id: 'r',
    action: 'api.update',
    outcome: 'done',
    thing: 'api',
    thing_id: 7,
    thing_name: `Thing ${id}`,
    times: 1,
    before: {},
    after: {},
    can_restore: false,
    ...changes,
  })
  const events = [
    event(1, { action: 'session.login', thing: 'session', after: null, before: null }),
    event(2, { outcome: 'refused' }),
    ...Array.from({ length: 9 }, (_, at) => event(at + 3, {})),
  ]
  open(answerOf(), { 'GET /api/audit': () => buildPage(events) })
  const changes = await panel('Changed last')
  expect(await changes.findAllByRole('listitem')).toHaveLength(8)
  expect(changes.getByText('Thing 3')).toBeTruthy()
  expect(changes.queryByText('Thing 11')).toBeNull()
})

test('each part says itself that it could not be loaded; the others are there', async () => {
  watchConsoleErrors()
  const failed = () => refuse('server.failed')
  open(answerOf(), {
    'GET /api/home': failed,
    'GET /api/lanes': failed,
    'GET /api/audit': failed,
  })
  expect(await screen.findByText('What waits for you could not be loaded.')).toBeTruthy()
  expect(await screen.findByText('The lanes could not be loaded.')).toBeTruthy()
  expect(await screen.findByText('The latest changes could not be loaded.')).toBeTruthy()
  expect(await screen.findByText('No requests in the last hour.')).toBeTruthy()
})

test('what the user may not see is neither shown nor asked for', async () => {
  const user = buildUser({ permissions: ['dashboard.view'] })
  const { server } = open(answerOf(), {}, user)
  await screen.findByText('No requests in the last hour.')
  expect(screen.queryByRole('region', { name: 'What needs you' })).toBeNull()
  const asked = new Set(server.requests.map(({ key }) => key))
  for (const key of ['GET /api/home', 'GET /api/lanes', 'GET /api/sign-ins', 'GET /api/audit'])
    expect(asked.has(key), key).toBe(false)
})
