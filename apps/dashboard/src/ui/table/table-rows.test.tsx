import { screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { buildEndpoint, buildPage } from '../../testing/builders.ts'
import { renderApp } from '../../testing/render-app.tsx'

const path = '/dashboard/admin/endpoints'
const edit = '/dashboard/admin/endpoint/edit/8'
const rows = ['One', 'Two', 'Three', 'Four'].map((description, at) =>
  buildEndpoint({ id: 7 + at, description }),
)

async function show() {
  const shown = renderApp({ path, answers: { 'GET /api/endpoint': () => buildPage(rows) } })
  await screen.findByRole('checkbox', { name: 'Select One' })
  return shown
}
const box = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name })
const selected = () =>
  screen
    .getAllByRole<HTMLInputElement>('checkbox', { name: /^Select/ })
    .filter(({ checked }) => checked)
    .map((each) => each.getAttribute('aria-label')?.replace('Select ', ''))

test('the box in the head selects the rows of the page, and none of them once all are', async () => {
  const { browser } = await show()
  const all = box('All rows of this page')
  await browser.click(box('Select Two'))
  expect([all.checked, all.indeterminate]).toEqual([false, true])
  await browser.click(all)
  expect(selected()).toEqual(['One', 'Two', 'Three', 'Four'])
  expect([all.checked, all.indeterminate]).toEqual([true, false])
  await browser.click(all)
  expect(screen.queryByRole('region', { name: 'Selected rows' })).toBeNull()
})

test('a press with Shift selects all rows from the one that was pressed last', async () => {
  const { browser } = await show()
  await browser.click(box('Select Four'))
  await browser.keyboard('{Shift>}')
  await browser.click(box('Select Two'))
  expect(selected()).toEqual(['Two', 'Three', 'Four'])
  await browser.click(box('Select Three'))
  await browser.keyboard('{/Shift}')
  expect(selected()).toEqual(['Four'])
})

test('a press on a row opens it; one that ends a selection of text does not', async () => {
  const { browser, address } = await show()
  const place = screen
    .getAllByRole('cell')
    .find(({ textContent }) => textContent?.includes('/orders'))
  if (!place) throw new Error('No cell has the path.')
  const cell = within(screen.getAllByRole('row')[2]!).getAllByRole('cell')[3]!
  document.getSelection()?.selectAllChildren(place)
  cell.click()
  expect(address()).toBe(path)
  document.getSelection()?.removeAllRanges()
  await browser.click(cell)
  await waitFor(() => expect(address()).toBe(edit))
})

test('the middle button and Ctrl open a tab', async () => {
  const { browser, address } = await show()
  const open = vi.spyOn(window, 'open').mockReturnValue(null)
  const cell = within(screen.getAllByRole('row')[2]!).getAllByRole('cell')[3]!
  await browser.pointer({ keys: '[MouseMiddle]', target: cell })
  await browser.keyboard('{Control>}')
  await browser.click(cell)
  await browser.keyboard('{/Control}')
  expect(open.mock.calls.map(([to]) => String(to))).toEqual([
    expect.stringContaining(edit),
    expect.stringContaining(edit),
  ])
  open.mockRestore()
  expect(address()).toBe(path)
})

test('keys go from row to row: Space selects one, and Enter opens it', async () => {
  const { browser, address } = await show()
  await browser.keyboard('jj[Space]')
  expect(selected()).toEqual(['Two'])
  await browser.keyboard('k[Space]j{Enter}')
  await waitFor(() => expect(address()).toBe(edit))
})
