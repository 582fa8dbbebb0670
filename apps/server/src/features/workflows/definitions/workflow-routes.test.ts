import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  buildServer,
  endpointOf,
  httpApi,
  workflowOf,
  type TestServer,
} from '../../../../test/servers/build-server.ts'

let server: TestServer
let token: string
let endpoint: number
let other: number
let api: number
/** It reads no reference. */
let bare: number
beforeAll(async () => {
  server = await buildServer()
  token = server.admin.token
  api = await made('/api/apis', httpApi())
  endpoint = await made(
    '/api/endpoint',
    endpointOf(api, {
      method_type: 'post',
      path: '/invoices',
      run_settings: { reference_path: 'id' },
    }),
  )
  other = await made(
    '/api/endpoint',
    endpointOf(api, {
      method_type: 'post',
      path: '/receipts',
      run_settings: { reference_path: 'n' },
    }),
  )
  bare = await made('/api/endpoint', endpointOf(api, { method_type: 'post', path: '/bare' }))
})
afterAll(() => server.close())

interface Shown {
  id: number
  version: number
  errors: Record<string, string[]>
  [field: string]: unknown
}
const send = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: unknown, as = token) =>
  server.send(method, url, { token: as, ...(body === undefined ? {} : { body }) })

async function made(url: string, body: unknown) {
  const answer = await send('POST', url, body)
  expect(answer.status, answer.text).toBe(201)
  return (answer.body as { id: number }).id
}

let count = 0
const fresh = (overrides: Record<string, unknown> = {}) => {
  const slug = `flow-${++count}`
  return workflowOf(endpoint, { slug, lane: { name: slug }, ...overrides })
}
const create = async (overrides: Record<string, unknown> = {}) => {
  const answer = await send('POST', '/api/workflows', fresh(overrides))
  expect(answer.status, answer.text).toBe(201)
  return answer.body as Shown
}
const step = (body: unknown, condition: unknown = null, endpoint_id = endpoint) => ({
  endpoint_id,
  body,
  condition,
})
const clean = (value: object) => JSON.parse(JSON.stringify(value)) as object
const template = (text: string) => ({ kind: 'template', text })
const mapping = (...rows: object[]) => ({
  kind: 'mapping',
  rows: rows.map((row) => ({
    source: 'input',
    from: 'a',
    to: 'b',
    type: '',
    custom_input: '',
    ...row,
  })),
})
const errorsOf = async ({
  steps,
  ...overrides
}: {
  steps?: object[]
  [field: string]: unknown
}) => {
  // Tables of cases are written before there is an endpoint.
  const filled = steps?.map((each) => ({ endpoint_id: endpoint, ...clean(each) }))
  const body = fresh({ ...overrides, ...(filled ? { steps: filled } : {}) })
  const answer = await send('POST', '/api/workflows', body)
  expect(answer.status, answer.text).toBe(422)
  return (answer.body as Shown).errors
}

