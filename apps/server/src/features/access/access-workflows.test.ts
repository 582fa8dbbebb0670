// Databases: SQLite.

import type { Permission, WorkflowCallerVerdict, WorkflowVerdict } from '@gatehouse/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  buildServer,
  endpointOf,
  httpApi,
  type TestServer,
} from '../../../test/servers/build-server.ts'
import { addWorkflow } from '../../../test/rows/workflow-rows.ts'

let server: TestServer
let endpoint: number
let invoices: number
let receipts: number
let tills: number
beforeEach(async () => {
  server = await buildServer()
  const { id: api } = await make('/api/apis', httpApi())
  endpoint = (await make('/api/endpoint', endpointOf(api))).id
  invoices = await addWorkflow(server.db, 'invoices')
  receipts = await addWorkflow(server.db, 'receipts')
  tills = (await make('/api/role', { name: 'Tills', permissions: [] })).id
})
afterEach(() => server.close())

async function make(url: string, body: unknown) {
  const answer = await server.send('POST', url, { token: server.admin.token, body })
  expect(answer.status, answer.text).toBe(201)
  return answer.body as { id: number }
}

const url = () => `/api/api-permission/${tills}`
const save = (body: unknown, token = server.admin.token) =>
  server.send('PUT', `${url()}/update`, { token, body })
const get = async (path: string) =>
  (await server.send('GET', path, { token: server.admin.token })).body
const held = async () => (await server.stores.workflowAccess.listOf(tills)).map(({ id }) => id)

describe('a save', () => {
  it('sets the workflows of a role; without them they stay', async () => {
    const saved = await save({ endpoints: [endpoint], workflows: [receipts, invoices, invoices] })
    expect(saved.body).toMatchObject({
      opened: [{ id: endpoint }],
      opened_workflows: [{ id: receipts }, { id: invoices, slug: 'invoices', kind: 'tax' }],
      closed_workflows: [],
    })
    // SPEC: endpoints that are absent are none.
    expect((await save({})).body).toMatchObject({
      closed: [{ id: endpoint }],
      opened_workflows: [],
      closed_workflows: [],
    })
    await save({ workflows: null })
    expect(await held()).toEqual([invoices, receipts])
    expect((await save({ workflows: [receipts] })).body).toMatchObject({
      closed_workflows: [{ id: invoices }],
    })
    expect(await held()).toEqual([receipts])
    await save({ workflows: [] })
    expect(await held()).toEqual([])
  })

  it('is previewed, and its form has both lists', async () => {
    await save({ workflows: [invoices] })
    const preview = await server.send('POST', `${url()}/preview`, {
      token: server.admin.token,
      body: { workflows: [receipts] },
    })
    expect(preview.body).toMatchObject({
      opened_workflows: [{ slug: 'receipts' }],
      closed_workflows: [{ slug: 'invoices' }],
    })
    expect(await get(`${url()}/edit`)).toMatchObject({
      workflows: [{ slug: 'invoices' }, { slug: 'receipts', name: 'receipts', status: 'active' }],
      selected_workflows: [{ slug: 'invoices' }],
    })
  })

  it('names both in the audit trail', async () => {
    await save({ endpoints: [endpoint], workflows: [invoices] })
    expect(await get('/api/audit?action=access.update')).toMatchObject([
      {
        data: [
          {
            before: { endpoints: [], workflows: [] },
            after: { workflows: [`invoices (#${invoices})`] },
          },
        ],
      },
    ])
  })

  it.each([
    [{ workflows: [999_999] }, ['workflows']],
    [{ workflows: ['x'] }, ['workflows']],
    [{ workflows: 'all' }, ['workflows']],
    [{ endpoints: [999_999], workflows: [0.5] }, ['workflows']],
    [{ endpoints: [999_999], workflows: [999_999] }, ['endpoints', 'workflows']],
  ])('is refused for %j', async (body, fields) => {
    const refused = await save(body)
    expect(refused.status).toBe(422)
    expect(Object.keys((refused.body as { errors: object }).errors)).toEqual(fields)
  })

  it('can’t give a workflow that was deleted', async () => {
    await save({ workflows: [invoices, receipts] })
    const version = ((await get(`${url()}/edit`)) as { version: number }).version
    await server.db
      .updateTable('workflow')
      .set({ deleted_at: '2026-06-01T08:00:00.000Z' })
      .where('id', '=', invoices)
      .execute()
    expect(await server.stores.workflowAccess.clear(invoices)).toEqual(['Tills'])
    expect(await held()).toEqual([receipts])
    // The form that was open before is told so, by its version and by the list.
    expect((await save({ workflows: [invoices], version })).status).toBe(422)
    expect((await save({ workflows: [receipts], version })).status).toBe(409)
  })
})

