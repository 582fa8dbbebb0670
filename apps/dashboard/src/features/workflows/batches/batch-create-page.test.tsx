import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { buildPage, buildUser } from '../../../testing/builders.ts'
import { refuse, type Answers } from '../../../testing/fake-server.ts'
import { renderApp, watchConsoleErrors } from '../../../testing/render-app.tsx'
import { buildBatch, buildWorkflow } from '../../../testing/workflow-builders.ts'

const checkKey = 'POST /api/workflows/:slug/batches/check'
const startKey = 'POST /api/workflows/:slug/batches'
const file = new File(['number,total\nA,1\n'], 'june.csv', { type: 'application/vnd.ms-excel' })
const good = {
  total: 2,
  bad: 0,
  rows: [
    { line: 1, input: '{"number":"A","total":1.10,"customer":{"name":"Nour"}}', reference: 'A' },
    { line: 2, input: '{"number":"B","lines":[1]}', reference: 'B' },
  ],
  problems: [],
}

async function open(answers: Answers = {}, user = buildUser()) {
  const app = renderApp({
    path: '/dashboard/admin/workflows/7/batches/new',
    user,
    answers: { 'GET /api/workflows/:id': () => buildWorkflow(), ...answers },
  })
  await screen.findByText('Drop a file here, or choose one')
  const choose = async (chosen = file) =>
    app.browser.upload(document.querySelector<HTMLInputElement>('input[type=file]')!, chosen)
  return { ...app, choose }
}

test('a file is checked as it is, and its first rows are shown with exact numbers', async () => {
  const { server, choose } = await open({ [checkKey]: () => good })
  await choose()
  const table = within(await screen.findByRole('table', { name: 'First rows' }))
  const heads = table.getAllByRole('columnheader').map(({ textContent }) => textContent)
  expect(heads).toEqual(['Row', 'number', 'total', 'customer.name', 'lines'])
  expect(table.getByRole('cell', { name: '1.10' })).toBeTruthy()
  expect(table.getByRole('cell', { name: '[1]' })).toBeTruthy()
  const check = server.requests.find(({ key }) => key === checkKey)
  expect(check?.headers.get('content-type')).toBe('text/csv')
  expect(check?.body).toBe(file)
  expect(server.requests.some(({ key }) => key === startKey)).toBe(false)
})

test('each problem is named with its row and field, and nothing can be sent', async () => {
  const problems = [
    { line: 3, errors: { '/total': ['"ten" (text) is not a number.'] } },
    { line: 9, errors: { '': ['The row has 1 cell and the header 2.'] } },
  ]
  const { choose } = await open({
    [checkKey]: () => ({ ...good, total: 1000, bad: 3, problems }),
  })
  await choose()
  await screen.findByText('3 rows of 1,000 can’t be sent')
  const figure = (name: string) => screen.getByText(name).nextElementSibling?.textContent
  expect([figure('Rows'), figure('Can be sent'), figure('Can’t be sent')]).toEqual([
    '1,000',
    '997',
    '3',
  ])
  const items = within(screen.getByRole('list', { name: 'Problems' })).getAllByRole('listitem')
  expect(items.map((item) => [...item.children].map(({ textContent }) => textContent))).toEqual([
    ['Row 3', 'total', '"ten" (text) is not a number.'],
    ['Row 9', 'the whole row', 'The row has 1 cell and the header 2.'],
  ])
  expect(screen.getByText('And 1 more row.')).toBeTruthy()
  expect(screen.queryByRole('button', { name: /^Send/ })).toBeNull()
})

test('a corrected file is chosen again under the same name, checked again and sent', async () => {
  let checked = 0
  const { choose } = await open({
    [checkKey]: () => (++checked === 1 ? { ...good, bad: 1, problems: [] } : good),
  })
  await choose()
  await screen.findByText('1 row of 2 can’t be sent')
  await choose()
  expect(await screen.findByRole('button', { name: 'Send 2 rows' })).toBeTruthy()
})