describe('saving', () => {
  it('makes a version each time, keeps numbers as sent, and lists them', async () => {
    const sample_input = '{"price":0.10,"big":12345678901234567890}'
    const first = await create({ sample_input, input_schema: { type: 'object' } })
    expect(first).toMatchObject({ version: 1, updated_by: 'admin', lane_shared_with: [] })
    const shown = await send('GET', `/api/workflows/${first.id}`)
    expect(shown.text).toContain(`"sample_input":${sample_input}`)
    expect(shown.body).toMatchObject({
      input_schema: { type: 'object' },
      lane: { concurrency: 4, per_second: null, is_strict_order: false },
      endpoints: [{ id: endpoint, path: '/invoices' }],
      callback: null,
    })
    const again = fresh({ slug: first['slug'], sample_input, name: 'Renamed', version: 1 })
    const second = await send('PUT', `/api/workflows/${first.id}`, again)
    expect(second.body).toMatchObject({ version: 2, name: 'Renamed' })
    const versions = await send('GET', `/api/workflows/${first.id}/versions`)
    expect(versions.body).toMatchObject([
      {
        total: 2,
        data: [
          {
            version: 2,
            is_current: true,
            changes: expect.arrayContaining(['name', 'input_schema']),
          },
          { version: 1, is_current: false, changes: [] },
        ],
      },
    ])
    const old = await send('GET', `/api/workflows/${first.id}/versions/1`)
    expect(old.text).toContain(`"sample_input":${sample_input}`)
    expect(old.body).toMatchObject({ version: 1, definition: { name: 'Invoices' } })
  })

  it('takes a JSON value with its digits too', async () => {
    const body = JSON.stringify(fresh()).replace('"sample_input":null', '"sample_input":{"n":0.10}')
    const answer = await server.app.inject({
      method: 'POST',
      url: '/api/workflows',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      payload: body,
    })
    expect(answer.statusCode, answer.payload).toBe(201)
    expect(answer.payload).toContain('"sample_input":{"n":0.10}')
  })

  it('shares a lane by its name, whose settings are those of the last save', async () => {
    const first = await create({ lane: { name: 'Shared', per_second: 5 } })
    const second = await create({ lane: { name: 'Shared', per_second: '7', is_strict_order: 1 } })
    expect(second).toMatchObject({ lane_shared_with: [{ id: first.id, slug: first['slug'] }] })
    expect((await send('GET', `/api/workflows/${first.id}`)).body).toMatchObject({
      lane: { name: 'Shared', per_second: 7, is_strict_order: true },
    })
    const form = await send('GET', '/api/workflows/create')
    expect(form.body).toMatchObject({
      endpoints: expect.arrayContaining([expect.objectContaining({ id: endpoint })]),
      lanes: expect.arrayContaining([expect.objectContaining({ name: 'Shared', per_second: 7 })]),
    })
  })

  it('is refused over another user’s change', async () => {
    const { id, slug } = await create()
    const change = (version: number) =>
      send('PUT', `/api/workflows/${id}`, fresh({ slug, name: 'X', version }))
    expect((await change(1)).status).toBe(200)
    expect(await change(1)).toMatchObject({ status: 409, body: { code: 'record.changed' } })
  })

  it('brings an earlier version back as a new one, by its number and by the audit trail', async () => {
    const { id, slug } = await create({ sample_input: '{"n":0.10}' })
    await send('PUT', `/api/workflows/${id}`, fresh({ slug, name: 'Second' }))
    const back = await send('POST', `/api/workflows/${id}/versions/1/restore`, { version: 2 })
    expect(back.body).toMatchObject({ version: 3, name: 'Invoices' })
    expect(back.text).toContain('"sample_input":{"n":0.10}')
    const stale = await send('POST', `/api/workflows/${id}/versions/1/restore`, { version: 2 })
    expect(stale.status).toBe(409)
    expect((await send('POST', `/api/workflows/${id}/versions/9/restore`, {})).status).toBe(404)
    const trail = await send('GET', `/api/audit?thing=workflow&thing_id=${id}&limit=100`)
    const [{ data }] = trail.body as [{ data: { id: number; after: { name: string } }[] }]
    const event = data.find(({ after }) => after.name === 'Second')
    expect((await send('POST', `/api/audit/${event?.id}/restore`)).status).toBe(200)
    expect((await send('GET', `/api/workflows/${id}`)).body).toMatchObject({
      version: 4,
      name: 'Second',
    })
  })

  it('with a reference is refused where a step that submits reads none: nothing would keep it from sending twice', async () => {
    const settings = (path: string, run_settings: object) =>
      made('/api/endpoint', endpointOf(api, { method_type: 'post', path, run_settings }))
    const guarded = await settings('/guarded', { reference_path: 'id' })
    const several = await settings('/several', {
      documents: {
        items_path: 'documents',
        reference_path: 'id',
        accepted_path: 'accepted',
        rejected_path: 'rejected',
      },
    })
    const idempotent = await settings('/idempotent', { effect: 'idempotent' })
    // Its bodies hold no reference that can be read.
    const sealed = await settings('/sealed', { profile: 'jofotara' })
    const steps = [guarded, several, idempotent, sealed].map((id) =>
      step(template('{"id":"1"}'), null, id),
    )
    const { id } = await create({ reference_path: 'id', steps })
    const open = {
      reference_path: 'id',
      steps: [steps[2], step(template('1'), null, bare)],
    }
    for (const answer of [
      await send('POST', '/api/workflows', fresh(open)),
      await send('PUT', `/api/workflows/${id}`, fresh(open)),
    ]) {
      expect(answer.status).toBe(422)
      expect((answer.body as Shown).errors).toEqual({
        'steps.1.endpoint_id': [expect.stringContaining('document reference path')],
      })
    }
    await create({ ...open, reference_path: '' })
    await create({ ...open, steps: [steps[0], ...open.steps] })
    await create({ ...open, steps: [steps[3], ...open.steps] })
  })

  it.each([
    [{ slug: 'Not A Slug' }, 'slug', /lower-case/],
    [{ name: '' }, 'name', /required/],
    [{ kind: 'x' }, 'kind', /one of/],
    [{ callback: { url: 'ftp://x.test' } }, 'callback.url', /http/],
    [{ callback: { url: 'https://a:b@x.test' } }, 'callback.url', /user name/],
    [{ callback: { url: 'http://169.254.169.254/' } }, 'callback.url', /never called/],
    [{ callback: { url: 'https://x.test', secret: 'short' } }, 'callback.secret', /whsec_/],
    [{ unknown: 1 }, 'unknown', /no such field/],
    [{ lane: { name: 'x', concurrency: 65 } }, 'lane.concurrency', /1 to 64/],
    [{ reference_path: 'lines[0].id' }, 'reference_path', /leads into a list/],
    [{ input_schema: { $ref: 'https://x.test' } }, 'input_schema', /point into this schema/],
    [{ input_schema: '{"type":' }, 'input_schema', /not valid JSON/],
    [{ sample_input: '{"a":1,"a":2}' }, 'sample_input', /occurs twice/],
    [{ sample_input: `"${'x'.repeat(1024 * 1024)}"` }, 'sample_input', /1 MiB/],
    [{ steps: [] }, 'steps', /Add a step/],
    [
      { steps: [{ endpoint_id: 999_999, body: { kind: 'none' } }] },
      'steps.0.endpoint_id',
      /Choose/,
    ],
    [{ steps: [step({ kind: 'x' })] }, 'steps.0.body.kind', /Choose what/],
    [{ steps: [step(template('{"a":"{{inputs.b}}"}'))] }, 'steps.0.body.text', /Did you mean/],
    [{ steps: [step(template('{"a":"{{steps.1.body.b}}"}'))] }, 'steps.0.body.text', /no step/],
    [{ steps: [step(template('{'))] }, 'steps.0.body.text', /JSON/],
    [{ steps: [step(mapping({ to: '' }))] }, 'steps.0.body.rows.0.to', /Fill in To/],
    [{ steps: [step(mapping({ type: 'x' }))] }, 'steps.0.body.rows.0.type', /not a type/],
    [
      { steps: [step(mapping({ source: 'steps.1.body' }))] },
      'steps.0.body.rows.0.source',
      /before/,
    ],
    [{ steps: [step(mapping({ source: 'x' }))] }, 'steps.0.body.rows.0.source', /Choose the input/],
    [
      { steps: [step(template('1'), { source: 'steps.2.body', statuses: '200' })] },
      'steps.0.condition.source',
      /does not come before/,
    ],
    [
      { steps: [step(template('1'), { source: 'input', statuses: '200' })] },
      'steps.0.condition.statuses',
      /no status/,
    ],
    [
      { kind: 'credit', steps: Array.from({ length: 4 }, () => step({ kind: 'none' })) },
      'steps',
      /at most 3/,
    ],
  ])('is refused on the right field (%#)', async (overrides, field, message) => {
    expect(await errorsOf(overrides)).toEqual({
      [field]: [typeof message === 'string' ? message : expect.stringMatching(message)],
    })
  })

  it('names all problems at once', async () => {
    const steps = [step(template('{')), step({ kind: 'none' }, null, 999_999)]
    expect(Object.keys(await errorsOf({ steps, input_schema: [] }))).toEqual([
      'steps.0.body.text',
      'steps.1.endpoint_id',
      'input_schema',
    ])
  })

  it('asks for access to the endpoints of the editor', async () => {
    const editor = await server.buildUser({ permissions: ['workflow.create', 'workflow.view'] })
    const answer = await send('POST', '/api/workflows', fresh(), editor.token)
    expect((answer.body as Shown).errors).toEqual({
      'steps.0.endpoint_id': ['None of your roles has access to this endpoint.'],
    })
  })

  it('refuses a slug that is in use', async () => {
    const { slug } = await create()
    expect(await errorsOf({ slug })).toEqual({ slug: ['This slug is already in use.'] })
  })
})

