import type {
  ReconciliationLine,
  ReconciliationRecord,
  ReconciliationResult,
} from '@gatehouse/contract'
import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { choices, offered } from '../../testing/build-request-screen.ts'
import { buildPage, buildUser } from '../../testing/builders.ts'
import { refuse, type Answers } from '../../testing/fake-server.ts'
import { renderApp, watchConsoleErrors } from '../../testing/render-app.tsx'
import { buildWorkflow, buildWorkflowRow } from '../../testing/workflow-builders.ts'

const at = '/dashboard/admin/reconciliation'
const listKey = 'GET /api/reconciliations'
const oneKey = 'GET /api/reconciliations/:id'
const resultsKey = 'GET /api/reconciliations/:id/results'
const resultKey = 'GET /api/reconciliations/:id/results/:result'
const linesKey = 'GET /api/reconciliations/:id/results/:result/lines'

const buildResult = (changes: Partial<ReconciliationResult> = {}): ReconciliationResult => ({
  id: 4,
  from_day: '2026-11-21',
  to_day: '2026-11-21',
  state: 'done',
  is_by_hand: false,
  created_at: '2026-11-22T05:00:00.000Z',
  ended_at: '2026-11-22T05:00:02.000Z',
  message: null,
  counts: { erp: 1200, ledger: 1199, authority: null, agreeing: 1198, differing: 2 },
  differences: { missing_here: 1, amount: 1 },
  ...changes,
})
const running = { state: 'running', ended_at: null, differences: {} } as const

const list = {
  endpoint_id: 3,
  request: '',
  items_path: 'data',
  reference_path: 'no',
  amount_path: 'total',
}
const buildRecord = (changes: Partial<ReconciliationRecord> = {}): ReconciliationRecord => ({
  id: 2,
  version: 5,
  name: 'Day by day',
  kind: 'tax',
  workflow_id: 77,
  register: '',
  erp: list,
  authority: null,
  amount_path: 'total',
  cron: '0 6 * * *',
  time_zone: 'Europe/Berlin',
  user: { id: 1, name: 'Ada Admin' },
  next_run_at: '2026-11-23T05:00:00.000Z',
  last_result: buildResult(),
  ...changes,
})
const line: ReconciliationLine = {
  id: 1,
  kind: 'amount',
  reference: 'INV-1',
  erp_amount: '119.00',
  ledger_amount: '119.01',
  authority_amount: null,
  state: 'accepted',
  document_id: 9,
  register: 'default',
  run_id: 41,
}
const missing: ReconciliationLine = {
  ...line,
  id: 2,
  kind: 'missing_here',
  reference: 'INV-2',
  ledger_amount: null,
  state: null,
  document_id: null,
  run_id: null,
}

function open(path: string, answers: Answers, permissions?: readonly string[]) {
  const user = buildUser()
  const held = user.permissions.filter((name) => permissions?.includes(name) ?? true)
  return renderApp({ path, user: { ...user, permissions: held }, answers })
}
/** What the form asks for beside the record. */
const forForm: Answers = {
  'GET /api/workflows': ({ query }) =>
    buildPage(
      [buildWorkflowRow(), buildWorkflowRow({ id: 8, name: 'Credit notes' })].filter(({ name }) =>
        name.toLowerCase().includes((query['search'] ?? '').toLowerCase()),
      ),
    ),
  'GET /api/workflows/:id': () => buildWorkflow({ id: 77, name: 'Receipts' }),
  'GET /api/workflows/create': (request) => ({ endpoints: offered(choices, request), lanes: [] }),
  'POST /api/schedules/times': () => ({ times: ['2026-11-23T05:00:00.000Z'] }),
}

const useFakeIntervals = () =>
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'], shouldAdvanceTime: true })
const passSeconds = (seconds: number) => act(() => vi.advanceTimersByTimeAsync(seconds * 1_000))
afterEach(() => vi.useRealTimers())

test('the list has the last result of each comparison, and follows one under way', async () => {
  useFakeIntervals()
  const { server } = open(at, {
    [listKey]: () => buildPage([buildRecord({ last_result: buildResult(running) })]),
  })
  const table = within(await screen.findByRole('table'))
  expect(table.getByRole('link', { name: 'Day by day' }).getAttribute('href')).toBe(`${at}/2`)
  expect(table.getByText('Running')).toBeTruthy()
  server.use({ [listKey]: () => buildPage([buildRecord()]) })
  await passSeconds(3)
  expect(await table.findByText('Differs')).toBeTruthy()
})

test('a list without comparisons says what one is for', async () => {
  open(at, { [listKey]: () => buildPage([]) }, ['reconciliation.view'])
  expect(await screen.findByText('No comparisons yet')).toBeTruthy()
  expect(screen.queryByRole('link', { name: 'New comparison' })).toBeNull()
})

