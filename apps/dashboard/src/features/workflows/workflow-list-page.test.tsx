import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { buildPage, buildUser } from '../../testing/builders.ts'
import { refuse } from '../../testing/fake-server.ts'
import { renderApp } from '../../testing/render-app.tsx'
import { buildWorkflowRow } from '../../testing/workflow-builders.ts'

const path = '/dashboard/admin/workflows'

test('the list shows what a workflow is, and sorts by its columns', async () => {
  const rows = [buildWorkflowRow(), buildWorkflowRow({ id: 8, name: 'Credits', status: 'paused' })]
  const { server, browser } = renderApp({
    path,
    answers: { 'GET /api/workflows': () => buildPage(rows) },
  })
  const [, first, second] = within(await screen.findByRole('table')).getAllByRole('row')
  expect(first?.textContent).toMatch(/Sales invoices.*sales.*Tax, 2 steps.*Active.*3.*jofotara/)
  expect(second?.textContent).toMatch(/Credits.*Paused/)
  expect(screen.getByRole('link', { name: 'Sales invoices' }).getAttribute('href')).toBe(
    `${path}/7`,
  )
  await browser.click(screen.getByRole('button', { name: 'Slug' }))
  await waitFor(() => expect(server.requests.at(-1)?.query['sort']).toBe('slug'))
  const menu = within(screen.getByRole('navigation', { name: 'Main' }))
  const entries = menu.getAllByRole('link').map((link) => link.textContent)
  const at = entries.indexOf('Workflows')
  expect(entries.slice(at - 1, at + 2)).toEqual(['Credit workflow', 'Workflows', 'History'])
})

test('a workflow whose runs have not ended stays, and the dialog says why', async () => {
  const { browser } = renderApp({
    path,
    answers: {
      'GET /api/workflows': () => buildPage([buildWorkflowRow()]),
      'DELETE /api/workflows/:id': () => refuse('workflow.has_open_runs'),
    },
  })
  await browser.click(await screen.findByRole('button', { name: 'More for Sales invoices' }))
  await browser.click(await screen.findByRole('menuitem', { name: 'Delete' }))
  const dialog = within(await screen.findByRole('dialog'))
  await browser.click(dialog.getByRole('button', { name: 'Delete workflow' }))
  expect(await dialog.findByText(/have not ended/)).toBeTruthy()
})

test('who may only look finds no button to change anything', async () => {
  renderApp({
    path,
    user: buildUser({ permissions: ['workflow.view'] }),
    answers: { 'GET /api/workflows': () => buildPage([buildWorkflowRow()]) },
  })
  await screen.findByRole('table')
  expect(screen.queryByRole('link', { name: 'Add workflow' })).toBeNull()
  expect(screen.queryByRole('button', { name: /^More for/ })).toBeNull()
  expect(screen.getByRole('link', { name: 'View Sales invoices' })).toBeTruthy()
})
