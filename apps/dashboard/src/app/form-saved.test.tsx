import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { buildRoleForm, buildUserRecord } from '../testing/admin-builders.ts'
import { buildApiRecord, buildEndpoint, buildPage, buildUser } from '../testing/builders.ts'
import { refuse, type Answers } from '../testing/fake-server.ts'
import { renderApp, watchConsoleErrors } from '../testing/render-app.tsx'
import { watchAlerts } from '../testing/watch-alerts.ts'

const path = '/dashboard/admin/endpoint/edit/7'
const apis = [buildApiRecord(1, { name: 'Orders' })]
const stored = (changes: Parameters<typeof buildEndpoint>[0] = {}): Answers => ({
  'GET /api/endpoint/:id/edit': () => [buildEndpoint(changes), apis],
})
const open = () =>
  renderApp({ path, answers: { ...stored(), 'PUT /api/endpoint/:id': () => buildEndpoint() } })
const summary = () => screen.findByLabelText<HTMLInputElement>('Summary')
const saveButton = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Save' })
/** From the field that is typed in. */
const saveByKeys = '{Control>}s{/Control}'
const panel = (title: string) => screen.getByText(title).closest('details')!

test('a saved form stays, and begins again with what is stored', async () => {
  const { browser, server, address } = open()
  await browser.type(await summary(), '  ')
  server.use(stored({ summery: 'As the server keeps it', version: 9 }))
  await browser.click(saveButton())
  await screen.findByText('Endpoint saved.')
  await waitFor(async () => expect((await summary()).value).toBe('As the server keeps it'))
  expect(address()).toBe(path)
  screen.getByText('No unsaved changes')
  screen.getByRole('heading', { name: 'Edit As the server keeps it' })
  expect(saveButton().disabled).toBe(false)

  await browser.type(await summary(), '!')
  await browser.click(saveButton())
  await waitFor(() => expect(server.bodiesOf('PUT /api/endpoint/:id')).toHaveLength(2))
  expect(server.bodiesOf('PUT /api/endpoint/:id')[1]).toMatchObject({
    summery: 'As the server keeps it!',
    version: 9,
  })
})

test('a form that is saved by the keyboard gives the focus to its button; what was open stays open', async () => {
  const { browser } = open()
  const field = await summary()
  await browser.click(screen.getByText('Headers to the upstream'))
  await waitFor(() => expect(panel('Headers to the upstream').open).toBe(true))
  await browser.type(field, `!${saveByKeys}`)
  await screen.findByText('Endpoint saved.')
  await waitFor(() => expect(field.isConnected).toBe(false))
  expect(document.activeElement).toBe(saveButton())
  expect(panel('Headers to the upstream').open).toBe(true)
})

test('what is typed while the form is being saved is kept, over the version that was saved', async () => {
  const { browser, server } = open()
  const saved = Promise.withResolvers<void>()
  server.use({
    'PUT /api/endpoint/:id': async () => {
      await saved.promise
      return buildEndpoint()
    },
  })
  const field = await summary()
  await browser.type(field, ` one${saveByKeys}`)
  await screen.findByText('Saving…')
  await browser.type(field, ' two')
  server.use({
    ...stored({ summery: 'One order one', version: 9 }),
    'PUT /api/endpoint/:id': () => buildEndpoint(),
  })
  saved.resolve()
  await screen.findByText('Unsaved changes')
  expect((await summary()).value).toBe('One order one two')
  await browser.click(saveButton())
  await waitFor(() => expect(server.bodiesOf('PUT /api/endpoint/:id')).toHaveLength(2))
  expect(server.bodiesOf('PUT /api/endpoint/:id')[1]).toMatchObject({
    summery: 'One order one two',
    version: 9,
  })
})

test('a form whose record can’t be loaded after a save can be used, and holds what was saved', async () => {
  watchConsoleErrors()
  const { browser, server } = open()
  await browser.type(await summary(), '!')
  server.use({ 'GET /api/endpoint/:id/edit': () => refuse('server.failed') })
  await browser.click(saveButton())
  await screen.findByText('Unable to fetch API details.')
  await screen.findByText('No unsaved changes')
  expect((await summary()).value).toBe('One order!')
  expect(saveButton().disabled).toBe(false)
})