test('the days are compared by hand, and a comparison that ends at once is in the list', async () => {
  let results: ReconciliationResult[] = []
  const { server, browser } = open(`${at}/2`, {
    [oneKey]: () => ({ reconciliation: buildRecord() }),
    [resultsKey]: () => buildPage(results),
    'POST /api/reconciliations/:id/run': () => {
      results = [buildResult()]
      return { result: buildResult({ ...running, state: 'queued' }) }
    },
  })
  expect(await screen.findByText('Nothing was compared yet')).toBeTruthy()
  await browser.click(screen.getByRole('button', { name: 'Compare' }))
  const row = within(await screen.findByRole('table'))
  expect(row.getByText('Missing here 1')).toBeTruthy()
  expect(row.getByText('Amounts differ 1')).toBeTruthy()
  expect(server.bodiesOf('POST /api/reconciliations/:id/run')).toHaveLength(1)
})

test('days that can’t be compared say why', async () => {
  const { browser } = open(`${at}/2`, {
    [oneKey]: () => ({ reconciliation: buildRecord() }),
    [resultsKey]: () => buildPage([]),
    'POST /api/reconciliations/:id/run': () =>
      refuse('request.invalid', { to_day: ['Compare at most 31 days at a time.'] }),
  })
  watchConsoleErrors()
  await browser.click(await screen.findByRole('button', { name: 'Compare' }))
  expect(await screen.findByText('Compare at most 31 days at a time.')).toBeTruthy()
})

test('a result has its counts and a line for each difference, narrowed at the server', async () => {
  const { server, browser } = open(`${at}/2/results/4`, {
    [resultKey]: () => ({ name: 'Day by day', result: buildResult() }),
    [linesKey]: ({ query }) => buildPage(query['kind'] === 'amount' ? [line] : [line, missing]),
  })
  expect(await screen.findByText('1,200')).toBeTruthy()
  const table = within(await screen.findByRole('table'))
  expect(table.getByRole('link', { name: 'INV-1' }).getAttribute('href')).toMatch(/documents\/9$/)
  expect(table.getByText('INV-2').tagName).not.toBe('A')
  await browser.click(screen.getByRole('combobox', { name: 'Which differences' }))
  await browser.click(await screen.findByRole('option', { name: 'Amounts differ' }))
  await waitFor(() => expect(table.queryByText('INV-2')).toBeNull())
  expect(server.requests.at(-1)?.query).toMatchObject({ kind: 'amount' })
})

test('a result under way is followed to its end; one that failed has its message', async () => {
  useFakeIntervals()
  const { server } = open(`${at}/2/results/4`, {
    [resultKey]: () => ({ name: 'Day by day', result: buildResult(running) }),
  })
  expect(await screen.findByText('The lists are being compared.')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'CSV' })).toBeNull()
  const message = 'The list of the ERP: There is no list at data.'
  const failed = buildResult({ ...running, state: 'failed', message })
  server.use({ [resultKey]: () => ({ name: 'Day by day', result: failed }) })
  await passSeconds(3)
  expect(await screen.findByText(message)).toBeTruthy()
})

test('a stored workflow is shown by its name, another is searched for by its name and saved', async () => {
  const { server, browser } = open(`${at}/edit/2`, {
    ...forForm,
    [oneKey]: () => ({ reconciliation: buildRecord() }),
    'PUT /api/reconciliations/:id': () => ({ reconciliation: buildRecord() }),
    [resultsKey]: () => buildPage([]),
  })
  const workflow = await screen.findByRole('combobox', { name: 'Workflow' })
  await waitFor(() => expect((workflow as HTMLInputElement).value).toBe('Receipts'))
  await browser.clear(workflow)
  await browser.type(workflow, 'Credit')
  await browser.click(await screen.findByRole('option', { name: 'Credit notes' }))
  await browser.click(screen.getByRole('button', { name: 'Save comparison' }))
  await waitFor(() =>
    expect(server.bodiesOf('PUT /api/reconciliations/:id')).toMatchObject([
      { workflow_id: '8', version: 5 },
    ]),
  )
})

test('the form shows the next moments, and that a blank expression means by hand', async () => {
  const { browser } = open(`${at}/create`, forForm)
  const moments = await screen.findByRole('list', { name: 'Next moments' })
  expect(within(moments).getAllByRole('listitem')).toHaveLength(1)
  await browser.click(screen.getByRole('combobox', { name: 'How often' }))
  await browser.click(await screen.findByRole('option', { name: 'By hand only' }))
  expect(await screen.findByText('It is started by hand.')).toBeTruthy()
  expect(screen.queryByRole('list', { name: 'Next moments' })).toBeNull()
})
