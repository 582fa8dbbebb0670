import { screen, waitFor, within } from '@testing-library/react'
import { noValidation } from '@gatehouse/contract'
import { expect, test } from 'vitest'
import { writeDraft } from '../lib/forms/form-drafts.ts'
import { buildApiRecord, buildEndpoint, buildPage, buildUser } from '../testing/builders.ts'
import { refuse, type Answers } from '../testing/fake-server.ts'
import { renderApp } from '../testing/render-app.tsx'

const path = '/dashboard/admin/endpoint/edit/7'
const user = buildUser()
const edit = (changes: Parameters<typeof buildEndpoint>[0] = {}): Answers => ({
  'GET /api/endpoint/:id/edit': () => [buildEndpoint(changes), [buildApiRecord(1)]],
})
const open = (answers: Answers = edit()) => renderApp({ path, user, answers })
const valueOf = async (label: string) =>
  (await screen.findByLabelText<HTMLInputElement>(label)).value
const kept = () => JSON.stringify({ ...localStorage })
const keep = (mine: string, base = 'One order', userId = user.id) =>
  writeDraft(userId, path, {
    at: new Date(Date.now() - 5 * 60_000).toISOString(),
    changes: [{ path: 'summery', base, mine }],
    hadSecret: false,
  })

test('what is typed is kept, and offered to the same user alone', async () => {
  const { browser } = open()
  await browser.type(await screen.findByLabelText('Summary'), ' and more')
  screen.getByText('Unsaved changes')
  await waitFor(() => expect(kept()).toContain('One order and more'))
  expect(Object.keys(localStorage)).toContain(`gatehouse.draft.${user.id}.${path}`)
})

test('a draft is offered with its age, and taken over', async () => {
  keep('One order of mine')
  const { browser } = open()
  await screen.findByText('You have unsaved changes from 5 minutes ago')
  expect(await valueOf('Summary')).toBe('One order')
  await browser.click(screen.getByRole('button', { name: 'Continue' }))
  expect(await valueOf('Summary')).toBe('One order of mine')
})

test('a draft that is discarded is gone', async () => {
  keep('One order of mine')
  const { browser } = open()
  await browser.click(await screen.findByRole('button', { name: 'Discard' }))
  expect(screen.queryByText(/You have unsaved changes/)).toBeNull()
  expect(kept()).not.toContain('of mine')
})

test('the draft of another user is neither offered nor left behind', async () => {
  keep('Of somebody else', 'One order', 99)
  open()
  await valueOf('Summary')
  expect(screen.queryByText(/You have unsaved changes/)).toBeNull()
  await waitFor(() => expect(kept()).not.toContain('Of somebody else'))
})

test('a draft of a record that has changed since is compared with it', async () => {
  keep('One order of mine')
  const { browser } = open(edit({ summery: 'One order of theirs', description: 'New' }))
  await screen.findByText(/The record has changed since/)
  await browser.click(screen.getByRole('button', { name: 'Continue' }))
  const dialog = await screen.findByRole('dialog')
  await within(dialog).findByText('One order of theirs')
  await browser.click(within(dialog).getByRole('radio', { name: 'Keep mine: Summary' }))
  await browser.click(within(dialog).getByRole('button', { name: 'Put into the form' }))
  expect(await valueOf('Summary')).toBe('One order of mine')
  expect(await valueOf('Description')).toBe('New')
})

test('a password is never kept, and the draft says so', async () => {
  const { browser } = renderApp({
    path: '/dashboard/admin/user/create',
    user,
    answers: { 'GET /api/user/create': () => ({ roles: [] }) },
  })
  await browser.type(await screen.findByLabelText('User Name'), 'Otto')
  await browser.type(screen.getByLabelText('Password', { selector: 'input' }), 'correct horse')
  await waitFor(() => expect(kept()).toContain('"hadSecret\\":true'))
  expect(kept()).toContain('Otto')
  expect(kept()).not.toContain('correct horse')
})

