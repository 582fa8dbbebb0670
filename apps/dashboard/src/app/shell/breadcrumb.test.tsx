import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { buildRoleForm } from '../../testing/admin-builders.ts'
import { buildPage } from '../../testing/builders.ts'
import { refuse } from '../../testing/fake-server.ts'
import { renderApp, watchConsoleErrors } from '../../testing/render-app.tsx'
import { buildRunDetail } from '../../testing/run-builders.ts'

const crumbs = () =>
  within(screen.getByRole('navigation', { name: 'Breadcrumb' }))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent)

test('breadcrumb and window name the record that is edited, and then what is done with it', async () => {
  const { browser } = renderApp({
    path: '/dashboard/admin/role/edit/3',
    answers: {
      'GET /api/role/:id/edit': () => buildRoleForm(),
      'GET /api/role': () => buildPage([]),
    },
  })
  const { role } = buildRoleForm()
  await waitFor(() => expect(crumbs()).toEqual(['Home', 'All Roles', role.name, 'Edit']))
  await waitFor(() => expect(document.title).toBe(`${role.name} · Edit Role · Gatehouse`))
  // The next screen does not keep the name.
  const trail = within(screen.getByRole('navigation', { name: 'Breadcrumb' }))
  await browser.click(trail.getByRole('link', { name: 'All Roles' }))
  await waitFor(() => expect(crumbs()).toEqual(['Home', 'All Roles']))
  await waitFor(() => expect(document.title).toBe('All Roles · Gatehouse'))
})

test('a run is named with its document and its outcome', async () => {
  const run = buildRunDetail({ state: 'unknown' })
  renderApp({
    path: `/dashboard/admin/runs/${run.id}`,
    answers: { 'GET /api/runs/:id': () => run },
  })
  const name = `Run ${run.id} · ${run.reference} · Outcome unknown`
  await waitFor(() => expect(crumbs()).toEqual(['Home', 'History', name]))
  await waitFor(() => expect(document.title).toBe(`${name} · Gatehouse`))
})

test('a record that can’t be loaded leaves the title of its screen', async () => {
  watchConsoleErrors()
  renderApp({
    path: '/dashboard/admin/role/edit/3',
    answers: { 'GET /api/role/:id/edit': () => refuse('role.not_found') },
  })
  await screen.findByRole('button', { name: 'Retry' })
  expect(crumbs()).toEqual(['Home', 'All Roles', 'Edit Role'])
})
