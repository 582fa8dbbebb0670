import { screen } from '@testing-library/react'
import type { SignOnRecord } from '@gatehouse/contract'
import { expect, test } from 'vitest'
import { renderApp } from '../../testing/render-app.tsx'

const provider: SignOnRecord = {
  name: 'Company login',
  is_active: true,
  issuer: 'https://login.example.com',
  client_id: 'gatehouse',
  has_client_secret: true,
  scopes: 'openid email profile',
  role_claim: 'groups',
  roles: [{ value: 'tills', role_id: 3, role: 'Cashiers' }],
  creates_users: true,
  signs_out: false,
  user_name: 'Ann',
  updated_at: '2026-11-22T09:00:00.000Z',
  version: 4,
}

test.each([
  ['It answered 404.', 1],
  [null, 0],
])('a save says why nobody can sign in with the provider (%s)', async (problem, count) => {
  const { browser } = renderApp({
    path: '/dashboard/admin/sign-on',
    answers: {
      'GET /api/sign-on': () => ({ provider, roles: [{ id: 3, name: 'Cashiers' }] }),
      'PUT /api/sign-on': () => ({ provider, problem }),
    },
  })
  await browser.click(await screen.findByRole('button', { name: 'Save provider' }))
  await screen.findByText('Sign-in provider saved.')
  expect(screen.queryAllByText(/Nobody can sign in with the provider/)).toHaveLength(count)
  expect(screen.queryAllByText('It answered 404.')).toHaveLength(count)
})
