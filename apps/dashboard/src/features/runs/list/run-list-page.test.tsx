import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { buildPage, buildUser } from '../../../testing/builders.ts'
import { renderApp } from '../../../testing/render-app.tsx'
import { buildRunRow } from '../../../testing/run-builders.ts'
import { buildWorkflowRow } from '../../../testing/workflow-builders.ts'

const path = '/dashboard/admin/runs'
const noWorkflows = { 'GET /api/workflows': () => buildPage([]) }
const answers = { ...noWorkflows, 'GET /api/runs': () => buildPage([buildRunRow()]) }
const table = async () => within(await screen.findByRole('table', { name: 'History' }))

test('each run has its state, its steps in words, and a link to its screen', async () => {
  renderApp({
    path,
    answers: {
      ...noWorkflows,
      'GET /api/runs': () =>
        buildPage([
          buildRunRow({ state: 'unknown', is_test: true, retry_of: 12 }),
          buildRunRow({ id: 40, is_dry_run: true, reference: null }),
        ]),
    },
  })
  const rows = await table()
  expect(rows.getByText('Outcome unknown')).toBeTruthy()
  expect(rows.getByText('TEST')).toBeTruthy()
  expect(rows.getByText('Checked, not sent')).toBeTruthy()
  expect(rows.getAllByText('1. POST File invoice: Succeeded.').length).toBe(2)
  expect(rows.getByRole('link', { name: 'View run 41' }).getAttribute('href')).toBe(`${path}/41`)
  expect(rows.getByRole('link', { name: 'run 12' })).toBeTruthy()
})

test('the filters are kept in the address, and are what is asked for', async () => {
  const address = `${path}?kind=credit&state=unknown&test=0&user=ada&reference=INV&from=2026-01-31&page=2`
  const { server } = renderApp({ path: address, answers })
  await table()
  const from = new Date('2026-01-31T00:00:00').toISOString()
  const request = server.requests.find(({ key }) => key === 'GET /api/runs')
  expect(request?.query).toEqual({
    page: '2',
    limit: '10',
    kind: 'credit',
    state: 'unknown',
    test: '0',
    user: 'ada',
    reference: 'INV',
    from,
  })
})

test('a filter goes to the first page, and is lifted again', async () => {
  const { browser, address } = renderApp({
    path: `${path}?page=2`,
    answers: { ...noWorkflows, 'GET /api/runs': () => buildPage([buildRunRow()], 15, 2) },
  })
  await table()
  await browser.type(screen.getByRole('searchbox', { name: 'Search by reference' }), 'INV-7')
  await waitFor(() => expect(address()).toBe(`${path}?reference=INV-7`))
  await browser.click(screen.getByRole('combobox', { name: 'State' }))
  await browser.click(await screen.findByRole('option', { name: 'Outcome unknown' }))
  await waitFor(() => expect(address()).toBe(`${path}?reference=INV-7&state=unknown`))
  await browser.click(screen.getByRole('button', { name: 'Clear filters' }))
  await waitFor(() => expect(address()).toBe(path))
})

test('an empty history says what comes into it; one that is filtered away says that', async () => {
  const empty = { ...noWorkflows, 'GET /api/runs': () => buildPage([]) }
  renderApp({ path, answers: empty })
  expect(await screen.findByText('No runs yet')).toBeTruthy()
})

test('a list without matches says so', async () => {
  renderApp({
    path: `${path}?kind=tax`,
    answers: { ...noWorkflows, 'GET /api/runs': () => buildPage([]) },
  })
  expect(await screen.findByText('Nothing matches these filters.')).toBeTruthy()
})

const named = [buildWorkflowRow(), buildWorkflowRow({ id: 8, name: 'Returns' })]

test('a workflow is chosen by its name, and each run names the one that it carries out', async () => {
  const workflow = { id: 8, name: 'Returns', version: 2 }
  const { server, browser, address } = renderApp({
    path,
    answers: {
      'GET /api/runs': () => buildPage([buildRunRow({ workflow })]),
      'GET /api/workflows': () => buildPage(named),
    },
  })
  const link = (await table()).getByRole('link', { name: 'Returns' })
  expect(link.getAttribute('href')).toBe('/dashboard/admin/workflows/8')
  await browser.click(screen.getByRole('combobox', { name: 'Workflow' }))
  await browser.click(await screen.findByRole('option', { name: 'Returns' }))
  await waitFor(() => expect(address()).toBe(`${path}?workflow=8`))
  await waitFor(() => expect(server.requests.at(-1)?.query).toMatchObject({ workflow: '8' }))
  expect(screen.getByRole<HTMLInputElement>('combobox', { name: 'Workflow' }).value).toBe('Returns')
})

test('a link to the runs of a workflow that was deleted names it by its number', async () => {
  renderApp({
    path: `${path}?workflow=77`,
    answers: { ...answers, 'GET /api/workflows': () => buildPage(named) },
  })
  expect(await screen.findByDisplayValue('Workflow 77')).toBeTruthy()
})

test('without the right to view workflows the filter of a link can only be taken away', async () => {
  const { browser, address, server } = renderApp({
    path: `${path}?workflow=8`,
    user: buildUser({ permissions: ['dashboard.view', 'run.view'] }),
    answers: {
      'GET /api/runs': () =>
        buildPage([buildRunRow({ workflow: { id: 8, name: 'Returns', version: 2 } })]),
    },
  })
  const rows = await table()
  expect(rows.getByText('Returns')).toBeTruthy()
  expect(rows.queryByRole('link', { name: 'Returns' })).toBeNull()
  expect(screen.queryByRole('combobox', { name: 'Workflow' })).toBeNull()
  await browser.click(await screen.findByRole('button', { name: 'Any workflow' }))
  await waitFor(() => expect(address()).toBe(path))
  expect(server.requests.some(({ key }) => key === 'GET /api/workflows')).toBe(false)
})
