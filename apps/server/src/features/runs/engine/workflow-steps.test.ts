// Databases: SQLite.

import type { WorkflowStep } from '@gatehouse/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { workflowOf } from '../../../../test/servers/build-server.ts'
import {
  createPeerUpstream,
  createRunPeer,
  type RunPeer,
} from '../../../../test/servers/run-peer.ts'
import { json, startRunServer, type RunServer } from '../../../../test/servers/run-server.ts'
import type { Caller } from '../../../kernel/caller.ts'

let app: RunServer
let http: ReturnType<typeof createPeerUpstream>
let peer: RunPeer
let endpoints: number[]
beforeAll(async () => {
  app = await startRunServer()
  http = createPeerUpstream()
  peer = createRunPeer(app.server, http, 'peer')
  const patient = await app.createApi({ name: 'Patient', answer_timeout_ms: 20_000 })
  endpoints = [
    await app.endpoint({}, patient),
    await app.endpoint({}, patient),
    await app.endpoint({}, patient),
  ]
})
afterAll(async () => {
  await http.close()
  await app.close()
})
beforeEach(() => {
  app.upstream.received.length = 0
  app.answer(json(200, '{"ref":0.10,"state":"open"}'))
})

let count = 0
const template = (text: string) => ({ kind: 'template', text }) as const
const when = (source: string, path: string, value: string) => ({
  source,
  statuses: '',
  join: 'all' as const,
  conditions: [{ path, test: 'equals' as const, value }],
})
type Step = Omit<WorkflowStep, 'endpoint_id'>

/** A saved workflow of these steps, one for each endpoint. */
async function saved(steps: Step[]) {
  const slug = `flow-${++count}`
  const definition = {
    steps: steps.map((step, index) => ({ endpoint_id: endpoints[index] ?? 0, ...step })),
  }
  const body = workflowOf(0, { slug, lane: { name: slug }, ...definition })
  const made = await app.server.send('POST', '/api/workflows', { token: app.token, body })
  expect(made.status, made.text).toBe(201)
  const { id, version } = made.body as { id: number; version: number }
  return { workflow: { id, version }, definition }
}
const bodies = () => app.upstream.received.map(({ body }) => body)
const statesOf = async (id: number) => {
  const run = await app.show(id)
  return [run.state, ...run.steps.map(({ state }) => state)]
}

describe('a run of a workflow', () => {
  it('sends what the input and earlier answers make, digit for digit', async () => {
    const row = { type: '', custom_input: '' }
    const { workflow, definition } = await saved([
      { body: template('{"n":"{{input.n}}"}'), condition: null },
      {
        body: {
          kind: 'mapping',
          rows: [
            { ...row, source: 'input', from: 'n', to: 'n' },
            { ...row, source: 'steps.1.body', from: 'ref', to: 'ref' },
          ],
        },
        condition: when('steps.1.body', 'state', 'open'),
      },
      { body: { kind: 'none' }, condition: null },
    ])
    const id = await peer.runWorkflow(workflow, definition, '{"n":12345678901234567890}')
    expect(await statesOf(id)).toEqual(['succeeded', 'succeeded', 'succeeded', 'succeeded'])
    expect(bodies()).toEqual([
      '{"n":12345678901234567890}',
      '{"n":12345678901234567890,"ref":0.10}',
      '',
    ])
    const row2 = await app.server.db
      .selectFrom('run_step')
      .selectAll()
      .where('run_id', '=', id)
      .where('position', '=', 2)
      .executeTakeFirstOrThrow()
    expect(JSON.parse(row2.source_body ?? '')).toEqual(
      definition.steps[1]?.body.kind === 'mapping' ? definition.steps[1].body.rows : [],
    )
    expect(
      await app.server.db.selectFrom('run_input').select('body').where('run_id', '=', id).execute(),
    ).toEqual([{ body: '{"n":12345678901234567890}' }])
  })

  it('skips steps whose condition does not hold, and shows them', async () => {
    const { workflow, definition } = await saved([
      { body: template('{"a":"{{input.missing}}"}'), condition: when('input', 'kind', 'b2b') },
      { body: template('1'), condition: null },
      { body: template('2'), condition: when('steps.2.body', 'state', 'closed') },
    ])
    const id = await peer.runWorkflow(workflow, definition, '{"kind":"b2c"}')
    expect(await statesOf(id)).toEqual(['succeeded', 'skipped', 'succeeded', 'skipped'])
    expect(bodies()).toEqual(['1'])
    const { steps } = await app.show(id)
    expect(steps.map(({ message }) => message)).toEqual([
      'Skipped: the input does not fit its condition.',
      null,
      'Skipped: the answer of step 2 does not fit its condition.',
    ])
  })

  it('ends where every step is skipped', async () => {
    const condition = when('input', 'kind', 'b2b')
    const { workflow, definition } = await saved([{ body: template('1'), condition }])
    const id = await peer.runWorkflow(workflow, definition, '{}')
    expect(await statesOf(id)).toEqual(['succeeded', 'skipped'])
    expect(bodies()).toEqual([])
  })

  it('begins with nothing where the input lacks a value', async () => {
    const { workflow, definition } = await saved([
      { body: template('1'), condition: null },
      { body: template('{"a":"{{input.lines[0].no}}"}'), condition: null },
    ])
    await expect(peer.runWorkflow(workflow, definition, '{"lines":[]}')).rejects.toMatchObject({
      details: { fields: { 'input.lines[0].no': [expect.stringContaining('no such value')] } },
    })
    expect(bodies()).toEqual([])
  })
})

