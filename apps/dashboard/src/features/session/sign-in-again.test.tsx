import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { buildApiRecord, buildPage, buildUser } from '../../testing/builders.ts'
import { refuse, type Answers } from '../../testing/fake-server.ts'
import { renderApp } from '../../testing/render-app.tsx'

const path = '/dashboard/admin/endpoint/create'
const login = '/api/login/react'
const user = buildUser({ email: 'ada@example.com' })
const answers: Answers = {
  'GET /api/endpoint': () => buildPage([]),
  'GET /api/endpoint/create': () => [[buildApiRecord(1)]],
  'POST /api/login': () => ({ token: 'fresh', user }),
}

async function typeInForm() {
  const app = renderApp({ path, user, answers })
  await app.browser.type(await screen.findByLabelText('Summary'), 'One order')
  return app
}

function logOutInAnotherTab() {
  localStorage.removeItem('authToken')
  window.dispatchEvent(new StorageEvent('storage', { key: 'authToken' }))
}

async function signInAgain({ browser }: Pick<Awaited<ReturnType<typeof typeInForm>>, 'browser'>) {
  await screen.findByText('Your session has ended')
  await browser.type(screen.getByLabelText('Password', { selector: 'input' }), 'correct horse')
  await browser.click(screen.getByRole('button', { name: 'Login' }))
  await waitFor(() => expect(screen.queryByText('Your session has ended')).toBeNull())
}

const summary = () => screen.getByLabelText<HTMLInputElement>('Summary').value

test('a form stays when its session has ended at the save, and is saved after a new login', async () => {
  const app = await typeInForm()
  app.server.use({ 'POST /api/endpoint': () => refuse('session.unauthenticated') })
  await app.browser.click(screen.getByRole('button', { name: 'Create endpoint' }))
  await signInAgain(app)
  expect(summary()).toBe('One order')
  expect(app.server.bodiesOf('POST /api/login')).toEqual([
    { email: 'ada@example.com', password: 'correct horse' },
  ])
  app.server.use({ 'POST /api/endpoint': () => refuse('request.invalid', { path: ['Wrong.'] }) })
  await app.browser.click(screen.getByRole('button', { name: 'Create endpoint' }))
  expect(await screen.findByText('Wrong.')).toBeTruthy()
  expect(app.server.requests.at(-1)?.headers.get('authorization')).toBe('Bearer fresh')
})

test('a logout in another tab does not throw the form of this one away', async () => {
  const app = await typeInForm()
  logOutInAnotherTab()
  await signInAgain(app)
  expect(summary()).toBe('One order')
  expect(app.address()).toBe(path)
})

test('another user who signs in sees nothing of the form', async () => {
  const app = await typeInForm()
  app.server.use({ 'POST /api/login': () => ({ token: 'fresh', user: buildUser({ id: 99 }) }) })
  logOutInAnotherTab()
  await signInAgain(app)
  await waitFor(() => expect(summary()).toBe(''))
})

/** A browser whose person always chooses a passkey; whose it is, the server says. */
function havePasskeys() {
  const same = (options: unknown) => options
  vi.stubGlobal('PublicKeyCredential', {
    parseCreationOptionsFromJSON: same,
    parseRequestOptionsFromJSON: same,
  })
  const bytes = new ArrayBuffer(8)
  const response = {
    clientDataJSON: bytes,
    authenticatorData: bytes,
    signature: bytes,
    userHandle: bytes,
  }
  const get = async () => ({ id: 'passkey', response })
  vi.stubGlobal('navigator', Object.create(navigator, { credentials: { value: { get } } }))
}

const passkeyAnswers: Answers = {
  'GET /api/sign-on/offer': () => ({ name: null, passkeys: { origin: location.origin } }),
  'POST /api/login/passkey/begin': () => ({
    challenge: 'AAAA',
    rpId: 'localhost',
    userVerification: 'required',
    timeout: 60_000,
  }),
}

test('a passkey of another user is refused, and the form waits on for its own', async () => {
  const app = await typeInForm()
  havePasskeys()
  const other = buildUser({ id: 99, email: 'bob@example.com' })
  app.server.use({
    ...passkeyAnswers,
    'POST /api/login/passkey': () => ({ token: 'of-another', user: other }),
    'POST /api/logout': () => undefined,
  })
  logOutInAnotherTab()
  await app.browser.click(await screen.findByRole('button', { name: 'Sign in with a passkey' }))
  expect(await screen.findByText('This passkey is another user’s.')).toBeTruthy()
  const logouts = () => app.server.requests.filter(({ key }) => key === 'POST /api/logout')
  await waitFor(() => expect(logouts()).toHaveLength(1))
  expect(logouts()[0]?.headers.get('authorization')).toBe('Bearer of-another')
  expect(localStorage.getItem('authToken')).toBeNull()
  expect(screen.getByText('Your session has ended')).toBeTruthy()
  expect(summary()).toBe('One order')

  app.server.use({ 'POST /api/login/passkey': () => ({ token: 'fresh', user }) })
  await app.browser.click(await screen.findByRole('button', { name: 'Sign in with a passkey' }))
  await waitFor(() => expect(screen.queryByText('Your session has ended')).toBeNull())
  expect(localStorage.getItem('authToken')).toBe('fresh')
  expect(summary()).toBe('One order')
})

test('who leaves gives the form up', async () => {
  const app = await typeInForm()
  logOutInAnotherTab()
  await app.browser.click(await screen.findByRole('button', { name: 'Leave without saving' }))
  await waitFor(() => expect(app.address()).toBe(login))
})

test('the user’s own logout asks for nothing', async () => {
  const app = await typeInForm()
  app.server.use({ 'POST /api/logout': () => refuse('server.failed') })
  await app.browser.click(screen.getByRole('button', { name: /^Account of/ }))
  await app.browser.click(await screen.findByRole('menuitem', { name: 'Logout' }))
  await waitFor(() => expect(app.address()).toBe(login))
})
