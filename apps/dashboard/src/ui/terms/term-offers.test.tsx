import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { buildApiRow, buildEndpoint, buildPage } from '../../testing/builders.ts'
import { renderApp } from '../../testing/render-app.tsx'

const path = '/dashboard/admin/endpoints'

async function show() {
  const shown = renderApp({
    path,
    answers: {
      'GET /api/endpoint': () => buildPage([buildEndpoint()]),
      'GET /api/apis': ({ query }) =>
        buildPage(query['search'] === 'none' ? [] : [buildApiRow(4, { name: 'Tax Warehouse' })]),
    },
  })
  const field = await screen.findByRole<HTMLInputElement>('searchbox', { name: 'Search endpoints' })
  await shown.browser.click(field)
  return { ...shown, field }
}

test('names and values are offered, chosen by the arrow keys and taken by Enter', async () => {
  const { browser, field, address, server } = await show()
  await browser.keyboard('orders st')
  await screen.findByRole('option', { name: /^status:/ })
  await browser.keyboard('{Enter}')
  expect(field.value).toBe('orders status:')
  await screen.findByRole('option', { name: 'Active' })
  await browser.keyboard('{ArrowDown}')
  const chosen = screen.getByRole('option', { name: 'Disabled', selected: true })
  expect(field.getAttribute('aria-activedescendant')).toBe(chosen.id)
  expect(document.activeElement).toBe(field)
  await browser.keyboard('{Enter}')
  await waitFor(() => expect(field.value.trim()).toBe('orders'))
  await waitFor(() => expect(address()).toBe(`${path}?status=disabled&search=orders`))
  const asked = server.requests.filter(({ key }) => key === 'GET /api/endpoint')
  expect(
    asked.map(({ query }) => query['search'] ?? '').filter((each) => each.includes(':')),
  ).toEqual([])
})

test('a term that is typed whole sets its filter; a record is found by its name', async () => {
  const { browser, field, address } = await show()
  await browser.keyboard('api:"Tax Warehouse" ')
  await waitFor(() => expect(address()).toBe(`${path}?api=4`))
  expect(field.value).toBe('')
  await browser.keyboard('method:post ')
  await waitFor(() => expect(address()).toBe(`${path}?api=4&method=post`))
})

test('what names nothing stays in the field, and Escape closes the offers', async () => {
  const { browser, field, address } = await show()
  await browser.keyboard('api:none ')
  expect(field.value).toBe('api:none ')
  expect(address()).toBe(path)
  await browser.clear(field)
  await browser.keyboard('{ArrowDown}')
  await waitFor(() => expect(screen.getAllByRole('option')).toHaveLength(4))
  await browser.keyboard('{Escape}')
  expect(screen.queryByRole('listbox')).toBeNull()
  expect(document.activeElement).toBe(field)
})
