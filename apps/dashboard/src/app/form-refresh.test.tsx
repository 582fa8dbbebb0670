import { act, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { ProcedureContract } from '@gatehouse/contract'
import {
  buildAccessApis,
  buildAccessChoices,
  buildAccessForm,
  buildRoleForm,
  buildToken,
  buildUserRecord,
} from '../testing/admin-builders.ts'
import { buildApiRecord, buildEndpoint, buildPage } from '../testing/builders.ts'
import { refuse, type Answers } from '../testing/fake-server.ts'
import { renderApp, watchConsoleErrors } from '../testing/render-app.tsx'

interface LoadedForm {
  path: string
  field: string
  /** What the server answers; `name` is what the field holds of it. */
  answers: (name: string) => Answers
}

const roles = [{ id: 3, name: 'Operator' }]
const choice = {
  id: 1,
  description: 'Orders',
  summery: 'Orders',
  method_type: 'post',
  path: '/orders',
  effect: 'submit',
  text_content_type: null,
  api: { id: 1, name: 'Orders' },
} as const
/** Access to the last endpoint may be taken while a user fills in the form. */
const choicesOf = (name: string) => (name === 'as it was' ? [choice] : [])

/** Every form whose content is loaded, with a field to type into. */
const forms: Record<string, LoadedForm> = {
  'Edit API': {
    path: '/dashboard/admin/api/edit/4',
    field: 'API Name',
    answers: (name) => ({ 'GET /api/apis/:id/edit': () => [buildApiRecord(4, { name })] }),
  },
  'Edit endpoint': {
    path: '/dashboard/admin/endpoint/edit/7',
    field: 'Summary',
    answers: (summery) => ({
      'GET /api/endpoint/:id/edit': () => [buildEndpoint({ summery }), [buildApiRecord(1)]],
    }),
  },
  'Create endpoint': {
    path: '/dashboard/admin/endpoint/create',
    field: 'Summary',
    answers: (name) => ({ 'GET /api/endpoint/create': () => [[buildApiRecord(1, { name })]] }),
  },
  'Edit user': {
    path: '/dashboard/admin/user/edit/7',
    field: 'User Name',
    answers: (name) => ({
      'GET /api/user/:id/edit': () => ({ user: buildUserRecord({ name }), roles }),
    }),
  },
  'Create user': {
    path: '/dashboard/admin/user/create',
    field: 'User Name',
    answers: (name) => ({ 'GET /api/user/create': () => ({ roles: [{ id: 3, name }] }) }),
  },
  'Edit role': {
    path: '/dashboard/admin/role/edit/3',
    field: 'Role Name',
    answers: (name) => ({
      'GET /api/role/:id/edit': () => buildRoleForm({ role: { ...buildRoleForm().role, name } }),
    }),
  },
  'Create role': {
    path: '/dashboard/admin/role/create',
    field: 'Role Name',
    answers: () => ({ 'GET /api/role/create': () => buildRoleForm() }),
  },
  'Tax request': {
    path: '/dashboard/admin/tax',
    field: 'Token',
    answers: (name) => ({ 'GET /api/tax': () => [choicesOf(name)] }),
  },
  'Credit request': {
    path: '/dashboard/admin/tax/credit',
    field: 'Body',
    answers: (name) => ({ 'GET /api/credit/tax': () => [choicesOf(name)] }),
  },
  'Personal token': {
    path: '/dashboard/admin/personal-token',
    field: 'Name',
    answers: (name) => ({
      'GET /api/token': () => buildPage([buildToken({ name })]),
      'GET /api/token/create': () => ({ users: [{ id: 4, name }] }),
    }),
  },
}

/** As an invalidation, a focused window or a connection that is back would do it. */
const refreshAll = ({ client }: ReturnType<typeof renderApp>) =>
  act(() => client.refetchQueries({}, { cancelRefetch: true }))

const fieldOf = async (label: string) =>
  (await screen.findAllByLabelText<HTMLInputElement>(label))[0]!

test.each(Object.entries(forms))(
  '%s: a refresh keeps what was typed, whether it brings changes or fails',
  async (_, { path, field, answers }) => {
    watchConsoleErrors()
    const app = renderApp({ path, answers: answers('as it was') })
    const input = await fieldOf(field)
    await app.browser.clear(input)
    await app.browser.type(input, 'as I type it')

    app.server.use(answers('as others left it'))
    await refreshAll(app)
    expect((await fieldOf(field)).value).toBe('as I type it')

    const failures = Object.keys(answers('')).map((key) => [key, () => refuse('server.failed')])
    app.server.use(Object.fromEntries(failures) as Answers)
    await refreshAll(app)
    expect((await fieldOf(field)).value).toBe('as I type it')
    expect(await fieldOf(field)).toBe(input)
  },
)

test.each(['Edit API', 'Edit endpoint', 'Edit user', 'Edit role'])(
  '%s: an untouched form shows what a refresh brings',
  async (name) => {
    const { path, field, answers } = forms[name]!
    const app = renderApp({ path, answers: answers('as it was') })
    expect((await fieldOf(field)).value).toBe('as it was')
    app.server.use(answers('as others left it'))
    await refreshAll(app)
    await waitFor(async () => expect((await fieldOf(field)).value).toBe('as others left it'))
  },
)

test.each(Object.entries(forms))(
  '%s: an untouched form stays where a refresh brings nothing new',
  async (_, { path, field, answers }) => {
    const app = renderApp({ path, answers: answers('as it was') })
    const input = await fieldOf(field)
    await refreshAll(app)
    expect(await fieldOf(field)).toBe(input)
  },
)

test('a role’s access: a refresh keeps the chosen endpoints', async () => {
  watchConsoleErrors()
  const app = renderApp({
    path: '/dashboard/admin/api-permission/edit/3',
    answers: {
      'GET /api/api-permission/:id/edit': () => buildAccessForm(),
      'GET /api/api-permission/:id/endpoints': () => buildAccessChoices(),
      'GET /api/api-permission/:id/apis': () => buildAccessApis(),
      'POST /api/api-permission/:id/preview': () => refuse('server.failed'),
    },
  })
  await app.browser.click(await screen.findByRole('combobox', { name: 'Assign Access' }))
  await app.browser.click(await screen.findByRole('option', { name: /Endpoint 2/ }))
  await refreshAll(app)
  expect(screen.getAllByText(/Endpoint [12]/).length).toBeGreaterThan(1)
})

test('a contract lock that is checked and accepted leaves the unsaved form alone', async () => {
  const at = '2026-05-01T00:00:00Z'
  const signature = { schema: 'shop', name: 'add_sale', parameters: [], isReadOnly: false }
  let contract: ProcedureContract = {
    method: 'add_sale',
    locked: { signature, shapes: null, at },
    drift: {
      signature,
      shapes: null,
      kind: 'breaking',
      seen_at: at,
      changes: [{ kind: 'breaking', text: 'The parameter total is gone.' }],
    },
    checked_at: null,
    check_failure: null,
  }
  const api = { api_protocol: 'stored_procedure', driver: 'mysql', func_name: 'add_sale' } as const
  const { browser, server } = renderApp({
    path: '/dashboard/admin/api/edit/4',
    answers: {
      'GET /api/apis/:id/edit': () => [buildApiRecord(4, api)],
      'GET /api/apis/:id/procedure': () => contract,
      'POST /api/apis/:id/procedure/check': () => contract,
      'POST /api/apis/:id/procedure/accept': () => {
        contract = { ...contract, drift: null }
        return contract
      },
      'PUT /api/apis/:id': () => refuse('record.changed'),
    },
  })
  const host = await fieldOf('Host')
  await browser.type(host, 'erp.local')
  await screen.findByText('The parameter total is gone.')
  await browser.click(screen.getByRole('button', { name: 'Check now' }))
  await browser.click(screen.getByRole('button', { name: 'Accept as the new contract' }))
  await screen.findByText(/It has not changed since/)
  expect((await fieldOf('Host')).value).toBe('erp.local')

  // What was loaded in between must not pass for the version that was edited.
  server.use({ 'GET /api/apis/:id/edit': () => [buildApiRecord(4, { ...api, version: 9 })] })
  await browser.click(screen.getByRole('button', { name: 'Check now' }))
  await waitFor(() =>
    expect(server.requests.filter(({ key }) => key.endsWith('procedure/check'))).toHaveLength(2),
  )
  await browser.click(screen.getByRole('button', { name: 'Save' }))
  await screen.findByText('Another user has changed this record')
  expect(server.bodiesOf('PUT /api/apis/:id')).toMatchObject([{ host: 'erp.local', version: 3 }])
  await browser.click(await screen.findByRole('button', { name: 'Reload' }))
  await waitFor(async () => expect((await fieldOf('Host')).value).toBe(''))
})

test('a reload that fails keeps what was typed and says why', async () => {
  watchConsoleErrors()
  const { path, field, answers } = forms['Edit API']!
  const { browser, server } = renderApp({
    path,
    answers: { ...answers('as it was'), 'PUT /api/apis/:id': () => refuse('record.changed') },
  })
  await browser.type(await fieldOf(field), ' and more')
  await browser.click(screen.getByRole('button', { name: 'Save' }))
  server.use({ 'GET /api/apis/:id/edit': () => refuse('server.failed') })
  await browser.click(await screen.findByRole('button', { name: 'Reload' }))
  await screen.findByText('Unable to fetch API details.')
  expect((await fieldOf(field)).value).toBe('as it was and more')
})