test('a conflict keeps mine, takes what only they changed, and saves over the newest version', async () => {
  const { browser, server } = open()
  await browser.type(await screen.findByLabelText('Summary'), ' of mine')
  server.use({
    ...edit({ summery: 'Theirs', path: '/theirs', version: 9 }),
    'PUT /api/endpoint/:id': () => refuse('record.changed'),
  })
  await browser.click(screen.getByRole('button', { name: 'Save' }))
  const dialog = await screen.findByRole('dialog')
  await browser.click(await within(dialog).findByRole('radio', { name: 'Keep mine: Summary' }))
  within(dialog).getByText(/Changed by the other user alone, and taken: Path/)
  server.use({
    'PUT /api/endpoint/:id': () => buildEndpoint(),
    'GET /api/endpoint': () => buildPage([]),
  })
  await browser.click(within(dialog).getByRole('button', { name: 'Save these' }))
  await waitFor(() => expect(server.bodiesOf('PUT /api/endpoint/:id')).toHaveLength(2))
  expect(server.bodiesOf('PUT /api/endpoint/:id').at(-1)).toMatchObject({
    summery: 'One order of mine',
    path: '/theirs',
    version: 9,
  })
  await waitFor(() => expect(kept()).not.toContain('of mine'))
})

test('a comparison shows choices by their names', async () => {
  const { browser, server } = open()
  await browser.click(await screen.findByRole('combobox', { name: 'Method' }))
  await browser.click(await screen.findByRole('option', { name: 'POST' }))
  server.use({
    ...edit({ method_type: 'put', version: 9 }),
    'PUT /api/endpoint/:id': () => refuse('record.changed'),
  })
  await browser.click(screen.getByRole('button', { name: 'Save' }))
  const dialog = within(await screen.findByRole('dialog'))
  const field = within(await dialog.findByRole('group', { name: 'Method' }))
  expect([field.queryByText('PUT'), field.queryByText('POST')]).not.toContain(null)
  expect(field.queryByText('put')).toBeNull()
})

test('a comparison calls fields that are folded away as the form does, those of rules with their rule', async () => {
  const { browser, server } = open()
  await browser.type(await screen.findByLabelText('Summary'), ' of mine')
  const { run_settings, validation } = buildEndpoint()
  server.use({
    ...edit({
      version: 9,
      validation: { ...noValidation, ...validation, mode: 'enforce' },
      run_settings: {
        ...run_settings,
        effect: 'read',
        success_rule: { statuses: '200', join: 'all', conditions: [] },
      },
    }),
    'PUT /api/endpoint/:id': () => refuse('record.changed'),
  })
  await browser.click(screen.getByRole('button', { name: 'Save' }))
  const taken = await screen.findByText(/^Changed by the other user alone/)
  expect(taken.textContent).toBe(
    'Changed by the other user alone, and taken: Requests that do not fit, Effect, Success rule: Statuses',
  )
})

test('a comparison that is closed leaves the form as it is, and comes back at the next save', async () => {
  const { browser, server } = open()
  await browser.type(await screen.findByLabelText('Summary'), ' of mine')
  server.use({
    ...edit({ summery: 'Theirs', version: 9 }),
    'PUT /api/endpoint/:id': () => refuse('record.changed'),
  })
  await browser.click(screen.getByRole('button', { name: 'Save' }))
  await screen.findByRole('radio', { name: 'Take theirs: Summary' })
  await browser.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(await valueOf('Summary')).toBe('One order of mine')
  await browser.click(screen.getByRole('button', { name: 'Save' }))
  await browser.click(await screen.findByRole('radio', { name: 'Take theirs: Summary' }))
  await browser.click(screen.getByRole('button', { name: 'Put into the form' }))
  expect(await valueOf('Summary')).toBe('Theirs')
  expect(server.bodiesOf('PUT /api/endpoint/:id')).toHaveLength(1)
})

test('the panel names what is wrong and leads there', async () => {
  const { browser } = open({
    ...edit(),
    'PUT /api/endpoint/:id': () => refuse('request.invalid', { path: ['Wrong.'] }),
  })
  await browser.type(await screen.findByLabelText('Summary'), '!')
  await browser.click(screen.getByRole('button', { name: 'Save' }))
  const wrong = await screen.findByRole('button', { name: 'Not saved. Needs correction: Path' })
  screen.getByLabelText('Summary').focus()
  await browser.click(wrong)
  expect(document.activeElement).toBe(screen.getByLabelText('Path'))
})
