import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { buildAccessRow } from '../../testing/admin-builders.ts'
import { buildPage } from '../../testing/builders.ts'
import { renderApp } from '../../testing/render-app.tsx'

const path = '/dashboard/admin/api-permission'

test('texts and columns are the spec’s, and Edit leads to the access of the role', async () => {
  renderApp({ path, answers: { 'GET /api/api-permission': () => buildPage([buildAccessRow()]) } })
  expect(await screen.findByRole('heading', { name: 'Users Have API access' })).toBeTruthy()
  const table = within(await screen.findByRole('table', { name: 'User List' }))
  expect(screen.getByText('User List')).toBeTruthy()
  expect(table.getAllByRole('columnheader').map((head) => head.textContent)).toEqual([
    '#',
    'Name',
    'Email',
    'Role',
    'Action',
  ])
  const edit = table.getByRole('link', { name: /^Edit/ })
  expect(edit.getAttribute('href')).toBe('/dashboard/admin/api-permission/edit/3')
  const add = screen.getByRole('link', { name: 'Add User' })
  expect(add.getAttribute('href')).toBe('/dashboard/admin/user/create')
})

test('Delete takes that role from that user, after a confirmation that names both', async () => {
  const { server, browser } = renderApp({
    path,
    answers: {
      'GET /api/api-permission': () => buildPage([buildAccessRow()]),
      'DELETE /api/api-permission/:role/:user': () => undefined,
    },
  })
  await browser.click(await screen.findByRole('button', { name: /^Delete/ }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Take this role away?' }))
  expect(dialog.getByText('Otto Operator')).toBeTruthy()
  expect(dialog.getByText('Operator')).toBeTruthy()
  await browser.click(dialog.getByRole('button', { name: 'Take role away' }))
  expect(await screen.findByText('Role taken away successfully!')).toBeTruthy()
  const deletion = server.requests.find(({ key }) => key.startsWith('DELETE'))
  expect(deletion?.params).toEqual({ role: '3', user: '7' })
})

test('a user’s own roles, which they can’t change, have no Delete', async () => {
  const own = buildAccessRow({ user_id: 1, name: 'Ada Admin' })
  renderApp({ path, answers: { 'GET /api/api-permission': () => buildPage([own]) } })
  expect(await screen.findByRole('link', { name: /^Edit/ })).toBeTruthy()
  expect(screen.queryByRole('button', { name: /^Delete/ })).toBeNull()
})

test('a Super Admin has access to everything, whatever was given', async () => {
  const row = buildAccessRow({ role: 'Super Admin', endpoints_count: 0 })
  renderApp({ path, answers: { 'GET /api/api-permission': () => buildPage([row]) } })
  expect(await screen.findByText('every endpoint and workflow')).toBeTruthy()
  expect(screen.queryByText('0 endpoints')).toBeNull()
})
