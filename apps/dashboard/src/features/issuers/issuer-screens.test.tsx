import { screen, waitFor } from '@testing-library/react'
import type { IssuerRecord } from '@gatehouse/contract'
import { expect, test } from 'vitest'
import { buildPage } from '../../testing/builders.ts'
import { renderApp } from '../../testing/render-app.tsx'

const buildIssuer = (changes: Partial<IssuerRecord> = {}): IssuerRecord => ({
  id: 7,
  name: 'Company login',
  is_active: true,
  issuer: 'https://login.example.com/',
  audience: 'gatehouse',
  jwks_url: 'https://login.example.com/keys',
  jwks: '',
  algorithms: ['RS256'],
  skew_seconds: 60,
  role_claim: 'groups',
  roles: [{ value: 'tills', role_id: 3, role: 'Cashiers' }],
  keys: [{ kid: 'spring', kind: 'RSA 2048', algorithms: ['RS256'] }],
  keys_read_at: '2026-11-22T09:00:00.000Z',
  keys_problem: null,
  user_name: 'Ann',
  updated_at: '2026-11-22T09:00:00.000Z',
  version: 4,
  ...changes,
})
const roles = { roles: [{ id: 3, name: 'Cashiers' }] }

test('the list says why an issuer has no keys', async () => {
  const keys_problem = 'It answered 503.'
  renderApp({
    path: '/dashboard/admin/token-issuers',
    answers: {
      'GET /api/token-issuers': () => buildPage([buildIssuer({ keys: [], keys_problem })]),
    },
  })
  await screen.findByText('0 keys')
  expect(screen.getByText(keys_problem)).toBeTruthy()
  expect(screen.getByText('Cashiers')).toBeTruthy()
})

test('the keys are sent either as an address or as text', async () => {
  const key = 'PUT /api/token-issuers/:id'
  const { server, browser } = renderApp({
    path: '/dashboard/admin/token-issuers/edit/7',
    answers: {
      'GET /api/token-issuers/:id': () => ({ issuer: buildIssuer() }),
      'GET /api/token-issuers/create': () => roles,
      [key]: () => ({ issuer: buildIssuer() }),
    },
  })
  await browser.click(await screen.findByRole('radio', { name: 'Typed in here' }))
  await browser.type(screen.getByRole('textbox', { name: 'Public keys' }), 'PEM')
  await browser.click(screen.getByRole('button', { name: 'Save token issuer' }))
  await waitFor(() => expect(server.bodiesOf(key)).toHaveLength(1))
  expect(server.bodiesOf(key)[0]).toMatchObject({
    jwks_url: '',
    jwks: 'PEM',
    roles: [{ value: 'tills', role_id: 3 }],
    version: 4,
  })
})

test('a fetch that fails shows its reason beside the keys that stay', async () => {
  const { browser } = renderApp({
    path: '/dashboard/admin/token-issuers/edit/7',
    answers: {
      'GET /api/token-issuers/:id': () => ({ issuer: buildIssuer() }),
      'GET /api/token-issuers/create': () => roles,
      'POST /api/token-issuers/:id/keys': () => ({
        issuer: buildIssuer({ keys_problem: 'The certificate is not trusted.' }),
      }),
    },
  })
  await browser.click(await screen.findByRole('button', { name: 'Fetch the keys now' }))
  await screen.findByText('The certificate is not trusted.')
  expect(screen.getByText('spring')).toBeTruthy()
})