it('the list is paged, searched and sorted', async () => {
  await create({ name: 'Zebra crossing', kind: 'tax' })
  await create({ name: 'Zebra apple', status: 'paused' })
  const list = await send('GET', '/api/workflows?search=zebra&sort=name&limit=1')
  expect(list.body).toMatchObject([
    { total: 2, per_page: 1, data: [{ name: 'Zebra apple', status: 'paused', steps_count: 1 }] },
  ])
  const paused = await send('GET', '/api/workflows?search=zebra&status=paused&kind=general')
  expect(paused.body).toMatchObject([{ total: 1 }])
})

describe('deleting', () => {
  it('is refused while a run has not ended, and gives the slug back', async () => {
    const { id, slug } = await create()
    const run = {
      kind: 'general',
      is_test: 0,
      idempotency_key: null,
      content_sha256: null,
      reference: null,
      retry_of: null,
      user_id: server.admin.id,
      user_name: 'a',
      request_id: 'r',
      created_at: '2026-01-01T00:00:00.000Z',
      finished_at: null,
      lease_owner: null,
      lease_until: null,
      workflow_id: id,
      workflow_version: 1,
    } as const
    for (const state of ['queued', 'running', 'pending', 'unknown'] as const) {
      await server.db
        .insertInto('run')
        .values({ ...run, state })
        .execute()
      const refused = await send('DELETE', `/api/workflows/${id}`)
      expect(refused).toMatchObject({ status: 409, body: { code: 'workflow.has_open_runs' } })
      await server.db.updateTable('run').set({ state: 'succeeded' }).execute()
    }
    expect((await send('DELETE', `/api/workflows/${id}`)).status).toBe(204)
    expect((await send('GET', `/api/workflows/${id}`)).status).toBe(404)
    expect((await send('GET', `/api/workflows/${id}/versions`)).status).toBe(404)
    // Its runs and their keys are still known by it.
    expect(await create({ slug })).toMatchObject({ id, version: 2 })
    const versions = await send('GET', `/api/workflows/${id}/versions`)
    expect(versions.body).toMatchObject([{ data: [{ version: 2 }, { version: 1 }] }])
  })
})