describe('a role that holds workflows beyond one’s own', () => {
  const message = 'The role Tills has access to workflows that you do not have access to.'
  beforeEach(() => save({ workflows: [invoices] }))

  async function give(...permissions: Permission[]) {
    const manager = await server.buildUser({ permissions: ['user.edit', ...permissions] })
    const user = await server.buildUser()
    const { body } = await server.send('GET', `/api/user/${user.id}/edit`, {
      token: server.admin.token,
    })
    const { name, email } = (body as { user: { name: string; email: string } }).user
    const change = { name, email, roles: [tills] }
    const given = await server.send('PUT', `/api/user/${user.id}`, {
      token: manager.token,
      body: change,
    })
    return { status: given.status, message: (given.body as { message?: string }).message }
  }

  it('is not given', async () => {
    expect(await give()).toEqual({ status: 403, message })
  })

  it('is given by those who run every workflow, or may give access', async () => {
    expect(await give('workflow.run')).toMatchObject({ status: 200 })
    expect(await give('api-permission.edit')).toMatchObject({ status: 200 })
  })

  it('gets no token, not even that of the gateway client', async () => {
    const client = 4
    await server.stores.users.setRoles(client, [tills])
    const generate = async (...permissions: Permission[]) => {
      const { token } = await server.buildUser({ permissions: ['token.create', ...permissions] })
      const made = await server.send('POST', '/admin/token/store', {
        token,
        body: { user: client },
      })
      return made.status
    }
    expect(await generate()).toBe(403)
    expect(await generate('workflow.run')).toBe(201)
  })
})

describe('the explanation', () => {
  const callers = async () => {
    const answer = (await get(`/api/access/workflow/${invoices}`)) as {
      callers: WorkflowCallerVerdict[]
    }
    return new Map(answer.callers.map((caller) => [caller.user.id, caller]))
  }
  const workflowsOf = async (subject: string, id: number) => {
    const answer = (await get(`/api/access/${subject}/${id}/endpoints`)) as {
      workflows: WorkflowVerdict[]
    }
    return answer.workflows.find(({ workflow }) => workflow.id === invoices)
  }

  it('says who can run a workflow, with a token or signed in, and through which role', async () => {
    await save({ workflows: [invoices] })
    const machine = await server.buildUser({ role: 'Tills' })
    await server.db
      .updateTable('user')
      .set({ password_hash: null })
      .where('id', '=', machine.id)
      .execute()
    const clerk = await server.buildUser({ permissions: ['workflow.run'] })
    const outsider = await server.buildUser({ permissions: ['workflow.view'] })
    const found = await callers()
    expect(found.get(machine.id)).toMatchObject({
      allowed: true,
      with_token: true,
      signed_in: false,
      reason: 'With a token: granted by Tills.',
      grants: [{ id: tills, name: 'Tills' }],
    })
    expect(found.get(clerk.id)).toMatchObject({
      allowed: true,
      with_token: false,
      signed_in: true,
      reason: `Signed in: permission workflow.run of ${clerk.roleName}. Not with a token: no role holds this workflow.`,
    })
    expect(found.get(outsider.id)).toMatchObject({
      allowed: false,
      reason: 'None of the roles holds this workflow.',
    })
    expect(found.get(server.admin.id)).toMatchObject({
      allowed: true,
      reason: 'Super Admin may run every workflow.',
    })
    expect(await workflowsOf('user', machine.id)).toMatchObject({ allowed: true, signed_in: false })
    expect(await workflowsOf('role', tills)).toMatchObject({ with_token: true, signed_in: false })
  })

  it('says what a token opens: nothing for the permission of its user, nothing once revoked', async () => {
    const clerk = await server.buildUser({ permissions: ['workflow.run'] })
    const made = await server.send('POST', '/admin/token/store', {
      token: server.admin.token,
      body: { user: clerk.id },
    })
    const { id } = (made.body as { access_token: { id: number } }).access_token
    expect(await workflowsOf('token', id)).toMatchObject({ allowed: false, signed_in: false })
    const { id: role } = (await server.stores.users.rolesOf(clerk.id))[0]!
    await server.stores.workflowAccess.set(role, [invoices])
    expect(await workflowsOf('token', id)).toMatchObject({ allowed: true, signed_in: false })
    await server.send('DELETE', `/api/token/${id}`, { token: server.admin.token })
    expect(await workflowsOf('token', id)).toMatchObject({
      allowed: false,
      with_token: false,
      reason: 'The token is revoked.',
    })
  })

  it('of a workflow that does not exist is a 404', async () => {
    const answer = await server.send('GET', '/api/access/workflow/999999', {
      token: server.admin.token,
    })
    expect(answer.body).toMatchObject({ code: 'workflow.not_found' })
  })
})
