import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { OwnSession } from '@gatehouse/contract'
import { buildUser } from '../../testing/builders.ts'
import { refuse } from '../../testing/fake-server.ts'
import { renderApp, watchConsoleErrors } from '../../testing/render-app.tsx'

const path = '/dashboard/account'
const session = (changes: Partial<OwnSession> = {}): OwnSession => ({
  id: 1,
  address: '192.0.2.7',
  user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  created_at: '2026-01-31T10:00:00.000Z',
  last_used_at: '2026-01-31T10:05:00.000Z',
  is_current: true,
  ...changes,
})
const phone = session({
  id: 2,
  address: '198.51.100.3',
  user_agent: 'Phone/1.0',
  is_current: false,
})
const noSecondFactor = { since: null, recovery_codes_left: 0, is_required: false }
const oneSession = {
  'GET /api/sessions': () => ({ sessions: [session()] }),
  'GET /api/second-factor': () => noSecondFactor,
  'GET /api/passkeys': () => ({ passkeys: [], origin: null }),
  'GET /api/admin-tokens': () => ({ tokens: [] }),
}

test('a token for a program asks for a code of those who have a second factor', async () => {
  const open = (since: string | null) =>
    renderApp({
      path,
      answers: {
        ...oneSession,
        'GET /api/second-factor': () => ({ ...noSecondFactor, since }),
        'POST /api/admin-tokens': () =>
          refuse('request.invalid', { code: ['Enter a code of your authenticator app.'] }),
      },
    })
  const { server, browser } = open('2026-01-01T00:00:00.000Z')
  await browser.click(await screen.findByRole('button', { name: 'New token' }))
  await browser.type(await screen.findByLabelText('Code'), '123456')
  await browser.click(screen.getByRole('button', { name: 'Make token' }))
  expect(await screen.findByText('Enter a code of your authenticator app.')).toBeTruthy()
  expect(server.bodiesOf('POST /api/admin-tokens')).toMatchObject([{ code: '123456' }])
  cleanup()

  const without = open(null)
  await without.browser.click(await screen.findByRole('button', { name: 'New token' }))
  await screen.findByRole('button', { name: 'Make token' })
  expect(screen.queryByLabelText('Code')).toBeNull()
})

test('the permissions of a token are chosen by subject, all of one at once, and searched', async () => {
  const { server, browser } = renderApp({
    path,
    user: buildUser({ permissions: ['credit.view', 'api.edit', 'api.view', 'tax.view'] }),
    answers: {
      ...oneSession,
      'POST /api/admin-tokens': () =>
        refuse('request.invalid', { permissions: ['Choose at least one permission.'] }),
    },
  })
  await browser.click(await screen.findByRole('button', { name: 'New token' }))
  const field = within(await screen.findByRole('group', { name: 'Permissions' }))
  const names = () =>
    field.getAllByRole('checkbox').map((box) => {
      const label = box.closest('label')
      return (label?.querySelector('code') ?? label)?.textContent
    })
  expect(names()).toEqual(['All', 'api', 'api.view', 'api.edit', 'tax', 'tax.view', 'credit.view'])
  await browser.click(field.getByRole('checkbox', { name: 'tax' }))
  expect(field.getByText('2 of 4 permissions')).toBeTruthy()

  // Enter belongs to the search: it does not send the form.
  await browser.type(field.getByRole('searchbox', { name: 'Search permissions' }), 'i.edit{Enter}')
  await waitFor(() => expect(names()).toEqual(['All', 'api', 'api.edit']))
  expect(server.bodiesOf('POST /api/admin-tokens')).toEqual([])
  await browser.click(field.getByRole('checkbox', { name: /api\.edit$/ }))

  await browser.click(screen.getByRole('button', { name: 'Make token' }))
  expect(await field.findByText('Choose at least one permission.')).toBeTruthy()
  expect(server.bodiesOf('POST /api/admin-tokens')).toMatchObject([
    { permissions: ['tax.view', 'credit.view', 'api.edit'] },
  ])
})

test('of a token with many permissions their number is shown, and they behind it', async () => {
  const token = (id: number, permissions: string[]) => ({
    id,
    name: `Token ${id}`,
    ending: '1234',
    permissions,
    created_at: '2026-01-01T10:00:00.000Z',
    expires_at: '2026-04-01T10:00:00.000Z',
    last_used_at: null,
    has_expired: false,
  })
  const many = buildUser().permissions
  const { browser } = renderApp({
    path,
    answers: {
      ...oneSession,
      'GET /api/admin-tokens': () => ({
        tokens: [token(1, ['api.view', 'api.edit']), token(2, many)],
      }),
    },
  })
  expect(await screen.findByText('api.view, api.edit')).toBeTruthy()
  expect(screen.queryByText(many.join(', '))).toBeNull()
  await browser.click(screen.getByText(`${many.length} permissions`))
  expect(await screen.findByText(many.join(', '))).toBeTruthy()
})

const save = { name: 'Change password' }

