import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { buildAuditEvent, buildUserRecord } from '../../testing/admin-builders.ts'
import { buildPage, buildUser } from '../../testing/builders.ts'
import { refuse } from '../../testing/fake-server.ts'
import { renderApp } from '../../testing/render-app.tsx'

const path = '/dashboard/admin/audit'
/** The record has been changed since, so that the listed version can be restored. */
const answers = {
  'GET /api/audit': () => buildPage([buildAuditEvent()]),
  'GET /api/audit/:id/restore': () => ({
    current: { name: 'Operator', permissions: ['api.view', 'role.view'] },
    restored: { name: 'Operator', permissions: ['api.view'] },
    is_in_force: false,
  }),
}
const details = { name: 'Details of Role: update Operator' }

afterEach(() => vi.unstubAllGlobals())

test('a link to a record’s history shows that record’s events alone, until it is lifted', async () => {
  const { server, browser, address } = renderApp({ path: `${path}?thing=role&thing_id=3`, answers })
  await screen.findByRole('button', details)
  expect(server.requests.at(-1)?.query).toMatchObject({ thing: 'role', thing_id: '3' })
  expect(await screen.findByText('Role #3', { selector: '[class*="Pill"] *' })).toBeTruthy()
  await browser.click(screen.getByRole('button', { name: 'Show all things' }))
  await waitFor(() => expect(address()).toBe(path))
  expect(server.requests.at(-1)?.query).toEqual({ page: '1', limit: '10' })
})

test('filters are kept in the address and go back to the first page', async () => {
  const { server, browser, address } = renderApp({
    path: `${path}?page=2`,
    answers: { 'GET /api/audit': () => buildPage([buildAuditEvent()], 15, 2) },
  })
  await screen.findByRole('button', details)
  await browser.type(screen.getByRole('searchbox', { name: 'Actor' }), 'ada')
  await waitFor(() => expect(address()).toBe(`${path}?actor=ada`))
  await browser.click(screen.getByRole('combobox', { name: 'Outcome' }))
  await browser.click(await screen.findByRole('option', { name: 'refused' }))
  await waitFor(() => expect(address()).toBe(`${path}?actor=ada&outcome=refused`))
  await waitFor(() =>
    expect(server.requests.at(-1)?.query).toEqual({
      page: '1',
      limit: '10',
      actor: 'ada',
      outcome: 'refused',
    }),
  )
  await browser.click(screen.getByRole('button', { name: 'Clear filters' }))
  await waitFor(() => expect(address()).toBe(path))
})

test('actions and things are chosen by their words, and a part of an action that a link names stays', async () => {
  const { server, browser, address } = renderApp({ path: `${path}?action=role.`, answers })
  await screen.findByRole('button', details)
  const action = await screen.findByRole<HTMLInputElement>('combobox', { name: 'Action' })
  expect(action.value).toBe('role.')
  await browser.clear(action)
  await browser.type(action, 'pause')
  await browser.click(await screen.findByRole('option', { name: 'Lane: pause' }))
  await waitFor(() => expect(address()).toBe(`${path}?action=lane.pause`))
  await browser.click(screen.getByRole('combobox', { name: 'Thing' }))
  await browser.click(await screen.findByRole('option', { name: 'Token for programs' }))
  await waitFor(() =>
    expect(server.requests.at(-1)?.query).toMatchObject({
      action: 'lane.pause',
      thing: 'admin-token',
    }),
  )
})

test('an event opens with before and after side by side, differences marked, and its request id', async () => {
  const { browser } = renderApp({ path, answers })
  await browser.click(await screen.findByRole('button', details))
  const dialog = within(await screen.findByRole('dialog', { name: 'Role: update' }))
  expect(dialog.getByText('df8d84c1-dd35-4f9e-bf81-63b7a291ff11')).toBeTruthy()
  expect(dialog.getByText('192.0.2.7')).toBeTruthy()
  const table = within(dialog.getByRole('table', { name: 'Before and after' }))
  expect(table.getByText('api.edit').tagName).toBe('DEL')
  expect(table.getAllByText('api.view').map(({ tagName }) => tagName)).toEqual(['DIV', 'DIV'])
})

