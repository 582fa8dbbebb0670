import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { ApiSignIn } from '@gatehouse/contract'
import { buildPage, buildUser } from '../../../testing/builders.ts'
import { refuse } from '../../../testing/fake-server.ts'
import { renderApp, watchConsoleErrors } from '../../../testing/render-app.tsx'

const dayMs = 86_400_000
const inDays = (days: number) => new Date(Date.now() + days * dayMs).toISOString()

const buildSignIn = (api_id: number, changes: Partial<ApiSignIn>): ApiSignIn => ({
  api_id,
  api_name: `API ${api_id}`,
  which: 'live',
  kind: 'oauth2_client_credentials',
  state: 'valid',
  obtained_at: inDays(-1),
  expires_at: inDays(0.01),
  message: '',
  certificate: null,
  refresh_token: null,
  ...changes,
})

const withCertificate = (api_id: number, days: number) =>
  buildSignIn(api_id, { certificate: { subject: 'CN=Acme', expires_at: inDays(days) } })

const open = (signIns: ApiSignIn[], user = buildUser()) =>
  renderApp({
    path: '/dashboard',
    user,
    answers: { 'GET /api/apis': () => buildPage([]), 'GET /api/sign-ins': () => signIns },
  })

const rows = async () => {
  const panel = await screen.findByRole('region', { name: 'Sign-ins that need you' })
  return within(panel)
    .getAllByRole('listitem')
    .map((row) => row.textContent)
}

test('home lists what was refused, fails or expires, the worst first, each with its API', async () => {
  open([
    buildSignIn(1, {}),
    withCertificate(2, 29.5),
    withCertificate(3, 6.5),
    buildSignIn(4, { state: 'expired', message: 'The answer held no token.' }),
    buildSignIn(5, { state: 'refused', message: 'The sign-in was refused: invalid_client.' }),
    withCertificate(6, 31),
  ])
  expect(await rows()).toEqual([
    'API 5sign-in refusedThe sign-in was refused: invalid_client.',
    'API 3certificate expires in 7 days',
    'API 4sign-in failsThe answer held no token.',
    'API 2certificate expires in 30 days',
  ])
  const link = screen.getByRole('link', { name: 'API 5' })
  expect(link.getAttribute('href')).toBe('/dashboard/admin/api/edit/5')
})

test('a refresh token that ends soon is listed, once half of its life is over', async () => {
  const ending = (api_id: number, sinceDays: number, days: number) =>
    buildSignIn(api_id, { refresh_token: { since: inDays(sinceDays), expires_at: inDays(days) } })
  open([
    ending(1, -70, 29.5),
    ending(2, -99, 0.5),
    ending(3, -100, -0.1),
    // Renewed an hour ago, for a day.
    ending(4, -0.04, 0.96),
    ending(5, -60, 40),
  ])
  expect(await rows()).toEqual([
    'API 2refresh token expires in 1 day',
    'API 3refresh token expired',
    'API 1refresh token expires in 30 days',
  ])
})

test('a refused sign-in of a test base URL is there too, beside that of the base URL', async () => {
  const refused = { state: 'refused' as const, message: 'invalid_client' }
  open([buildSignIn(5, refused), buildSignIn(5, { ...refused, which: 'test' })])
  expect(await rows()).toEqual([
    'API 5sign-in refusedinvalid_client',
    'API 5testsign-in refusedinvalid_client',
  ])
})

test('a token that renews itself needs nobody', async () => {
  open([buildSignIn(1, {}), buildSignIn(2, { state: 'expired' })])
  await screen.findByRole('heading', { name: 'Gateway traffic' })
  expect(screen.queryByText('Sign-ins that need you')).toBeNull()
})

test('who may not edit is led to the list, and the eleventh is there too', async () => {
  const refused = Array.from({ length: 12 }, (_, at) => buildSignIn(at, { state: 'refused' }))
  const { browser } = open(refused, buildUser({ permissions: ['dashboard.view', 'api.view'] }))
  expect(await rows()).toHaveLength(10)
  const link = screen.getByRole('link', { name: 'API 5' })
  expect(link.getAttribute('href')).toBe('/dashboard/admin/apis?search=API+5')
  const link12 = () => screen.queryByRole('link', { name: 'API 11' })
  expect(link12()).toBeNull()
  await browser.click(screen.getByRole('button', { name: 'Show all 12 sign-ins' }))
  expect(await rows()).toHaveLength(12)
  expect(link12()).toBeTruthy()
})

test('without api.view nothing is asked', async () => {
  const { server } = open([], buildUser({ permissions: ['dashboard.view'] }))
  await screen.findByRole('heading', { name: 'Gateway traffic' })
  expect(server.requests.map(({ key }) => key)).not.toContain('GET /api/sign-ins')
})

test('a list that could not be loaded is said to be missing', async () => {
  watchConsoleErrors()
  renderApp({
    path: '/dashboard',
    answers: {
      'GET /api/apis': () => buildPage([]),
      'GET /api/sign-ins': () => refuse('request.invalid'),
    },
  })
  expect(await screen.findByText('The sign-ins could not be loaded.')).toBeTruthy()
})
