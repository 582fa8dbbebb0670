import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { buildUserRecord } from '../../testing/admin-builders.ts'
import { buildPage, buildUser } from '../../testing/builders.ts'
import { renderApp } from '../../testing/render-app.tsx'

const path = '/dashboard/admin/user'
const otto = buildUserRecord()
const client = buildUserRecord({ id: 4, name: 'Gateway client', can_sign_in: false })
const root = buildUserRecord({
  id: 1,
  name: 'Ada Admin',
  roles: [{ id: 1, name: 'Super Admin' }],
  role: 'Super Admin',
})

const rowOf = async (name: string) =>
  within((await screen.findByText(name, { selector: 'td a' })).closest('tr')!)

test('columns are the spec’s, and accounts that can’t sign in are marked', async () => {
  renderApp({ path, answers: { 'GET /api/user': () => buildPage([client, otto]) } })
  const row = await rowOf('Gateway client')
  expect(screen.getAllByRole('columnheader').map((head) => head.textContent)).toEqual([
    '#',
    'Name',
    'Email',
    'Role',
    'Action',
  ])
  expect(row.getByText('can’t sign in')).toBeTruthy()
  expect((await rowOf('Otto Operator')).queryByText('can’t sign in')).toBeNull()
})

test('neither oneself nor the gateway client can be deleted', async () => {
  renderApp({ path, answers: { 'GET /api/user': () => buildPage([root, client, otto]) } })
  expect((await rowOf('Ada Admin')).queryByRole('button')).toBeNull()
  expect((await rowOf('Gateway client')).queryByRole('button')).toBeNull()
  expect((await rowOf('Otto Operator')).getByRole('button', { name: /^Delete/ })).toBeTruthy()
})

test('a deletion says what goes, and is made only after the confirmation', async () => {
  const { server, browser } = renderApp({
    path,
    answers: {
      'GET /api/user': () => buildPage([otto]),
      'DELETE /api/user/:id': () => undefined,
    },
  })
  await browser.click((await rowOf('Otto Operator')).getByRole('button', { name: /^Delete/ }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete this user?' }))
  expect(dialog.getByText(/sessions end at once.*tokens go with them/s)).toBeTruthy()
  expect(server.requests.filter(({ key }) => key.startsWith('DELETE'))).toEqual([])
  await browser.click(dialog.getByRole('button', { name: 'Delete user' }))
  expect(await screen.findByText('User deleted successfully!')).toBeTruthy()
  const deletion = server.requests.find(({ key }) => key === 'DELETE /api/user/:id')
  expect(deletion?.params).toEqual({ id: '7' })
})

test.each([
  ['user.create', 'link', 'Add User'],
  ['user.edit', 'link', /^Edit/],
  ['user.delete', 'button', /^Delete/],
] as const)('without %s the %s %s is not there', async (lacking, role, name) => {
  const everybody = { 'GET /api/user': () => buildPage([otto]) }
  const permissions = buildUser().permissions.filter((permission) => permission !== lacking)
  renderApp({ path, user: buildUser({ permissions }), answers: everybody })
  await rowOf('Otto Operator')
  expect(screen.queryByRole(role, { name })).toBeNull()
})

test('a Super Admin is out of reach of everybody else: to be looked at only', async () => {
  const user = buildUser({ id: 9, roles: [{ id: 2, name: 'Admin' }], role: 'Admin' })
  renderApp({
    path,
    user,
    answers: {
      'GET /api/user': () => buildPage([root]),
      'GET /api/user/:id/edit': () => ({ user: root, roles: [] }),
    },
  })
  const row = await rowOf('Ada Admin')
  expect(row.queryByRole('link', { name: /^Edit/ })).toBeNull()
  expect(row.getByRole('link', { name: /^View/ })).toBeTruthy()
  expect(row.queryByRole('button')).toBeNull()
})