describe('the preview', () => {
  const steps = () => [
    step(template('{"id":"{{input.id}}","n":"{{input.n}}"}')),
    step(template('{"ref":"{{steps.1.body.ref}}","n":"{{input.n}}"}'), null, other),
    step(mapping({ from: 'n' }), {
      source: 'input',
      statuses: '',
      conditions: [{ path: 'kind', test: 'equals', value: 'b2b' }],
    }),
    step(template('1'), { source: 'steps.1.body', statuses: '202' }),
  ]

  it('of a saved workflow shows each step for its sample, or for the input that is sent', async () => {
    const { id } = await create({
      steps: steps(),
      sample_input: '{"id":"A","n":0.10,"kind":"b2c"}',
      reference_path: 'id',
      input_schema: { required: ['id'] },
    })
    const preview = await send('POST', `/api/workflows/${id}/preview`, {})
    expect(preview.status, preview.text).toBe(200)
    expect(preview.body).toMatchObject({
      reference: 'A',
      order_key: null,
      input_problems: {},
      steps: [
        {
          what: 'send',
          condition: 'none',
          method: 'POST',
          body: '{"id":"A","n":0.10}',
          problems: {},
        },
        { what: 'waits', takes: ['{{steps.1.body.ref}}'], url: 'http://127.0.0.1:9/receipts' },
        { what: 'skip', condition: 'fails', body: null },
        { what: 'waits', condition: 'open', takes: ['steps.1.body'] },
      ],
    })
    expect((preview.body as { steps: { url: string }[] }).steps[0]?.url).toMatch(/\/invoices$/)
    const sent = await send('POST', `/api/workflows/${id}/preview`, { input: '{"kind":"b2b"}' })
    expect(sent.body).toMatchObject({
      input_problems: {
        'input.id': [expect.stringContaining('no such value')],
        'input.n': [expect.any(String)],
        '/id': ['This is missing.'],
      },
      steps: [{ what: 'refused' }, { what: 'refused' }, { what: 'refused' }, { what: 'waits' }],
    })
  })

  it('of a definition that is not saved makes the same checks', async () => {
    const definition = fresh({ steps: steps() })
    const body = JSON.stringify({ definition, input: 'INPUT' }).replace(
      '"INPUT"',
      '{"id":"B","n":1.0}',
    )
    const answer = await server.app.inject({
      method: 'POST',
      url: '/api/workflows/preview',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      payload: body,
    })
    expect(answer.json()).toMatchObject({ steps: [{ body: '{"id":"B","n":1.0}' }, {}, {}, {}] })
    const broken = fresh({ steps: [step(template('{'))] })
    const refused = await send('POST', '/api/workflows/preview', { definition: broken, input: '1' })
    expect(Object.keys((refused.body as Shown).errors)).toEqual(['definition.steps.0.body.text'])
    const without = await send('POST', '/api/workflows/preview', { definition })
    expect((without.body as Shown).errors).toEqual({
      input: [expect.stringContaining('no sample')],
    })
  })
})
