import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { expectPane, renderBuildRequest, succeed } from '../../../testing/build-request-screen.ts'

const fetched = '{"id":7,"customer":{"name":"Ada","tags":["new"],"town":"Oslo"}}'
const answers = { 'GET /admin/get-data': () => succeed('Data fetched.', fetched) }

const row = (number: number) => within(screen.getByRole('row', { name: `Row ${number}` }))
const field = (number: number, name: string) =>
  row(number).getByRole<HTMLInputElement>('textbox', { name })
const targets = () =>
  screen.getAllByRole<HTMLInputElement>('textbox', { name: 'To' }).map(({ value }) => value)

/** A paste of cells into a field, as the browser reports it. */
function paste(target: HTMLElement, text: string) {
  fireEvent.paste(target, { clipboardData: { getData: () => text } })
}

async function renderRows(cells: string) {
  const app = await renderBuildRequest(answers)
  const { browser } = app
  await browser.click(screen.getByRole('button', { name: 'Add Mapping' }))
  await browser.type(field(1, 'Custom Input'), 'x')
  await browser.type(field(1, 'To'), 'first')
  paste(field(1, 'From'), cells)
  const dialog = within(await screen.findByRole('dialog', { name: 'Paste rows' }))
  return { ...app, dialog, add: () => dialog.getByRole('button', { name: /^Add \d/ }) }
}

test('cells of a spreadsheet are rows, and what is refused is said before', async () => {
  const { browser, dialog, add } = await renderRows('id\tno\nname\n\tcountry\tSE')
  expect(dialog.getByText('1 line is refused')).toBeTruthy()
  expect(dialog.getByText(/Line 2: Fill in To\./)).toBeTruthy()
  await browser.click(add())
  await waitFor(() => expect(targets()).toEqual(['first', 'no', 'country']))
  expect(screen.getByText('2 rows added.')).toBeTruthy()
})

test('one text is pasted into the field that it is pasted into', async () => {
  const { browser } = await renderBuildRequest(answers)
  await browser.click(screen.getByRole('button', { name: 'Add Mapping' }))
  paste(field(1, 'From'), 'customer.name')
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('selected rows are deleted together, and Ctrl+Z brings them back', async () => {
  const { browser, add } = await renderRows('\ta\t1\n\tb\t2\n\tc\t3')
  await browser.click(add())
  await waitFor(() => expect(targets()).toHaveLength(4))
  await browser.click(row(2).getByRole('checkbox', { name: 'Select row 2' }))
  await browser.keyboard('{Shift>}')
  await browser.click(row(4).getByRole('checkbox', { name: 'Select row 4' }))
  await browser.keyboard('{/Shift}')
  expect(screen.getByText('3 rows selected')).toBeTruthy()
  await browser.click(screen.getByRole('button', { name: 'Move up' }))
  expect(targets()).toEqual(['a', 'b', 'c', 'first'])
  await browser.click(screen.getByRole('button', { name: 'Delete rows' }))
  expect(targets()).toEqual(['first'])
  expect(screen.getByText('3 rows removed.')).toBeTruthy()
  await browser.click(field(1, 'To'))
  await browser.keyboard('{Control>}z{/Control}')
  expect(targets()).toEqual(['a', 'b', 'c', 'first'])
  await browser.click(screen.getByRole('button', { name: 'Redo' }))
  expect(targets()).toEqual(['first'])
})

test('↑ and ↓ go to the same field of the next row', async () => {
  const { browser, add } = await renderRows('\ta\t1')
  await browser.click(add())
  await waitFor(() => expect(targets()).toHaveLength(2))
  await browser.click(field(1, 'To'))
  await browser.keyboard('{ArrowDown}')
  expect(document.activeElement).toBe(field(2, 'To'))
  await browser.keyboard('{ArrowUp}')
  expect(document.activeElement).toBe(field(1, 'To'))
})

test('of two hundred rows those in sight are drawn, and a screen reader is told how many there are', async () => {
  const cells = Array.from({ length: 199 }, (_, at) => `\tf${at}\t${at}`).join('\n')
  const { browser, add } = await renderRows(cells)
  await browser.click(add())
  await waitFor(() => expect(targets().length).toBeGreaterThan(10))
  expect(targets().length).toBeLessThan(60)
  expect(screen.getByRole('table', { name: 'Mapping Data' }).getAttribute('aria-rowcount')).toBe(
    '201',
  )
  expect(screen.getByRole('row', { name: 'Row 3' }).getAttribute('aria-rowindex')).toBe('4')
})

test('a click on an object of the tree maps each value in it, and what is read is marked', async () => {
  const { browser, card, choose } = await renderBuildRequest(answers)
  await choose('get', 'One order')
  await browser.click(card.get.getByRole('button', { name: 'Get' }))
  const tree = await screen.findByRole('tree', { name: 'Fetched JSON' })
  const item = (name: string) =>
    within(tree).getByRole('treeitem', { name: new RegExp(`^${name}`) })
  await browser.click(within(item('customer')).getByText('customer'))
  await waitFor(() =>
    expect(targets()).toEqual(['customer.name', 'customer.tags[*]', 'customer.town']),
  )
  await waitFor(() => expect(within(item('name')).getByTitle('A row reads it')).toBeTruthy())
  expect(within(item('id')).queryByTitle('A row reads it')).toBeNull()
  tree.focus()
  await browser.keyboard('{Home}{ArrowDown}{Enter}')
  await waitFor(() => expect(field(4, 'To').value).toBe('id'))
  await expectPane(
    'Mapped JSON Data',
    '{\n  "customer": {\n    "name": "Ada",\n    "tags": [\n      "new"\n    ],\n    "town": "Oslo"\n  },\n  "id": 7\n}',
  )
})

test('the parameters of the path are inputs, and go out in the body', async () => {
  const { server, browser, card, choose } = await renderBuildRequest(answers)
  await choose('get', 'One order')
  await browser.type(await card.get.findByRole('textbox', { name: 'id' }), '7')
  await browser.click(card.get.getByRole('button', { name: 'Query parameter' }))
  await browser.type(
    card.get.getByRole('textbox', { name: 'Name of the parameter' }),
    'lang{Enter}',
  )
  await browser.type(await card.get.findByRole('textbox', { name: 'lang' }), 'sv')
  await browser.click(card.get.getByRole('button', { name: 'Get' }))
  await screen.findByText('Data fetched.')
  expect(server.requests.find(({ key }) => key === 'GET /admin/get-data')?.query).toMatchObject({
    body: '{"id":7,"lang":"sv"}',
  })
})