test('a file is sent once, however often it is tried, and leads to its batch', async () => {
  const { server, browser, choose, address } = await open({
    [checkKey]: () => good,
    [startKey]: () => refuse('server.busy'),
    'GET /api/workflows/:slug/batches/:id': () => ({ batch: buildBatch({ counts: {} }) }),
    'GET /api/workflows/:slug/batches/:id/lines': () => buildPage([]),
  })
  await choose()
  await browser.click(await screen.findByRole('button', { name: 'Send 2 rows' }))
  expect(await screen.findByText('The file was not sent')).toBeTruthy()
  server.use({ [startKey]: () => ({ batch: buildBatch() }) })
  await browser.click(screen.getByRole('button', { name: 'Send 2 rows' }))
  await waitFor(() => expect(address()).toBe('/dashboard/admin/workflows/7/batches/5'))
  const sent = server.requests.filter(({ key }) => key === startKey)
  const keys = sent.map(({ headers }) => headers.get('idempotency-key'))
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/)
  expect(keys).toEqual([keys[0], keys[0]])
  expect(sent[1]?.query).toEqual({ test: '0', file_name: 'june.csv' })
  expect(sent[1]?.body).toBe(file)
})

test('invoices of a test are sent under another key, by people who may send them', async () => {
  const { server, browser, choose } = await open({
    [checkKey]: () => good,
    [startKey]: () => refuse('server.busy'),
  })
  await choose()
  const send = () => browser.click(screen.getByRole('button', { name: 'Send 2 rows' }))
  await screen.findByRole('button', { name: 'Send 2 rows' })
  await send()
  await browser.click(screen.getByRole('switch', { name: /Test invoices/ }))
  await send()
  const sent = () => server.requests.filter(({ key }) => key === startKey)
  await waitFor(() => expect(sent()).toHaveLength(2))
  expect(sent().map(({ query }) => query['test'])).toEqual(['0', '1'])
  const keys = new Set(sent().map(({ headers }) => headers.get('idempotency-key')))
  expect(keys.size).toBe(2)
})

test('without the permission there is no switch for test invoices', async () => {
  const user = buildUser()
  const permissions = user.permissions.filter((name) => name !== 'tax.test')
  await open({}, { ...user, permissions })
  expect(screen.queryByRole('switch')).toBeNull()
})

test('a refusal that names lines lists them', async () => {
  const { browser, choose } = await open({
    [checkKey]: () => good,
    [startKey]: () => refuse('request.invalid', { 'line 2 /total': ['This is missing.'] }),
  })
  await choose()
  await browser.click(await screen.findByRole('button', { name: 'Send 2 rows' }))
  const list = within(await screen.findByRole('list', { name: 'Problems' }))
  expect(list.getByRole('listitem').textContent).toBe('Row 2totalThis is missing.')
})