describe('goes on by its version and its input', () => {
  const steps: Step[] = [
    { body: template('{"first":"{{input.n}}"}'), condition: null },
    {
      body: template('{"n":"{{input.n}}","ref":"{{steps.1.body.ref}}"}'),
      condition: when('steps.1.body', 'state', 'open'),
    },
  ]
  async function stopped(status: number) {
    const { workflow, definition } = await saved(steps)
    app.answer((request, response, socket) =>
      request.body.includes('first')
        ? json(200, '{"ref":0.10,"state":"open"}')(request, response, socket)
        : json(status, {})(request, response, socket),
    )
    const id = await peer.runWorkflow(workflow, definition, '{"n":1.00}')
    // What is saved later does not count for this run.
    const later = workflowOf(0, {
      slug: `flow-${count}`,
      lane: { name: `flow-${count}` },
      steps: [{ endpoint_id: endpoints[0], body: template('"later"'), condition: null }],
    })
    const url = `/api/workflows/${workflow.id}`
    expect((await app.server.send('PUT', url, { token: app.token, body: later })).status).toBe(200)
    app.upstream.received.length = 0
    app.answer(json(200, {}))
    return id
  }

  it('when it is resumed', async () => {
    const id = await stopped(429)
    const answer = await app.post(`/api/runs/${id}/resume`, {})
    expect(answer.status, answer.text).toBe(200)
    expect(bodies()).toEqual(['{"n":1.00,"ref":0.10}'])
  })

  it('when it is sent again as a new run, which keeps what succeeded and takes no typed bodies', async () => {
    const id = await stopped(422)
    const typed = await app.post(`/api/runs/${id}/retry`, { endpoint_2: { body: '{}' } })
    expect(typed).toMatchObject({
      status: 422,
      body: { errors: { 'endpoint_2.body': [expect.stringContaining('from its input')] } },
    })
    const answer = await app.post(`/api/runs/${id}/retry`, {})
    expect(answer.status, answer.text).toBe(200)
    expect(bodies()).toEqual(['{"n":1.00,"ref":0.10}'])
    const { run } = answer.body as { run: { id: number } }
    expect(await peer.stores.runs.find(run.id)).toMatchObject({ workflow_version: 1, retry_of: id })
    expect(await peer.stores.runs.findWorkflow(run.id)).toMatchObject({ input: '{"n":1.00}' })
  })
})

describe('the right to send', () => {
  const steps: Step[] = [{ body: template('1'), condition: null }]
  async function as(roleHasIt: boolean) {
    const built = await app.person([], [])
    const { workflow, definition } = await saved(steps)
    const role = await app.server.db
      .selectFrom('role')
      .select(['id', 'name'])
      .where('name', '=', built.roleName)
      .executeTakeFirstOrThrow()
    if (roleHasIt)
      await app.server.db
        .insertInto('role_workflow')
        .values({ role_id: role.id, workflow_id: workflow.id })
        .execute()
    const { id } = await app.server.db
      .selectFrom('user_role')
      .select('user_id as id')
      .where('role_id', '=', role.id)
      .executeTakeFirstOrThrow()
    const user = { id, name: 'machine', roles: [role], permissions: [] }
    const caller = { user, sessionId: 1, isSuperAdmin: false } as unknown as Caller
    return () => peer.runWorkflow(workflow, definition, '{}', caller)
  }

  it('is access to the workflow, without access to its endpoints', async () => {
    const run = await as(true)
    expect(await statesOf(await run())).toEqual(['succeeded', 'succeeded'])
  })

  it('is missing without it', async () => {
    const run = await as(false)
    await expect(run()).rejects.toMatchObject({
      details: {
        fields: { 'steps.0.endpoint_id': ['None of your roles has access to this workflow.'] },
      },
    })
  })
})
