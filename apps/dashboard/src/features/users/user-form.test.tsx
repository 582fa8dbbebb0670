import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { buildUserRecord } from '../../testing/admin-builders.ts'
import { buildUser } from '../../testing/builders.ts'
import { refuse } from '../../testing/fake-server.ts'
import { renderApp } from '../../testing/render-app.tsx'
import { watchAlerts } from '../../testing/watch-alerts.ts'

const createPath = '/dashboard/admin/user/create'
const editPath = '/dashboard/admin/user/edit/7'
const save = { name: 'Save User' }

const roles = [
  { id: 3, name: 'Operator' },
  { id: 5, name: 'API Consumer' },
]
const form = { 'GET /api/user/create': () => ({ roles }) }
const edit = { 'GET /api/user/:id/edit': () => ({ user: buildUserRecord(), roles }) }

test('create sends what was typed, reports it, and goes to the user at once', async () => {
  const { server, browser, address } = renderApp({
    path: createPath,
    answers: {
      ...form,
      ...edit,
      'POST /api/user': () => buildUserRecord(),
    },
  })
  expect(await screen.findByRole('heading', { name: 'Create New User' })).toBeTruthy()
  await browser.type(await screen.findByLabelText('User Name'), 'Otto')
  await browser.type(screen.getByLabelText('User Email'), 'otto@example.com')
  await browser.type(screen.getByLabelText('Password'), 'correct horse')
  await browser.type(screen.getByLabelText('Confirm Password'), 'correct horse')
  await browser.type(screen.getByLabelText('Username'), 'otto')
  await browser.click(screen.getByRole('combobox', { name: 'Assign Roles' }))
  await browser.click(await screen.findByRole('option', { name: 'API Consumer' }))
  await browser.click(screen.getByRole('button', save))

  expect(await screen.findByText('User created successfully!')).toBeTruthy()
  expect(server.bodiesOf('POST /api/user')).toEqual([
    {
      name: 'Otto',
      email: 'otto@example.com',
      password: 'correct horse',
      password_confirmation: 'correct horse',
      username: 'otto',
      roles: [5],
    },
  ])
  await waitFor(() => expect(address()).toBe(editPath))
})

test('a 422 shows its toast and each message under its field, until that field is edited', async () => {
  const messages = {
    name: ['The name field is required.'],
    email: ['This email is already in use.'],
    password: ['The password confirmation does not match.'],
    username: ['This username is already in use.'],
    roles: ['The roles field is required.'],
  }
  const { browser } = renderApp({
    path: createPath,
    answers: { ...form, 'POST /api/user': () => refuse('request.invalid', messages) },
  })
  await browser.click(await screen.findByRole('button', save))
  expect(await screen.findByText('Validation errors occurred!')).toBeTruthy()
  for (const [message] of Object.values(messages)) {
    expect(await screen.findByText(message!)).toBeTruthy()
  }
  const fields = [
    ['User Name', 'The name field is required.'],
    ['User Email', 'This email is already in use.'],
    ['Password', 'The password confirmation does not match.'],
    ['Username', 'This username is already in use.'],
  ]
  let left = fields.length + 1
  for (const [label, message] of fields) {
    await browser.type(screen.getByLabelText(label!), 'x')
    expect(screen.queryByText(message!)).toBeNull()
    left -= 1
    expect(document.querySelectorAll('[class*="InputWrapper-error"]')).toHaveLength(left)
  }
  await browser.click(screen.getByRole('combobox', { name: 'Assign Roles' }))
  await browser.click(await screen.findByRole('option', { name: 'Operator' }))
  expect(screen.queryByText('The roles field is required.')).toBeNull()
})

test('any other failure shows the spec’s toast with the reason, and stays', async () => {
  const { browser, address } = renderApp({
    path: createPath,
    answers: { ...form, 'POST /api/user': () => refuse('server.failed') },
  })
  await browser.click(await screen.findByRole('button', save))
  expect(await screen.findByText('Failed to create user.')).toBeTruthy()
  expect(screen.getByText('Something went wrong on our side.')).toBeTruthy()
  expect(address()).toBe(createPath)
})

test('edit is named after the user, has no username, and sends the version back', async () => {
  const { server, browser } = renderApp({
    path: editPath,
    answers: { ...edit, 'PUT /api/user/:id': () => buildUserRecord() },
  })
  expect(await screen.findByRole('heading', { name: 'Edit User - Otto Operator' })).toBeTruthy()
  expect(screen.queryByLabelText('Username')).toBeNull()
  await browser.type(screen.getByLabelText('User Name'), '!')
  await browser.click(screen.getByRole('button', save))
  expect(await screen.findByText('User updated successfully!')).toBeTruthy()
  expect(server.bodiesOf('PUT /api/user/:id')).toEqual([
    {
      name: 'Otto Operator!',
      email: 'otto@example.com',
      password: '',
      password_confirmation: '',
      roles: [3],
      version: 2,
    },
  ])
})

test('an update that fails raises the spec’s alert, and the reason stays in the form', async () => {
  const alert = watchAlerts()
  const { browser, server } = renderApp({
    path: editPath,
    answers: { ...edit, 'PUT /api/user/:id': () => refuse('user.last_super_admin') },
  })
  await browser.click(await screen.findByRole('button', save))
  await waitFor(() => expect(alert).toHaveBeenCalledExactlyOnceWith('Failed to update user'))
  expect((await screen.findByRole('alert')).textContent).toMatch(/Super Admin/)

  server.use({
    'PUT /api/user/:id': () =>
      refuse('request.invalid', { email: ['This email is already in use.'] }),
  })
  await browser.click(screen.getByRole('button', save))
  expect(await screen.findByText('This email is already in use.')).toBeTruthy()
  expect(alert.mock.calls).toEqual([['Failed to update user'], ['Failed to update user']])
})

test('users can’t change their own roles', async () => {
  renderApp({
    path: '/dashboard/admin/user/edit/1',
    answers: { 'GET /api/user/:id/edit': () => ({ user: buildUserRecord({ id: 1 }), roles }) },
  })
  const field = await screen.findByRole<HTMLInputElement>('combobox', { name: 'Assign Roles' })
  expect(field.disabled).toBe(true)
  expect(screen.getByText('Users can’t change their own roles.')).toBeTruthy()
})

test('the current password is asked for on one’s own account, sent, and its refusal shown under it', async () => {
  watchAlerts()
  const own = buildUserRecord()
  const { server, browser } = renderApp({
    path: editPath,
    user: buildUser({ id: own.id }),
    answers: {
      ...edit,
      'PUT /api/user/:id': () =>
        refuse('request.invalid', { current_password: ['This is not your current password.'] }),
    },
  })
  const current = await screen.findByLabelText<HTMLInputElement>('Current Password')
  expect(current.type).toBe('password')
  expect(current.autocomplete).toBe('current-password')
  await browser.type(current, 'not mine at all')
  await browser.click(screen.getByRole('button', save))
  expect(await screen.findByText('This is not your current password.')).toBeTruthy()
  expect(current.getAttribute('aria-invalid')).toBe('true')
  expect(server.bodiesOf('PUT /api/user/:id')).toMatchObject([
    { current_password: 'not mine at all' },
  ])
})

test('of other users no current password is asked for', async () => {
  renderApp({ path: editPath, user: buildUser({ id: 1 }), answers: edit })
  await screen.findByLabelText('Confirm Password')
  expect(screen.queryByLabelText('Current Password')).toBeNull()
})