test('a file that can’t be read as a whole says why; a busy server can be asked again', async () => {
  watchConsoleErrors()
  const { server, browser, choose } = await open({
    [checkKey]: () => refuse('request.invalid', { header: ['The column a is there twice.'] }),
  })
  await choose()
  expect(await screen.findByText('The column a is there twice.')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Check again' })).toBeNull()
  server.use({ [checkKey]: () => refuse('server.busy') })
  await choose()
  const again = await screen.findByRole('button', { name: 'Check again' })
  server.use({ [checkKey]: () => good })
  await browser.click(again)
  expect(await screen.findByRole('button', { name: 'Send 2 rows' })).toBeTruthy()
})

test('a file that changed since it was chosen has to be chosen again', async () => {
  watchConsoleErrors()
  const changed = new File(['a'], 'june.csv')
  const unreadable = { arrayBuffer: () => Promise.reject(new DOMException('', 'NotReadableError')) }
  Object.defineProperty(changed, 'slice', { value: () => unreadable })
  const { choose } = await open({ [checkKey]: () => Promise.reject(new TypeError('failed')) })
  await choose(changed)
  expect(
    await screen.findByText('The file has changed since it was chosen. Choose it again.'),
  ).toBeTruthy()
})

test('a file is dropped; one of another kind is not sent anywhere', async () => {
  const { server } = await open({ [checkKey]: () => good })
  const drop = (dropped: File) =>
    fireEvent.drop(screen.getByTestId('drop'), {
      dataTransfer: { files: [dropped], types: ['Files'] },
    })
  drop(new File(['x'], 'june.xlsx'))
  expect((await screen.findByRole('alert')).textContent).toMatch(/must end in \.csv/)
  expect(server.requests.some(({ key }) => key === checkKey)).toBe(false)
  drop(file)
  expect(await screen.findByRole('button', { name: 'Send 2 rows' })).toBeTruthy()
  expect(screen.queryByRole('alert')).toBeNull()
})

test('a header without rows is nothing to send', async () => {
  const { choose } = await open({
    [checkKey]: () => ({ total: 0, bad: 0, rows: [], problems: [] }),
  })
  await choose()
  expect(await screen.findByText('There is no row in this file')).toBeTruthy()
  expect(screen.queryByRole('button', { name: /^Send/ })).toBeNull()
})

const badCsv = 'number,total\nA,1\nB,ten\nC,twelve\n'
const badFile = () => new File([badCsv], 'june.csv', { type: 'text/csv' })
const badCheck = {
  total: 3,
  bad: 2,
  rows: [{ line: 1, input: '{"number":"A","total":1}', reference: 'A' }],
  problems: [
    {
      line: 2,
      errors: { '/total': ['"ten" (text) is not a number.'] },
      reference: 'B',
      file_line: 3,
      cells: ['B', 'ten'],
    },
    {
      line: 3,
      errors: { '/total': ['"twelve" (text) is not a number.'] },
      reference: 'C',
      file_line: 4,
      cells: ['C', 'twelve'],
    },
  ],
  csv: {
    columns: ['number', 'total'],
    header_bytes: 13,
    bad_rows: [
      { line: 2, from: 17, to: 23 },
      { line: 3, from: 23, to: 32 },
    ],
  },
}

test('equal faults are one, with the line, the reference and the value of each row', async () => {
  const { choose } = await open({ [checkKey]: () => badCheck })
  await choose(badFile())
  const list = within(await screen.findByRole('list', { name: 'Problems' }))
  expect(list.getByRole('listitem').textContent).toBe(
    '2 rowstotal"ten" (text) is not a number.line 3, B, "ten" · line 4, C, "twelve"',
  )
})

test('bad rows are mended in their place, and the file is checked again', async () => {
  let checks = 0
  const { server, browser, choose } = await open({
    [checkKey]: () => (++checks === 1 ? badCheck : { ...good, total: 3 }),
  })
  await choose(badFile())
  const field = await screen.findByRole('textbox', { name: 'total, line 3' })
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Check again' }).disabled).toBe(true)
  await browser.clear(field)
  await browser.type(field, '10')
  await browser.click(screen.getByRole('button', { name: 'Check again' }))
  await screen.findByRole('button', { name: 'Send 3 rows' })
  const [, second] = server.requests.filter(({ key }) => key === checkKey)
  expect(await (second!.body as File).text()).toBe('number,total\nA,1\nB,10\r\nC,twelve\n')
})

test('the rows that fit are sent without the others, under a key of their own', async () => {
  const { server, browser, choose } = await open({
    [checkKey]: () => badCheck,
    [startKey]: () => refuse('server.busy'),
  })
  await choose(badFile())
  const send = async () =>
    browser.click(await screen.findByRole('button', { name: 'Send only what fits: 1 row' }))
  await send()
  await screen.findByText('The file was not sent')
  await send()
  const sent = () => server.requests.filter(({ key }) => key === startKey)
  await waitFor(() => expect(sent()).toHaveLength(2))
  const [first, second] = sent()
  expect(await (first!.body as File).text()).toBe('number,total\nA,1\n')
  expect(first?.headers.get('idempotency-key')).toMatch(/-good$/)
  expect(second?.headers.get('idempotency-key')).toBe(first?.headers.get('idempotency-key'))
})
