import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import {
  choices,
  expectPane,
  findEditor,
  offered,
  pickAt,
  renderBuildRequest,
  succeed,
  typeInto,
} from '../../testing/build-request-screen.ts'
import { buildUser } from '../../testing/builders.ts'
import { refuse } from '../../testing/fake-server.ts'
import { buildWorkflowPreview } from '../../testing/workflow-builders.ts'
import { renderApp, watchConsoleErrors } from '../../testing/render-app.tsx'

const path = '/dashboard/admin/build-request'
const order = '{"id":12345678901234567890,"price":0.10,"huge":1E400,"lines":[{"sku":"A"}]}'
const answers = { 'GET /admin/get-data': () => succeed('Data fetched.', order) }

test('choices that cannot be loaded are said so in the spec’s words, and can be tried again', async () => {
  watchConsoleErrors()
  const { server, browser } = renderApp({
    path,
    answers: { 'GET /api/buildRequest': () => refuse('server.failed') },
  })
  expect(await screen.findByText('Failed to fetch endpoints.')).toBeTruthy()
  server.use({ 'GET /api/buildRequest': () => [choices] })
  await browser.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await screen.findByRole('form', { name: 'From endpoint' })).toBeTruthy()
})

test('without an endpoint to choose it says what to do', async () => {
  renderApp({ path, answers: { 'GET /api/buildRequest': () => [[]] } })
  const link = await screen.findByRole('link', { name: 'Create an endpoint' })
  expect(link.getAttribute('href')).toBe('/dashboard/admin/endpoint/create')
})

test('an endpoint is found by its path or API, and shown with its method', async () => {
  const { browser, card } = await renderBuildRequest()
  await browser.type(card.send.getByRole('combobox', { name: 'To endpoint' }), 'authority post')
  await waitFor(() =>
    expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual([
      'postFile invoice/invoices · Authority',
    ]),
  )
})

test('the form endpoint offers what reads alone, and says why', async () => {
  const { browser, card } = await renderBuildRequest()
  expect(
    card.get.getByText(/Get only reads: endpoints that may change something are not offered/),
  ).toBeTruthy()
  await browser.click(card.get.getByRole('combobox'))
  const options = await screen.findAllByRole('option')
  expect(options.map((option) => option.textContent)).toEqual(['getOne order/orders/{id} · Shop'])
})

test('Get shows the fetched JSON with its numbers as they came', async () => {
  const { server, browser, card, choose, fetchAsText, unfold } = await renderBuildRequest(answers)
  await choose('get', 'One order')
  await unfold('get')
  await browser.type(card.get.getByLabelText('Token'), 'upstream-token')
  typeInto(await findEditor('Body'), '{"id": 7}')
  await fetchAsText()

  expect(await screen.findByText('Data fetched.')).toBeTruthy()
  await expectPane(
    'Fetched JSON',
    '{\n  "id": 12345678901234567890,\n  "price": 0.10,\n  "huge": 1E400,\n' +
      '  "lines": [\n    {\n      "sku": "A"\n    }\n  ]\n}',
  )
  expect(card.get.getByText('Fetched · status 200 · 12 ms', { exact: false })).toBeTruthy()
  expect(server.requests.find(({ key }) => key === 'GET /admin/get-data')?.query).toEqual({
    end_point: '3',
    body: '{"id": 7}',
    token: 'upstream-token',
  })
})

test('Enter on a value adds a row for it, focuses the row, and says so', async () => {
  const { browser, choose, fetchAsText } = await renderBuildRequest(answers)
  await choose('get', 'One order')
  await fetchAsText()
  pickAt(await findEditor('Fetched JSON'), '0.10')
  const to = await screen.findByRole<HTMLInputElement>('textbox', { name: 'To' })
  await waitFor(() => expect(document.activeElement).toBe(to))
  expect(to.value).toBe('price')
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'From' }).value).toBe('price')
  expect(screen.getByText('Row 1 added for price.')).toBeTruthy()
  await expectPane('Mapped JSON Data', '{\n  "price": 0.10\n}')

  pickAt(await findEditor('Fetched JSON'), '"A"')
  await browser.click(await screen.findByRole('button', { name: 'Use every element [*]' }))
  await expectPane(
    'Mapped JSON Data',
    '{\n  "price": 0.10,\n  "lines": [\n    {\n      "sku": "A"\n    }\n  ]\n}',
  )
})

test('every value is mapped by its name in one press', async () => {
  const { browser, choose, fetchAsText } = await renderBuildRequest(answers)
  await choose('get', 'One order')
  await fetchAsText()
  pickAt(await findEditor('Fetched JSON'), '0.10')
  await browser.click(await screen.findByRole('button', { name: 'Map the rest by their names' }))
  await expectPane(
    'Mapped JSON Data',
    '{\n  "price": 0.10,\n  "id": 12345678901234567890,\n  "huge": 1E400,\n' +
      '  "lines": [\n    {\n      "sku": "A"\n    }\n  ]\n}',
  )
  expect(screen.getByText('3 rows added.')).toBeTruthy()
  expect(screen.queryByRole('button', { name: /by their names/ })).toBeNull()
})

