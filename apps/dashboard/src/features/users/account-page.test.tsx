import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { buildUser } from '../../testing/builders.ts'
import { refuse } from '../../testing/fake-server.ts'
import { renderApp } from '../../testing/render-app.tsx'

const path = '/dashboard/account'
const save = { name: 'Change password' }

test('one’s own password is changed without any permission', async () => {
  const { server, browser } = renderApp({
    path,
    user: buildUser({ permissions: [] }),
    answers: { 'PUT /api/password': () => undefined },
  })
  await browser.type(await screen.findByLabelText('Current Password'), 'the old one')
  await browser.type(screen.getByLabelText('New Password'), 'the new one, long')
  await browser.type(screen.getByLabelText('Confirm Password'), 'the new one, long')
  await browser.click(screen.getByRole('button', save))
  expect(await screen.findByText('Password changed successfully!')).toBeTruthy()
  expect(server.bodiesOf('PUT /api/password')).toEqual([
    {
      current_password: 'the old one',
      password: 'the new one, long',
      password_confirmation: 'the new one, long',
    },
  ])
})

test('a wrong current password is told under its field', async () => {
  const { browser } = renderApp({
    path,
    answers: {
      'PUT /api/password': () =>
        refuse('request.invalid', { current_password: ['This is not your password.'] }),
    },
  })
  await browser.click(await screen.findByRole('button', save))
  expect(await screen.findByText('This is not your password.')).toBeTruthy()
  const field = screen.getByLabelText('Current Password')
  await waitFor(() => expect(document.activeElement).toBe(field))
})

test('the user menu leads to it', async () => {
  const { browser, address } = renderApp({
    path: '/dashboard',
    answers: {
      'GET /api/apis': () => [{ data: [], per_page: 1, total: 0, current_page: 1, last_page: 1 }],
    },
  })
  await browser.click(await screen.findByRole('button', { name: /Account of/ }))
  await browser.click(await screen.findByRole('menuitem', save))
  expect(await screen.findByRole('heading', save)).toBeTruthy()
  expect(address()).toBe(path)
})