test('what else the screen shows is fetched again after a save', async () => {
  const user = buildUserRecord()
  const { browser, server } = renderApp({
    path: '/dashboard/admin/user/edit/7',
    answers: {
      'GET /api/user/:id/edit': () => ({ user, roles: [{ id: 3, name: 'Operator' }] }),
      'GET /api/access/:subject/:id/endpoints': () => ({
        name: user.name,
        endpoints: [],
        endpoints_count: 0,
        workflows: [],
      }),
      'PUT /api/user/:id': () => user,
    },
  })
  const asked = () =>
    server.requests.filter(({ key }) => key === 'GET /api/access/:subject/:id/endpoints')
  await browser.click(await screen.findByText('What can this user call, and why?'))
  await screen.findByText('There is no endpoint yet.')
  expect(asked()).toHaveLength(1)
  await browser.click(screen.getByRole('button', { name: 'Save User' }))
  await waitFor(() => expect(asked()).toHaveLength(2))
})

test('after a new record Back leads to where its form was opened, and nothing asks', async () => {
  const { browser, address, router } = renderApp({
    path: '/dashboard/admin/endpoints',
    answers: {
      ...stored(),
      'GET /api/endpoint': () => buildPage([]),
      'GET /api/endpoint/create': () => [apis],
      'POST /api/endpoint': () => buildEndpoint(),
    },
  })
  await browser.click(await screen.findByRole('link', { name: 'Add endpoint' }))
  await browser.type(await summary(), 'One order')
  await browser.click(screen.getByRole('button', { name: 'Create endpoint' }))
  await screen.findByRole('heading', { name: 'Edit One order' })
  expect(address()).toBe(path)
  expect(screen.queryByRole('dialog')).toBeNull()
  await act(() => router.navigate(-1))
  await waitFor(() => expect(address()).toBe('/dashboard/admin/endpoints'))
})

test('a new endpoint of an API’s page leads back to that page by Cancel', async () => {
  const { browser, address } = renderApp({
    path: '/dashboard/admin/endpoint/create?api=1&return=api',
    answers: {
      ...stored(),
      'GET /api/endpoint/create': () => [apis],
      'POST /api/endpoint': () => buildEndpoint(),
    },
  })
  await browser.click(await screen.findByRole('button', { name: 'Create endpoint' }))
  await screen.findByRole('heading', { name: 'Edit One order' })
  expect(address()).toBe(`${path}?return=api`)
  const cancel = screen.getByRole('link', { name: 'Cancel' })
  expect(cancel.getAttribute('href')).toBe('/dashboard/admin/apis/1/endpoints')
})

test.each([
  {
    form: 'endpoint',
    lacks: 'endpoint.edit',
    button: 'Create endpoint',
    leadsTo: '/dashboard/admin/endpoints',
    answers: {
      'GET /api/endpoint': () => buildPage([]),
      'GET /api/endpoint/create': () => [apis],
      'POST /api/endpoint': () => buildEndpoint(),
    } satisfies Answers,
  },
  {
    form: 'user',
    lacks: 'user.view',
    button: 'Save User',
    leadsTo: '/dashboard',
    answers: {
      'GET /api/user/create': () => ({ roles: [] }),
      'POST /api/user': () => buildUserRecord(),
    } satisfies Answers,
  },
])('who may create an $form but not open it is led where they may go', async (each) => {
  const permissions = buildUser().permissions.filter((name) => name !== each.lacks)
  const { browser, address } = renderApp({
    path: `/dashboard/admin/${each.form}/create`,
    user: buildUser({ permissions }),
    answers: each.answers,
  })
  await browser.click(await screen.findByRole('button', { name: each.button }))
  await waitFor(() => expect(address()).toBe(each.leadsTo))
})

test('a new role is led to; an alert comes before the form begins again', async () => {
  const alert = watchAlerts()
  const { browser, address } = renderApp({
    path: '/dashboard/admin/role/create',
    answers: {
      'GET /api/role/create': () => buildRoleForm(),
      'GET /api/role/:id/edit': () => buildRoleForm(),
      'POST /api/role': () => ({ id: 3, name: 'Operator' }),
      'PUT /api/role/:id': () => ({ id: 3, name: 'Operator' }),
    },
  })
  await browser.type(await screen.findByLabelText('Role Name'), 'Operator')
  await browser.click(screen.getByRole('button', { name: 'Create Role' }))
  await waitFor(() => expect(address()).toBe('/dashboard/admin/role/edit/3'))
  await browser.click(await screen.findByRole('button', { name: 'Update Role' }))
  await waitFor(() => expect(alert).toHaveBeenCalledExactlyOnceWith('Role updated successfully!'))
  await within(document.body).findByText('No unsaved changes')
})
