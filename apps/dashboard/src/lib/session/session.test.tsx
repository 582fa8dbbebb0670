import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { buildPage, buildUser } from '../../testing/builders.ts'
import { refuse } from '../../testing/fake-server.ts'
import { renderApp, sessionToken, watchConsoleErrors } from '../../testing/render-app.tsx'

const login = '/api/login/react'
const signOutKey = 'gatehouse.sign-out'
const signOut = 'https://login.example.com/logout?id_token_hint=a.b.c'
const home = { 'GET /api/apis': () => buildPage([]) }

async function signIn(browser: ReturnType<typeof renderApp>['browser']) {
  await browser.type(await screen.findByLabelText('E-Mail Address'), 'ada@example.com')
  await browser.type(screen.getByLabelText('Password'), 'correct horse battery')
  await browser.click(screen.getByRole('button', { name: 'Login' }))
}

test('without a session every screen leads to the login page', async () => {
  const { address } = renderApp({ path: '/dashboard/admin/apis', user: null })
  await screen.findByRole('button', { name: 'Login' })
  expect(address()).toBe(login)
  expect(screen.queryByRole('navigation')).toBeNull()
})

test('a stored token is verified first, with a placeholder in the meantime', async () => {
  const { promise, resolve } = Promise.withResolvers<{ user: ReturnType<typeof buildUser> }>()
  renderApp({ path: '/dashboard', answers: { ...home, 'GET /api/auth': () => promise } })
  expect(await screen.findByText('Loading...')).toBeTruthy()
  resolve({ user: buildUser({ name: 'Grace' }) })
  expect(await screen.findByRole('heading', { name: 'Welcome, Grace' })).toBeTruthy()
})

test('a token that fails the check is removed', async () => {
  watchConsoleErrors()
  const { address } = renderApp({
    path: '/dashboard',
    answers: { 'GET /api/auth': () => refuse('session.unauthenticated') },
  })
  await screen.findByRole('button', { name: 'Login' })
  expect(address()).toBe(login)
  expect(localStorage.getItem('authToken')).toBeNull()
})

test('a check that cannot be made is tried once more, then the token is removed', async () => {
  watchConsoleErrors()
  const { server } = renderApp({
    path: '/dashboard',
    answers: { 'GET /api/auth': () => refuse('server.failed') },
  })
  await screen.findByRole('button', { name: 'Login' })
  expect(server.requests.filter((each) => each.key === 'GET /api/auth')).toHaveLength(2)
  expect(localStorage.getItem('authToken')).toBeNull()
})

test('login stores the token and always goes to /dashboard, without asking who that is', async () => {
  const { server, browser, address } = renderApp({
    path: login,
    user: null,
    answers: { ...home, 'POST /api/login': () => ({ token: 'fresh', user: buildUser() }) },
  })
  await signIn(browser)
  await screen.findByRole('heading', { name: 'Welcome, Ada Admin' })
  expect(address()).toBe('/dashboard')
  expect(localStorage.getItem('authToken')).toBe('fresh')
  expect(server.bodiesOf('POST /api/login')).toEqual([
    { email: 'ada@example.com', password: 'correct horse battery' },
  ])
  expect(server.requests.map(({ key }) => key)).not.toContain('GET /api/auth')
})

test.each([
  ['session.invalid_credentials', 'Invalid email or password'],
  ['session.throttled', 'Too many sign-in attempts. Wait a moment and try again.'],
] as const)('a login refused with %s says why', async (code, text) => {
  const { browser, address } = renderApp({
    path: login,
    user: null,
    answers: { 'POST /api/login': () => refuse(code) },
  })
  await signIn(browser)
  expect((await screen.findByRole('alert')).textContent).toBe(text)
  expect(address()).toBe(login)
})

test('what the server finds wrong with a login field is shown under the field', async () => {
  const { browser } = renderApp({
    path: login,
    user: null,
    answers: {
      'POST /api/login': () => refuse('request.invalid', { email: ['The email is too long.'] }),
    },
  })
  await signIn(browser)
  expect(await screen.findByText('The email is too long.')).toBeTruthy()
})

test('a signed-in user is led from the login page to the dashboard', async () => {
  const { address } = renderApp({ path: login, answers: home })
  await screen.findByRole('heading', { name: 'Welcome, Ada Admin' })
  expect(address()).toBe('/dashboard')
})

test('logout ends the session on the server and here, even if the server cannot be reached', async () => {
  const { server, browser, address } = renderApp({
    path: '/dashboard',
    answers: { ...home, 'POST /api/logout': () => refuse('server.failed') },
  })
  sessionStorage.setItem('gatehouse.tax.1', '{"steps":[]}')
  await browser.click(await screen.findByRole('button', { name: 'Account of Ada Admin' }))
  await browser.click(await screen.findByRole('menuitem', { name: 'Logout' }))
  await screen.findByRole('button', { name: 'Login' })
  expect(address()).toBe(login)
  expect(localStorage.getItem('authToken')).toBeNull()
  expect(Object.keys(sessionStorage)).toEqual([])
  const sent = server.requests.find(({ key }) => key === 'POST /api/logout')
  expect(sent?.headers.get('authorization')).toBe(`Bearer ${sessionToken}`)
})

test('where one user signs out at a provider is not kept for the next user', async () => {
  watchConsoleErrors()
  const { browser } = renderApp({
    path: '/dashboard',
    answers: {
      ...home,
      'GET /api/auth': () => refuse('session.unauthenticated'),
      'POST /api/login': () => {
        // Of a tab that has begun earlier.
        localStorage.setItem(signOutKey, signOut)
        return { token: 'fresh', user: buildUser() }
      },
    },
  })
  localStorage.setItem(signOutKey, signOut)
  await screen.findByRole('button', { name: 'Login' })
  expect(localStorage.getItem(signOutKey)).toBeNull()
  await signIn(browser)
  await screen.findByRole('heading', { name: 'Welcome, Ada Admin' })
  expect(localStorage.getItem(signOutKey)).toBeNull()
})

test('a session that ends on the server ends here with the next call', async () => {
  const { browser, address } = renderApp({
    path: '/dashboard',
    answers: {
      'GET /api/apis': ({ query }) =>
        query['limit'] === '1' ? buildPage([]) : refuse('session.unauthenticated'),
    },
  })
  const menu = within(await screen.findByRole('navigation', { name: 'Main' }))
  await browser.click(menu.getByRole('link', { name: 'APIs' }))
  await screen.findByRole('button', { name: 'Login' })
  expect(address()).toBe(login)
})

test('a logout and a login in another tab are followed', async () => {
  const { server, address } = renderApp({ path: '/dashboard', answers: home })
  await screen.findByRole('heading', { name: 'Welcome, Ada Admin' })

  localStorage.removeItem('authToken')
  window.dispatchEvent(new StorageEvent('storage', { key: 'authToken' }))
  await waitFor(() => expect(address()).toBe(login))

  server.use({ 'GET /api/auth': () => ({ user: buildUser({ name: 'Grace' }) }) })
  localStorage.setItem('authToken', 'of the other tab')
  window.dispatchEvent(new StorageEvent('storage', { key: 'authToken' }))
  await screen.findByRole('heading', { name: 'Welcome, Grace' })
  await waitFor(() => expect(address()).toBe('/dashboard'))
})