test('Save as workflow takes both requests and the rows along', async () => {
  const { browser, choose } = await renderBuildRequest({
    ...answers,
    'GET /api/workflows/create': (request) => ({
      endpoints: offered(choices, request),
      lanes: [],
    }),
    'POST /api/workflows/preview': () => buildWorkflowPreview(),
  })
  await choose('get', 'One order')
  await browser.click(screen.getByRole('button', { name: 'Add Mapping' }))
  await browser.type(screen.getByRole('textbox', { name: 'To' }), 'number')
  await browser.click(screen.getByRole('link', { name: 'Save as workflow' }))
  await screen.findByRole('heading', { name: 'Create workflow' })
  const rail = within(await screen.findByRole('list', { name: 'Steps' }))
  await browser.click(await rail.findByRole('button', { name: /^Step 2/ }))
  const step = within(await screen.findByRole('region', { name: 'Step 2' }))
  expect((await step.findByRole<HTMLInputElement>('textbox', { name: 'To' })).value).toBe('number')
  expect(step.getByRole<HTMLSelectElement>('combobox', { name: 'Source' }).value).toBe(
    'steps.1.body',
  )
})

test('a row shows what From gives, takes a function, and moves by Alt and an arrow', async () => {
  const { browser, choose, fetchAsText } = await renderBuildRequest(answers)
  await choose('get', 'One order')
  await fetchAsText()
  pickAt(await findEditor('Fetched JSON'), '0.10')
  pickAt(await findEditor('Fetched JSON'), '"A"')
  const row = async (number: number) =>
    within(await screen.findByRole('row', { name: `Row ${number}` }))
  const fromOf = async (number: number) =>
    (await row(number)).getByRole<HTMLInputElement>('textbox', { name: 'From' })
  expect(await (await row(1)).findByText('0.10')).toBeTruthy()
  await browser.click(await fromOf(2))
  await browser.keyboard('{Alt>}{ArrowUp}{/Alt}')
  expect(screen.getByText('Row moved to place 1.')).toBeTruthy()
  expect((await fromOf(1)).value).toBe('lines[0].sku')
  expect(document.activeElement).toBe(await fromOf(1))
  await browser.click((await row(2)).getByRole('button', { name: 'Move row 2' }))
  await browser.keyboard('{ArrowUp}')
  expect((await fromOf(1)).value).toBe('price')
  await browser.click((await row(1)).getByRole('button', { name: 'Functions for From of row 1' }))
  await browser.click(await screen.findByRole('menuitem', { name: /^sha256/ }))
  expect((await fromOf(1)).value).toBe('sha256(price)')
  expect(await screen.findByText(/values of the source are read/)).toBeTruthy()
})

test('a mapping error is under its field and in the summary, and Send waits for it', async () => {
  const { browser, card } = await renderBuildRequest()
  await browser.click(screen.getByRole('button', { name: 'Add Mapping' }))
  const send = card.send.getByRole<HTMLButtonElement>('button', { name: 'Send' })
  await waitFor(() => expect(send.disabled).toBe(true))
  expect(card.send.getByText(/Correct the 2 problems in the mapping first\./)).toBeTruthy()
  expect(screen.queryAllByText('Fill in To.')).toEqual([])

  const input = screen.getByRole('textbox', { name: 'Custom Input' })
  await browser.type(input, 'abc')
  expect(await screen.findByText('Fill in To.')).toBeTruthy()
  await browser.click(screen.getByRole('button', { name: 'Row 1, To' }))
  await browser.keyboard('amount')
  await browser.click(screen.getByRole('combobox', { name: 'Type' }))
  await browser.click(await screen.findByRole('option', { name: /^integer A whole/ }))
  expect((await screen.findAllByText(/"abc" \(text\) is not a whole number/)).length).toBe(2)
  await waitFor(() => expect(input.getAttribute('aria-invalid')).toBe('true'))
  await browser.clear(input)
  await browser.type(input, '12')
  await expectPane('Mapped JSON Data', '{\n  "amount": 12\n}')
  await waitFor(() => expect(send.disabled).toBe(false))
})

