// Databases: SQLite.

import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  refusalIn,
  runIn,
  startMachineServer,
  type MachineServer,
} from '../../../../test/servers/machine-server.ts'
import { inTransactionOn } from '../../../stores.ts'
import { RunnableVersions } from './runnable.ts'
import { WorkflowRunStarter } from './workflow-run-starter.ts'

// A workflow as an editor saves it, called by a machine.

let app: MachineServer
let post: number
beforeAll(async () => {
  app = await startMachineServer()
  post = await app.endpoint({ run_settings: { reference_path: 'no' } })
})
afterAll(() => app.close())

const person = { name: 'admin', email: '', username: '', roles: [], role: '', permissions: [] }

const schema = {
  type: 'object',
  required: ['no', 'lines'],
  properties: {
    no: { type: 'string', pattern: '^INV-' },
    lines: { type: 'array', items: { type: 'object', properties: { qty: { type: 'integer' } } } },
  },
}

const definition = (slug: string, changes: object = {}) => ({
  name: slug,
  slug,
  kind: 'general',
  status: 'active',
  description: '',
  input_schema: schema,
  sample_input: { no: 'INV-1', lines: [] },
  reference_path: 'no',
  order_key_path: '',
  // Its runs stay queued.
  lane: { name: slug },
  steps: [{ endpoint_id: post, body: { kind: 'template', text: '{"no":"{{input.no}}"}' } }],
  ...changes,
})

/** Saved by the Super Admin, with a lane that starts nothing. */
async function save(slug: string) {
  const saved = await app.post('/api/workflows', definition(slug))
  expect(saved.status, saved.text).toBe(201)
  await app.server.db.updateTable('lane').set({ is_paused: 1 }).where('name', '=', slug).execute()
  const { id } = await app.server.db
    .selectFrom('workflow')
    .select('id')
    .where('slug', '=', slug)
    .executeTakeFirstOrThrow()
  return { id, slug }
}

const change = (id: number, slug: string, changes: object) =>
  app.server.send('PUT', `/api/workflows/${id}`, {
    token: app.token,
    body: definition(slug, changes),
  })

it('an input that does not fit is a 422 that names every place, the reference too', async () => {
  const flow = await save('fitting')
  const { token } = await app.machine(flow)
  const refused = await app.start(flow.slug, token, { lines: [{ qty: 1.5 }, { qty: 'x' }] })
  expect(refused.status).toBe(422)
  expect(Object.keys(refusalIn(refused).errors ?? {}).toSorted()).toEqual([
    '/lines/0/qty',
    '/lines/1/qty',
    '/no',
    'reference',
  ])
  const taken = await app.start(flow.slug, token, { no: 'INV-2', lines: [] })
  expect(runIn(taken)).toMatchObject({ reference: 'INV-2', workflow: { version: 1 } })
})

it('what was taken under an earlier version is answered with its run', async () => {
  const flow = await save('changing')
  const { token } = await app.machine(flow)
  const key = crypto.randomUUID()
  const first = await app.start(flow.slug, token, { no: 'INV-3', lines: [] }, { key })
  const changed = await change(flow.id, flow.slug, { input_schema: { required: ['total'] } })
  expect(changed.status, changed.text).toBe(200)
  expect((await app.start(flow.slug, token, { no: 'INV-4', lines: [] })).status).toBe(422)
  const again = await app.start(flow.slug, token, { no: 'INV-3', lines: [] }, { key })
  expect(runIn(again)).toMatchObject({ id: runIn(first).id, workflow: { version: 1 } })
})

it('a version that is saved while an input is checked is the one that it has to fit', async () => {
  const flow = await save('racing')
  const { server } = app
  const { stores, db, time } = server
  const clock = { now: () => time.now }
  const checked: (string | null)[] = []
  const starter = new WorkflowRunStarter({
    stores,
    versions: new RunnableVersions(stores),
    clock,
    inTransaction: inTransactionOn(db, clock),
    inputProblems: async (text, inputs) => {
      checked.push(text)
      if (checked.length === 1) await change(flow.id, flow.slug, { input_schema: { minItems: 1 } })
      return inputs.map(() => undefined)
    },
    wake: () => {},
    traceFor: () => null,
  })
  const { id: userId } = server.admin
  const caller = { user: { ...person, id: userId }, sessionId: 1, isSuperAdmin: true }
  const actor = { caller, requestId: 'request', address: '192.0.2.1' }
  const request = { slug: flow.slug, inputText: '{"no":"INV-5"}', key: undefined, isTest: false }
  const { run } = await starter.start(request, actor)
  expect(run.workflow.version).toBe(2)
  expect(checked.map((text) => JSON.parse(text ?? ''))).toEqual([schema, { minItems: 1 }])
})

it('a workflow that is deleted is taken from its roles, and its token gets 404', async () => {
  const flow = await save('leaving')
  const { token, roleId } = await app.machine(flow)
  expect((await app.start(flow.slug, token, { no: 'INV-7', lines: [] })).status).toBe(202)
  await app.server.db.updateTable('run').set({ state: 'cancelled' }).execute()
  const versionOf = async () => (await app.server.stores.roles.find(roleId))?.access_version ?? 0
  const version = await versionOf()
  const deleted = await app.server.send('DELETE', `/api/workflows/${flow.id}`, {
    token: app.token,
  })
  expect(deleted.status, deleted.text).toBe(204)
  expect((await app.start(flow.slug, token, { no: 'INV-8', lines: [] })).status).toBe(404)
  expect(await app.server.stores.workflowAccess.listGrants()).not.toContainEqual(
    expect.objectContaining({ workflow_id: flow.id }),
  )
  // A form of the role's access that was open before does not give it again.
  expect(await versionOf()).toBe(version + 1)
})
