import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import {
  buildAccessEndpoint,
  buildAccessWorkflow,
  buildRoleForm,
} from '../../testing/admin-builders.ts'
import { buildEndpoint, buildUser } from '../../testing/builders.ts'
import { renderApp } from '../../testing/render-app.tsx'

const endpointEdit = {
  'GET /api/endpoint/:id/edit': () =>
    [buildEndpoint(), []] as [ReturnType<typeof buildEndpoint>, []],
}
const operator = { id: 3, name: 'Operator' }
const callers = [
  {
    user: { id: 7, name: 'Otto', email: 'otto@example.com' },
    allowed: true,
    reason: 'Granted by Operator.',
    grants: [operator],
  },
  {
    user: { id: 8, name: 'Aud', email: 'aud@example.com' },
    allowed: false,
    reason: 'None of the roles holds this endpoint.',
    grants: [],
  },
]

test('the endpoint’s screen shows who can call it, and why, once the panel is opened', async () => {
  const { server, browser } = renderApp({
    path: '/dashboard/admin/endpoint/edit/7',
    answers: {
      ...endpointEdit,
      'GET /api/access/endpoint/:id': () => ({ is_guarded: true, callers }),
    },
  })
  const question = await screen.findByText('Who can call this?')
  expect(server.requests.some(({ key }) => key.startsWith('GET /api/access'))).toBe(false)
  await browser.click(question)
  const list = within(await screen.findByRole('list', { name: 'callers' }))
  const [otto, aud] = list.getAllByRole('listitem').map((item) => within(item))
  expect(otto!.getByText('allowed')).toBeTruthy()
  expect(otto!.getByText('Granted by Operator.')).toBeTruthy()
  expect(otto!.getByRole('link', { name: 'Operator' }).getAttribute('href')).toBe(
    '/dashboard/admin/api-permission/edit/3',
  )
  expect(aud!.getByText('not allowed')).toBeTruthy()
  await browser.click(screen.getByRole('radio', { name: 'Not allowed 1' }))
  expect(screen.queryByText('otto@example.com')).toBeNull()
})

test('an endpoint without authentication says that the gateway asks for no token', async () => {
  const { browser } = renderApp({
    path: '/dashboard/admin/endpoint/edit/7',
    answers: {
      ...endpointEdit,
      'GET /api/access/endpoint/:id': () => ({ is_guarded: false, callers: [] }),
    },
  })
  await browser.click(await screen.findByText('Who can call this?'))
  expect(await screen.findByText('The gateway asks for no token here')).toBeTruthy()
})

test('a role’s screen shows what it can call, and why', async () => {
  const { server, browser } = renderApp({
    path: '/dashboard/admin/role/edit/3',
    answers: {
      'GET /api/role/:id/edit': () => buildRoleForm(),
      'GET /api/access/:subject/:id/endpoints': () => ({
        name: 'Operator',
        endpoints_count: 1,
        endpoints: [
          {
            endpoint: buildAccessEndpoint(1),
            allowed: true,
            reason: 'Granted by Operator.',
            grants: [operator],
          },
        ],
        workflows: [
          {
            workflow: buildAccessWorkflow(2),
            allowed: true,
            reason: 'With a token: granted by Operator.',
            grants: [operator],
            with_token: true,
            signed_in: false,
          },
        ],
      }),
    },
  })
  await browser.click(await screen.findByText('What can this role call, and why?'))
  expect(await screen.findByText('Orders · GET /things/1')).toBeTruthy()
  const list = within(screen.getByRole('list', { name: 'workflows' }))
  expect(list.getByText('workflow-2 · tax')).toBeTruthy()
  expect(list.getByText('With a token: granted by Operator.')).toBeTruthy()
  const asked = server.requests.find(({ key }) => key.includes(':subject'))
  expect(asked?.params).toEqual({ subject: 'role', id: '3' })
})

test('without api-permission.view the panel is not there', async () => {
  const permissions = buildUser().permissions.filter((name) => name !== 'api-permission.view')
  renderApp({
    path: '/dashboard/admin/endpoint/edit/7',
    user: buildUser({ permissions }),
    answers: endpointEdit,
  })
  await screen.findByRole('heading', { name: 'Edit One order' })
  await screen.findByLabelText('Path')
  expect(screen.queryByText('Who can call this?')).toBeNull()
})