test('Show JSON shows the rows as JSON text, and takes edits and pastes', async () => {
  const { browser } = await renderBuildRequest()
  await browser.click(screen.getByRole('button', { name: 'Add Mapping' }))
  await browser.type(screen.getByRole('textbox', { name: 'To' }), 'a')
  await browser.click(screen.getByRole('button', { name: 'Show JSON' }))
  const row =
    '[\n  {\n    "from": "",\n    "to": "a",\n    "custom_input": "",\n    "type": "auto"\n  }\n]'
  await expectPane('Mapping rows as JSON', row)

  const editor = await findEditor('Mapping rows as JSON')
  typeInto(editor, '[{"to": "b", "custom_input": "x"}')
  expect(await screen.findByRole('button', { name: 'Go to line 1' })).toBeTruthy()
  typeInto(editor, '[{"to": "b", "custom_input": "x", "comment": "why"}]')
  expect(await screen.findByText(/^Row 1: there is no field "comment"\./)).toBeTruthy()
  typeInto(editor, '[{"to": "b", "custom_input": "x"}, {"to": "c", "custom_input": "y"}]')
  await expectPane('Mapped JSON Data', '{\n  "b": "x",\n  "c": "y"\n}')
  await browser.click(screen.getByRole('button', { name: 'Show rows' }))
  expect(await screen.findAllByRole('button', { name: 'Remove' })).toHaveLength(2)
})

test('Remove takes a row away and moves the focus to where the next one is removed', async () => {
  const { browser } = await renderBuildRequest()
  await browser.click(screen.getByRole('button', { name: 'Add Mapping' }))
  await browser.click(screen.getByRole('button', { name: 'Add Mapping' }))
  await browser.click(screen.getAllByRole('button', { name: 'Remove' })[0] ?? document.body)
  const [left] = screen.getAllByRole('button', { name: 'Remove' })
  await waitFor(() => expect(document.activeElement).toBe(left))
  await browser.click(left ?? document.body)
  await waitFor(() =>
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Add Mapping' })),
  )
})

test('Get can be cancelled, and says what was wrong with its fields', async () => {
  const { server, browser, card } = await renderBuildRequest({
    'GET /admin/get-data': ({ signal }) =>
      new Promise<Response>((_, reject) => {
        signal?.addEventListener('abort', () => reject(new DOMException('', 'AbortError')))
      }),
  })
  await browser.click(card.get.getByRole('button', { name: 'Get' }))
  await browser.click(await card.get.findByRole('button', { name: 'Cancel' }))
  expect(await card.get.findByText('Cancelled.')).toBeTruthy()

  server.use({
    'GET /admin/get-data': () =>
      refuse('request.invalid', { end_point: ['Choose an endpoint.'], body: ['Needs id.'] }),
  })
  await browser.click(card.get.getByRole('button', { name: 'Get' }))
  expect(await card.get.findByText('Choose an endpoint.')).toBeTruthy()
  expect(card.get.getByText('Needs id.')).toBeTruthy()
  await waitFor(() => expect(document.activeElement).toBe(card.get.getByRole('combobox')))
})

test('a user who may only view requests can neither fetch nor send', async () => {
  const user = buildUser({ permissions: ['dashboard.view', 'request.view'] })
  const { card } = await renderBuildRequest({}, user)
  expect(card.get.getByRole<HTMLButtonElement>('button', { name: 'Get' }).disabled).toBe(true)
  expect(card.get.getByText('Your roles do not let you fetch.')).toBeTruthy()
  expect(card.send.getByRole<HTMLButtonElement>('button', { name: 'Send' }).disabled).toBe(true)
  expect(card.send.getByText('Your roles do not let you send.')).toBeTruthy()
})

test('rows are saved under a name, loaded, and saved over the version that was loaded', async () => {
  const saved = {
    id: 7,
    name: 'Invoices',
    rows_count: 1,
    version: 3,
    user_name: 'Ada',
    updated_at: '2026-11-30T08:15:00.000Z',
  }
  const rows = [{ from: 'id', to: 'no', custom_input: '', type: 'string' }]
  const sent: unknown[] = []
  const { browser } = await renderBuildRequest({
    'GET /api/mappings': () => [
      { data: [saved], per_page: 10, total: 1, current_page: 1, last_page: 1 },
    ],
    'GET /api/mappings/:id': () => ({ mapping: { ...saved, rows } }),
    'PUT /api/mappings/:id': ({ body }) => {
      sent.push(body)
      return { mapping: { ...saved, version: 4, rows } }
    },
  })
  const open = async () => {
    await browser.click(within(screen.getByRole('main')).getByRole('button', { name: 'More' }))
    await browser.click(await screen.findByRole('menuitem', { name: 'Saved mappings' }))
  }
  await open()
  await browser.click(await screen.findByRole('button', { name: 'Load Invoices' }))
  const from = await screen.findByRole<HTMLInputElement>('textbox', { name: 'From' })
  expect(from.value).toBe('id')
  await open()
  await browser.click(await screen.findByRole('button', { name: 'Save next version' }))
  await waitFor(() => expect(sent).toEqual([{ name: 'Invoices', rows, version: 3 }]))
})
