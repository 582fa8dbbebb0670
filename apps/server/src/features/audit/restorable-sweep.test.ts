// Databases: SQLite.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { auditActions } from '@gatehouse/contract'
import {
  buildServer,
  endpointOf,
  httpApi,
  workflowOf,
  type TestServer,
} from '../../../test/servers/build-server.ts'

// Every action that the server writes into the trail: either its version can be brought back and is,
// or restoring it is refused. A new action without a place here fails the test.

let server: TestServer
let token: string
const ids = { api: 0, endpoint: 0, role: 0, workflow: 0 }
beforeAll(async () => {
  server = await buildServer()
  token = server.admin.token
  ids.api = await made('/api/apis', httpApi())
  ids.endpoint = await made('/api/endpoint', endpointOf(ids.api))
  ids.role = await made('/api/role', { name: 'R', permissions: ['api.view'] })
  ids.workflow = await made('/api/workflows', workflowOf(ids.endpoint))
})
afterAll(() => server.close())

async function made(url: string, body: unknown) {
  const answer = await server.send('POST', url, { token, body })
  expect(answer.status, answer.text).toBe(201)
  return (answer.body as { id: number }).id
}
const put = async (url: string, body: unknown) =>
  expect((await server.send('PUT', url, { token, body })).status).toBe(200)

const api = async () => {
  const { name, context } = (await server.stores.apis.find(ids.api))!
  return { name, context }
}
const endpoint = async () => (await server.stores.endpoints.find(ids.endpoint))!.path
const role = async () => (await server.stores.roles.find(ids.role))!.permissions
const workflow = async () => (await server.stores.workflows.find(ids.workflow))!.name

interface Restorable {
  /** What an event of this action left behind. */
  read: () => Promise<unknown>
  /** Makes such an event, unless the set-up has. */
  act?: () => Promise<unknown>
  change: () => Promise<unknown>
}

const saveApi = (name: string) => put(`/api/apis/${ids.api}`, httpApi({ name }))
const saveEndpoint = (path: string) =>
  put(`/api/endpoint/${ids.endpoint}`, endpointOf(ids.api, { path }))
const saveRole = (...permissions: string[]) =>
  put(`/api/role/${ids.role}`, { name: 'R', permissions })
const saveWorkflow = (name: string) =>
  put(`/api/workflows/${ids.workflow}`, workflowOf(ids.endpoint, { name }))
const saveContext = (context: string) => put(`/api/context/${ids.api}`, { context })

const restorable: Record<string, Restorable> = {
  'api.create': { read: api, change: () => saveApi('A') },
  'api.update': { read: api, act: () => saveApi('B'), change: () => saveApi('C') },
  'context.update': { read: api, act: () => saveContext('x'), change: () => saveContext('y') },
  'endpoint.create': { read: endpoint, change: () => saveEndpoint('/a') },
  'endpoint.update': {
    read: endpoint,
    act: () => saveEndpoint('/b'),
    change: () => saveEndpoint('/c'),
  },
  'role.create': { read: role, change: () => saveRole() },
  'workflow.create': { read: workflow, change: () => saveWorkflow('A') },
  'workflow.update': {
    read: workflow,
    act: () => saveWorkflow('B'),
    change: () => saveWorkflow('C'),
  },
  'role.update': { read: role, act: () => saveRole('api.edit'), change: () => saveRole() },
}

const lastEvent = (action: string) =>
  server.db
    .selectFrom('audit_event')
    .select('id')
    .where('action', '=', action)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
const restore = (id: number) => server.send('POST', `/api/audit/${id}/restore`, { token })

const countEvents = async () =>
  (await server.db.selectFrom('audit_event').select('id').execute()).length

async function isOffered(id: number) {
  const { body } = await server.send('GET', '/api/audit?limit=100', { token })
  const [{ data }] = body as [{ data: { id: number; can_restore: boolean }[] }]
  return data.find((event) => event.id === id)?.can_restore
}

it('knows every action that is restorable', () => {
  for (const action of Object.keys(restorable)) expect(auditActions).toContain(action)
})

describe('comes back', () => {
  it.each(Object.entries(restorable))(
    'the version of %s',
    async (action, { read, act, change }) => {
      await act?.()
      const { id } = await lastEvent(action)
      const left = act ? await read() : undefined
      await change()
      const changed = await read()
      expect(await isOffered(id)).toBe(true)
      expect((await restore(id)).status).toBe(200)
      expect(await read()).not.toEqual(changed)
      if (act) expect(await read()).toEqual(left)
    },
  )
})

describe('is refused while it is in force', () => {
  it.each(Object.entries(restorable))(
    'the version of %s',
    async (action, { act, change, read }) => {
      await act?.()
      const { id } = await lastEvent(action)
      await change()
      expect((await restore(id)).status).toBe(200)
      const before = await read()
      const events = await countEvents()
      const again = await restore(id)
      expect(again).toMatchObject({ status: 409, body: { code: 'audit.in_force' } })
      expect(await read()).toEqual(before)
      expect(await countEvents()).toBe(events)
    },
  )
})

describe('is not offered, and refused', () => {
  it.each(auditActions.filter((action) => !(action in restorable)))('%s', async (action) => {
    for (const [thing, thing_id] of Object.entries(ids)) {
      await server.stores.audit.record(
        { requestId: 'r', address: '192.0.2.1' },
        {
          action,
          thing: thing as keyof typeof ids,
          id: thing_id,
          name: 'X',
          after: { changes: ['a'] },
        },
      )
      const { id } = await lastEvent(action)
      expect(await isOffered(id)).toBe(false)
      expect(await restore(id)).toMatchObject({
        status: 409,
        body: { code: 'audit.not_restorable' },
      })
    }
  })
})