test('users change their own password without any permission, and stay on a blank form', async () => {
  const { server, browser, address } = renderApp({
    path,
    user: buildUser({ permissions: [] }),
    answers: { ...oneSession, 'PUT /api/password': () => undefined },
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
  const typed = () =>
    ['Current Password', 'New Password', 'Confirm Password'].map(
      (label) => screen.getByLabelText<HTMLInputElement>(label).value,
    )
  await waitFor(() => expect(typed()).toEqual(['', '', '']))
  expect(address()).toBe(path)
})

test('a wrong current password is reported under its field', async () => {
  const { browser } = renderApp({
    path,
    answers: {
      ...oneSession,
      'PUT /api/password': () =>
        refuse('request.invalid', { current_password: ['This is not your password.'] }),
    },
  })
  await browser.click(await screen.findByRole('button', save))
  expect(await screen.findByText('This is not your password.')).toBeTruthy()
  const field = screen.getByLabelText('Current Password')
  await waitFor(() => expect(document.activeElement).toBe(field))
})

test('who has no password is told how to get one, in place of what asks for it', async () => {
  const user = buildUser({ permissions: [] })
  renderApp({
    path,
    user,
    answers: { ...oneSession, 'GET /api/auth': () => ({ user, has_password: false }) },
  })
  expect(await screen.findByText(/an administrator can set one/)).toBeTruthy()
  expect(await screen.findByText('Firefox on Linux')).toBeTruthy()
  expect(screen.queryByLabelText('Current Password')).toBeNull()
  for (const name of ['Change password', 'Set up', 'Add a passkey', 'New token'])
    expect(screen.queryByRole('button', { name })).toBeNull()
})

test('the user menu leads to it', async () => {
  const { browser, address } = renderApp({
    path: '/dashboard',
    answers: {
      ...oneSession,
      'GET /api/apis': () => [{ data: [], per_page: 1, total: 0, current_page: 1, last_page: 1 }],
    },
  })
  await browser.click(await screen.findByRole('button', { name: /Account of/ }))
  await browser.click(await screen.findByRole('menuitem', { name: 'My account' }))
  expect(await screen.findByRole('heading', { name: 'My account' })).toBeTruthy()
  expect(address()).toBe(path)
})

test('a user’s own sessions are listed, the current one is marked, and one is ended', async () => {
  let sessions = [session(), phone]
  const { server, browser } = renderApp({
    path,
    answers: {
      ...oneSession,
      'GET /api/sessions': () => ({ sessions }),
      'DELETE /api/sessions/:id': () => {
        sessions = [session()]
      },
    },
  })
  expect(await screen.findByText('Firefox on Linux')).toBeTruthy()
  expect(screen.getAllByText('This session')).toHaveLength(1)
  expect(screen.queryByRole('button', { name: /End the session of Firefox/ })).toBeNull()
  await browser.click(screen.getByRole('button', { name: 'End the session of Phone/1.0' }))
  await browser.click(await screen.findByRole('button', { name: 'End now' }))
  await waitFor(() => expect(screen.queryByText('198.51.100.3', { exact: false })).toBeNull())
  expect(server.requests.some(({ key }) => key === 'DELETE /api/sessions/:id')).toBe(true)
})

test('all others are ended at once, which is offered only while there are some', async () => {
  let sessions = [session(), phone]
  const { browser } = renderApp({
    path,
    answers: {
      ...oneSession,
      'GET /api/sessions': () => ({ sessions }),
      'DELETE /api/sessions': () => {
        sessions = [session()]
      },
    },
  })
  await browser.click(await screen.findByRole('button', { name: 'End all other sessions' }))
  await browser.click(await screen.findByRole('button', { name: 'End now' }))
  await waitFor(() =>
    expect(screen.queryByRole('button', { name: 'End all other sessions' })).toBeNull(),
  )
})

test('sessions that can’t be fetched are said so, with a way to try again', async () => {
  watchConsoleErrors()
  renderApp({
    path,
    answers: { ...oneSession, 'GET /api/sessions': () => refuse('server.failed') },
  })
  expect(await screen.findByText('Unable to fetch your sessions.')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Retry' })).toBeTruthy()
})

test('where a browser knows no passkeys, the page says so, and still lists, renames and removes them', async () => {
  const passkey = {
    id: 3,
    name: 'My phone',
    host: location.host,
    is_synced: true,
    created_at: '2026-01-31T10:00:00.000Z',
    last_used_at: null,
  }
  const { server, browser } = renderApp({
    path,
    answers: {
      ...oneSession,
      'GET /api/passkeys': () => ({ passkeys: [passkey], origin: null }),
      'PUT /api/passkeys/:id': () => ({ passkey }),
      'POST /api/passkeys/:id/remove': () =>
        refuse('request.invalid', { code: ['Enter a code of your authenticator app.'] }),
    },
  })
  expect(await screen.findByText(/This browser can’t use passkeys/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Add a passkey' })).toBeNull()
  await browser.click(screen.getByRole('button', { name: 'Rename My phone' }))
  const name = await screen.findByLabelText('Name')
  await browser.clear(name)
  await browser.type(name, 'Old phone')
  await browser.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('The passkey was renamed.')).toBeTruthy()
  expect(server.bodiesOf('PUT /api/passkeys/:id')).toEqual([{ name: 'Old phone' }])

  // A second factor that another window has turned on: the field for its code appears with the refusal.
  await browser.click(screen.getByRole('button', { name: 'Remove My phone' }))
  const dialog = within(await screen.findByRole('dialog'))
  await browser.type(await dialog.findByLabelText('Current Password'), 'the password')
  await browser.click(dialog.getByRole('button', { name: 'Remove' }))
  expect(await dialog.findByLabelText('Code')).toBeTruthy()
})
