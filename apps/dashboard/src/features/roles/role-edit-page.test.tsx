import { screen, waitFor, within } from '@testing-library/react'
import { permissionGroups, permissions } from '@gatehouse/contract/permissions'
import { expect, test } from 'vitest'
import { buildRoleForm } from '../../testing/admin-builders.ts'
import { buildUser } from '../../testing/builders.ts'
import { refuse } from '../../testing/fake-server.ts'
import { renderApp } from '../../testing/render-app.tsx'
import { watchAlerts } from '../../testing/watch-alerts.ts'

const path = '/dashboard/admin/role/edit/3'
const update = { name: 'Update Role' }
const edit = { 'GET /api/role/:id/edit': () => buildRoleForm() }

const create = {
  'GET /api/role/create': () => {
    const {
      role: _,
      locked: _l,
      may_require_second_factor: _m,
      ...form
    } = buildRoleForm({
      allPermissions: Object.entries(permissionGroups).flatMap(([group_name, names]) =>
        names.map((name, id) => ({ id, name, group_name })),
      ),
      groups: Object.keys(permissionGroups).map((name) => ({ name })),
      rolePermissions: [],
      grantable: [...permissions],
    })
    return form
  },
}
/** By its code, which is behind its words. */
const box = (code: string) => screen.getByRole<HTMLInputElement>('checkbox', { name: code })
const stateOf = (name: string) =>
  box(name).indeterminate ? 'partly' : box(name).checked ? 'checked' : 'unchecked'

test('All and the groups show whether all, some or none of theirs is set', async () => {
  const { browser } = renderApp({ path, answers: edit })
  await screen.findByPlaceholderText('Enter a Role Name')
  expect([stateOf('All'), stateOf('dashboard'), stateOf('api'), stateOf('user')]).toEqual([
    'partly',
    'checked',
    'partly',
    'unchecked',
  ])
  await browser.click(box('api'))
  expect(stateOf('api')).toBe('checked')
  expect(box('api.delete').checked).toBe(true)
  await browser.click(box('api.delete'))
  expect(stateOf('api')).toBe('partly')
  await browser.click(box('api'))
  await browser.click(box('api'))
  expect(stateOf('api')).toBe('unchecked')
  expect(box('dashboard.view').checked).toBe(true)

  await browser.click(box('All'))
  expect(stateOf('All')).toBe('checked')
  expect(screen.getAllByRole<HTMLInputElement>('checkbox').every((each) => each.checked)).toBe(true)
  await browser.click(box('All'))
  expect(screen.getAllByRole<HTMLInputElement>('checkbox').some((each) => each.checked)).toBe(false)
})

test('the addresses of a role are shown one in a line, and sent', async () => {
  watchAlerts()
  const form = buildRoleForm()
  const { server, browser } = renderApp({
    path,
    answers: {
      ...edit,
      'GET /api/role/:id/edit': () => ({
        ...form,
        role: { ...form.role, allowed_addresses: ['10.0.0.0/8', 'fd00::/8'] },
      }),
      'PUT /api/role/:id': () => ({ id: 3, name: 'Operator' }),
    },
  })
  const field = await screen.findByRole<HTMLTextAreaElement>('textbox', {
    name: 'Addresses at the gateway',
  })
  expect(field.value).toBe('10.0.0.0/8\nfd00::/8')
  await browser.type(field, '{Enter}203.0.113.7')
  await browser.click(screen.getByRole('button', update))
  await waitFor(() =>
    expect(server.bodiesOf('PUT /api/role/:id')).toMatchObject([
      { allowed_addresses: '10.0.0.0/8\nfd00::/8\n203.0.113.7' },
    ]),
  )
})

test('a save sends name, permissions and version, and raises the spec’s alert', async () => {
  const alert = watchAlerts()
  const { server, browser, address } = renderApp({
    path,
    answers: {
      ...edit,
      'PUT /api/role/:id': () => ({ id: 3, name: 'Operator' }),
    },
  })
  await screen.findByPlaceholderText('Enter a Role Name')
  await browser.click(box('audit.view'))
  await browser.click(box('api'))
  await browser.click(screen.getByRole('button', update))
  await waitFor(() => expect(alert).toHaveBeenCalledExactlyOnceWith('Role updated successfully!'))
  expect(server.bodiesOf('PUT /api/role/:id')).toEqual([
    {
      name: 'Operator',
      permissions: [
        'dashboard.view',
        'api.view',
        'api.create',
        'api.edit',
        'api.delete',
        'audit.view',
      ],
      needs_second_factor: false,
      allowed_addresses: '',
      version: 5,
    },
  ])
  await screen.findByText('No unsaved changes')
  expect(address()).toBe(path)
})

test('a refusal raises the spec’s alert, with the messages in their places', async () => {
  const alert = watchAlerts()
  const { server, browser } = renderApp({
    path,
    answers: {
      ...edit,
      'PUT /api/role/:id': () =>
        refuse('request.invalid', {
          name: ['This name is already in use.'],
          permissions: ['There is no permission x.y.'],
        }),
    },
  })
  await browser.click(await screen.findByRole('button', update))
  await waitFor(() => expect(alert).toHaveBeenCalledExactlyOnceWith('Failed to update role'))
  expect(await screen.findByText('This name is already in use.')).toBeTruthy()
  expect(screen.getByText('There is no permission x.y.')).toBeTruthy()

  server.use({ 'PUT /api/role/:id': () => refuse('permission.denied') })
  await browser.click(screen.getByRole('button', update))
  expect(await screen.findByText('You do not have permission to do this.')).toBeTruthy()
  expect(alert).toHaveBeenLastCalledWith('Failed to update role')
})