test('a version is restored only after a confirmation; a refusal stays readable', async () => {
  const { server, browser } = renderApp({
    path,
    answers: { ...answers, 'POST /api/audit/:id/restore': () => refuse('role.not_found') },
  })
  await browser.click(await screen.findByRole('button', details))
  await browser.click(await screen.findByRole('button', { name: 'Restore this version' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Restore this version?' }))
  const changes = within(await dialog.findByRole('table', { name: 'What the restore changes' }))
  expect(changes.getAllByRole('rowheader').map((field) => field.textContent)).toEqual([
    'permissions',
  ])
  expect(changes.getByText('role.view').tagName).toBe('DEL')
  expect(dialog.queryByText('name')).toBeNull()
  await browser.click(dialog.getByText('1 field is the same'))
  expect(await dialog.findByText('name')).toBeTruthy()
  await browser.click(dialog.getByRole('button', { name: 'Restore version' }))
  expect((await dialog.findByRole('alert')).textContent).toBe('This role does not exist.')
  server.use({ 'POST /api/audit/:id/restore': () => ({ message: 'It is back.' }) })
  await browser.click(dialog.getByRole('button', { name: 'Restore version' }))
  expect(await screen.findByText('Version restored successfully!')).toBeTruthy()
})

test('a version that is in force is not offered, and the dialog says so', async () => {
  const { browser } = renderApp({
    path,
    answers: {
      ...answers,
      'GET /api/audit/:id/restore': () => ({ current: {}, restored: {}, is_in_force: true }),
    },
  })
  await browser.click(await screen.findByRole('button', details))
  expect(await screen.findByText('This version is in force.')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Restore this version' })).toBeNull()
})

test('a version of a record that is gone is not offered, and the dialog says why', async () => {
  const { browser } = renderApp({
    path,
    answers: { ...answers, 'GET /api/audit/:id/restore': () => refuse('role.not_found') },
  })
  await browser.click(await screen.findByRole('button', details))
  expect(await screen.findByText('This role does not exist.')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Restore this version' })).toBeNull()
})

test.each([
  ['an event that left nothing to restore', { can_restore: false }, undefined],
  ['a user who may not edit roles', {}, 'role.edit'],
])('Restore is not offered for %s', async (_, changes, lacking) => {
  const permissions = buildUser().permissions.filter((name) => name !== lacking)
  const { browser } = renderApp({
    path,
    user: buildUser({ permissions }),
    answers: { 'GET /api/audit': () => buildPage([buildAuditEvent(changes)]) },
  })
  await browser.click(await screen.findByRole('button', details))
  await screen.findByRole('dialog', { name: 'Role: update' })
  expect(screen.queryByRole('button', { name: 'Restore this version' })).toBeNull()
})

test('the export carries the filters, and is marked as UTF-8 for spreadsheets', async () => {
  const blobs: Blob[] = []
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    blobs.push(blob as Blob)
    return 'blob:audit'
  })
  const { server, browser } = renderApp({
    path: `${path}?actor=ada&search=role`,
    answers: {
      ...answers,
      'GET /api/audit/export': () =>
        Response.json({ filename: 'audit.csv', csv: 'id,at\r\n', is_complete: false }),
    },
  })
  await browser.click(await screen.findByRole('button', { name: 'Export CSV' }))
  expect(await screen.findByText('The export is not complete.')).toBeTruthy()
  const bytes = new Uint8Array(await blobs[0]!.arrayBuffer())
  expect(bytes.slice(0, 5)).toEqual(Uint8Array.of(0xef, 0xbb, 0xbf, 0x69, 0x64))
  const asked = server.requests.find(({ key }) => key === 'GET /api/audit/export')
  expect(asked?.query).toEqual({ actor: 'ada', search: 'role' })
})

test.each([
  ['leads to its history', undefined, ['/dashboard/admin/audit?thing=user&thing_id=7']],
  ['hides it from those who may not see it', 'audit.view', []],
])('a record’s screen %s', async (_, lacking, links) => {
  const permissions = buildUser().permissions.filter((name) => name !== lacking)
  renderApp({
    path: '/dashboard/admin/user/edit/7',
    user: buildUser({ permissions }),
    answers: { 'GET /api/user/:id/edit': () => ({ user: buildUserRecord(), roles: [] }) },
  })
  await screen.findByRole('heading', { name: 'Edit User - Otto Operator' })
  const found = screen.queryAllByRole('link', { name: 'History of this record' })
  expect(found.map((link) => link.getAttribute('href'))).toEqual(links)
})
