import { screen, waitFor, within } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { buildEntry, buildLogPage } from '../../testing/log-builders.ts'
import { renderApp } from '../../testing/render-app.tsx'

const path = '/dashboard/admin/logs?l=admin%2Fadmin.log'
const request_id = 'b3b7f0f0-0000-4000-8000-000000000001'
const fields = '{"method": "POST", "path": "/api/login", "status": 200, "duration_ms": 12.50}'
const lines = () => within(screen.getByRole('table')).getAllByRole('button', { expanded: false })

test('a request is one line; opened, it shows all that the log has, to be copied', async () => {
  const entry = buildEntry({ text: `request ${fields}`, request_id })
  const { browser } = renderApp({ path, answers: { 'GET /api/logs': () => buildLogPage([entry]) } })
  vi.stubGlobal('isSecureContext', true)
  onTestFinished(() => {
    vi.unstubAllGlobals()
  })
  const line = await screen.findByRole('button', { name: 'POST · /api/login · 200 · 12.5 ms' })
  expect(screen.queryByLabelText('The whole entry')).toBeNull()
  await browser.click(line)
  expect(line.getAttribute('aria-expanded')).toBe('true')
  expect((await screen.findByLabelText('The whole entry')).textContent).toBe(
    'request\n{\n  "method": "POST",\n  "path": "/api/login",\n  "status": 200,\n  "duration_ms": 12.50\n}',
  )
  await browser.click(screen.getByRole('button', { name: /^Copy: the entry of/ }))
  expect(await navigator.clipboard.readText()).toContain('"duration_ms": 12.50')
  await browser.click(line)
  expect(screen.queryByLabelText('The whole entry')).toBeNull()
})

test('each day is named once above its entries, with the time zone of the log', async () => {
  const dates = ['2026-11-22T00:00:01.5Z', '2026-11-21T23:59:59Z', '2026-11-21T23:00:00Z']
  const entries = dates.map((date, at) => buildEntry({ id: 9 - at, date }))
  renderApp({ path, answers: { 'GET /api/logs': () => buildLogPage(entries) } })
  const days = await screen.findAllByRole('rowheader')
  expect(days.map(({ textContent }) => textContent)).toEqual([
    'Sun, 22 Nov 2026 (UTC)',
    'Sat, 21 Nov 2026 (UTC)',
  ])
  const times = screen.getAllByRole('link', { name: /link to this entry/ })
  expect(times.map(({ textContent }) => textContent)).toEqual([
    '00:00:01.500',
    '23:59:59',
    '23:00:00',
  ])
  expect(times[0]?.getAttribute('aria-label')).toBe('2026-11-22 00:00:01.500 Z, link to this entry')
})

test('j and k, and the arrows, move from line to line; Enter opens one', async () => {
  const entries = ['One', 'Two', 'Three'].map((text, at) => buildEntry({ id: 9 - at, text }))
  const { browser } = renderApp({ path, answers: { 'GET /api/logs': () => buildLogPage(entries) } })
  await screen.findByText('One')
  await browser.keyboard('{ArrowDown}')
  expect(lines().some((line) => line === document.activeElement)).toBe(false)
  await browser.keyboard('jj')
  expect(document.activeElement?.textContent).toBe('Two')
  await browser.keyboard('{ArrowDown}')
  expect(document.activeElement?.textContent).toBe('Three')
  await browser.keyboard('j')
  expect(document.activeElement?.textContent).toBe('Three')
  await browser.keyboard('k{ArrowUp}{Enter}')
  expect(document.activeElement?.textContent).toBe('One')
  expect((await screen.findByLabelText('The whole entry')).textContent).toBe('One')
  await browser.type(screen.getByRole('searchbox'), 'jk')
  expect(screen.getByRole<HTMLInputElement>('searchbox').value).toBe('jk')
})

test('levels are counted for the search, and filter by a click', async () => {
  const levels = [
    { level: 'info' as const, entries: 12_000 },
    { level: 'warning' as const, entries: 3 },
    { level: 'error' as const, entries: 1 },
  ]
  const { server, browser, address } = renderApp({
    path,
    answers: { 'GET /api/logs': () => buildLogPage([buildEntry()], { levels }) },
  })
  const group = await screen.findByRole('group', { name: 'Levels' })
  const counts = within(group).getAllByRole('button')
  expect(counts.map(({ textContent }) => textContent)).toEqual([
    'error 1',
    'warning 3',
    'info 12,000',
  ])
  expect(group.textContent).not.toContain('newest part')
  await browser.click(within(group).getByRole('button', { name: 'warning 3' }))
  await waitFor(() => expect(address()).toBe(`${path}&level=warning`))
  await browser.click(within(group).getByRole('button', { name: 'error 1', pressed: false }))
  await waitFor(() => expect(address()).toBe(`${path}&level=warning%2Cerror`))
  await browser.click(within(group).getByRole('button', { name: 'warning 3', pressed: true }))
  await waitFor(() => expect(address()).toBe(`${path}&level=error`))
  expect(server.requests.findLast(({ key }) => key === 'GET /api/logs')?.query).toMatchObject({
    level: 'error',
  })
})

test('counts of a part of the file say so', async () => {
  const answer = buildLogPage([buildEntry()], {
    levels: [{ level: 'error', entries: 1 }],
    reading: { done_bytes: 1, total_bytes: 1_000 },
  })
  renderApp({ path, answers: { 'GET /api/logs': () => answer } })
  const group = await screen.findByRole('group', { name: 'Levels' })
  expect(group.textContent).toContain('in the newest part')
})