test('permissions that the user lacks are disabled, with the reason, and stay as they are', async () => {
  const grantable = ['dashboard.view', 'api.view', 'api.edit']
  const { browser } = renderApp({
    path,
    answers: { 'GET /api/role/:id/edit': () => buildRoleForm({ grantable }) },
  })
  await screen.findByPlaceholderText('Enter a Role Name')
  expect(box('api.delete').disabled).toBe(true)
  const described = box('api.delete').getAttribute('aria-describedby')!.split(' ')
  const [words, reason] = described.map((id) => document.getElementById(id)?.textContent)
  expect(words).toBe('Delete APIs')
  expect(reason).toMatch(/You can only grant what you hold/)
  expect(box('api.view').disabled).toBe(false)
  expect(box('audit').disabled).toBe(true)
  await browser.click(box('All'))
  expect(box('api.edit').checked).toBe(true)
  expect(box('api.delete').checked).toBe(false)
})

test('a locked role says why, and has no button to save it', async () => {
  const locked = 'Super Admin holds every permission and can’t be changed.'
  renderApp({ path, answers: { 'GET /api/role/:id/edit': () => buildRoleForm({ locked }) } })
  expect(await screen.findByText(locked)).toBeTruthy()
  expect(screen.queryByRole('button', update)).toBeNull()
  const boxes = screen.getAllByRole<HTMLInputElement>('checkbox')
  expect(boxes.every((each) => each.disabled)).toBe(true)
})

test('without role.edit the role can be looked at, not edited', async () => {
  const permissions = buildUser().permissions.filter((name) => name !== 'role.edit')
  renderApp({ path, user: buildUser({ permissions }), answers: edit })
  expect(await screen.findByText('You may look at roles, not edit them.')).toBeTruthy()
  expect(screen.queryByRole('button', update)).toBeNull()
})

test('the search narrows down what is shown, and a group’s box still covers all of it', async () => {
  const { browser } = renderApp({ path, answers: edit })
  await browser.type(await screen.findByRole('searchbox', { name: 'Search permissions' }), 'api.e')
  await waitFor(() => expect(screen.queryByRole('checkbox', { name: 'api.view' })).toBeNull())
  const group = within(screen.getByRole('group', { name: 'api' }))
  expect(group.getByText('1 of 4')).toBeTruthy()
  await browser.click(box('api'))
  expect(group.getByText('4 of 4')).toBeTruthy()
})

test('a thousand permissions are all there, and All sets every one', async () => {
  const allPermissions = Array.from({ length: 1000 }, (_, index) => ({
    id: index + 1,
    name: `group${index % 50}.action${index}`,
    group_name: `group${index % 50}`,
  }))
  const names = allPermissions.map(({ name }) => name)
  const { server, browser } = renderApp({
    path,
    answers: {
      'GET /api/role/:id/edit': () =>
        buildRoleForm({
          allPermissions,
          groups: Array.from({ length: 50 }, (_, index) => ({ name: `group${index}` })),
          rolePermissions: [],
          grantable: names,
        }),
      'PUT /api/role/:id': () => refuse('server.failed'),
    },
  })
  watchAlerts()
  await screen.findByPlaceholderText('Enter a Role Name')
  expect(document.querySelectorAll('input[type=checkbox]')).toHaveLength(1052)
  await browser.click(screen.getByLabelText('All'))
  expect(screen.getByText('1000 of 1000 permissions')).toBeTruthy()
  await browser.click(screen.getByText('Update Role').closest('button')!)
  await waitFor(() =>
    expect(server.bodiesOf('PUT /api/role/:id')).toEqual([
      {
        name: 'Operator',
        permissions: names,
        needs_second_factor: false,
        allowed_addresses: '',
        version: 5,
      },
    ]),
  )
})

test('permissions are sentences, and what a person will see follows each of them', async () => {
  const { browser } = renderApp({ path: '/dashboard/admin/role/create', answers: create })
  await browser.click(await screen.findByRole('button', { name: 'Reads logs only' }))
  expect(screen.getByPlaceholderText<HTMLInputElement>('Enter a Role Name').value).toBe(
    'Reads logs only',
  )
  expect(box('log.view').checked).toBe(true)
  const sees = () =>
    screen.getByRole('heading', { name: 'A person with this role will see' }).closest('section')
      ?.textContent
  expect(sees()).toContain('OperationsLog Viewer')
  expect(sees()).toContain('change nothing')
  expect(sees()).not.toContain('Audit Trail')
  await browser.click(box('audit.view'))
  expect(box('audit.view').getAttribute('aria-describedby')).not.toBeNull()
  expect(sees()).toContain('Log Viewer · Audit Trail')
  await browser.click(box('alarm.edit'))
  expect(sees()).toContain('They may also change')
})
