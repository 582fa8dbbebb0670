import type { ApiRecord, EndpointRecord, SnapshotTool, SubmittedApi } from '@gatehouse/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { endpointOf, type TestServer } from '../../../test/servers/build-server.ts'
import { buildServerWithApi } from '../../../test/servers/endpoint-server.ts'
import { toSnapshotEndpoint } from '../snapshot-endpoint.ts'

let server: TestServer
let token: string
let apiId: number
beforeAll(async () => {
  ;({ server, token, apiId } = await buildServerWithApi())
})
afterAll(() => server.close())
beforeEach(async () => {
  await server.db.deleteFrom('endpoint').execute()
  await offer(false)
})

const send = (method: 'GET' | 'POST' | 'PUT', path: string, body?: object) =>
  server.send(method, path, { token, ...(body ? { body } : {}) })

async function submitted(): Promise<SubmittedApi> {
  const [record] = (await send('GET', `/api/apis/${apiId}/edit`)).body as [ApiRecord]
  return JSON.parse(record.submitted_data) as SubmittedApi
}

async function offer(isOffered: boolean, more: object = {}) {
  const answer = await send('PUT', `/api/apis/${apiId}`, {
    ...(await submitted()),
    offer_to_agents: isOffered,
    ...more,
  })
  expect(answer.status, answer.text).toBe(200)
}

async function create(more: Record<string, unknown> = {}): Promise<EndpointRecord> {
  const answer = await send('POST', '/api/endpoint', endpointOf(apiId, more))
  expect(answer.status, answer.text).toBe(201)
  return answer.body as EndpointRecord
}
const save = (id: number, more: Record<string, unknown>) =>
  send('PUT', `/api/endpoint/${id}`, endpointOf(apiId, more))
const stored = async (id: number) => (await server.stores.endpoints.find(id))!
const nameOf = async ({ id }: { id: number }) => (await stored(id)).tool_name
async function toolOf({ id }: { id: number }): Promise<SnapshotTool> {
  const tool = toSnapshotEndpoint(await stored(id))?.tool
  if (!tool) throw new Error('It is no tool.')
  return tool
}
const orders = { method_type: 'get', path: '/orders', summery: 'Open orders' }

describe('the name of a tool', () => {
  it('is given once the API is offered, to what only reads, and to what is offered itself', async () => {
    const read = await create(orders)
    const change = await create({ method_type: 'post', path: '/orders', summery: 'Open orders' })
    const hidden = await create({ ...orders, path: '/x', agent_offer: 'not_offered' })
    expect(await nameOf(read)).toBeNull()
    await offer(true)
    const { context } = await submitted()
    expect(await nameOf(read)).toBe(`${context}_open_orders`)
    expect([await nameOf(change), await nameOf(hidden)]).toEqual([null, null])
    await save(change.id, {
      method_type: 'post',
      path: '/orders',
      summery: 'Open orders',
      agent_offer: 'offered',
    })
    expect(await nameOf(change)).toBe(`${context}_post_orders`)
    const later = await create({ ...orders, method_type: 'put', agent_offer: 'offered' })
    expect(later.tool_name).toBe(`${context}_put_orders`)
  })

  it('stays over other names of endpoint and API, and can be changed', async () => {
    await offer(true)
    const { context } = await submitted()
    const { id } = await create(orders)
    await save(id, { ...orders, summery: 'Something else', tool_name: '' })
    await offer(false)
    await offer(true)
    expect(await nameOf({ id })).toBe(`${context}_open_orders`)
    const saved = await save(id, { ...orders, tool_name: 'my_orders', tool_description: 'Mine.' })
    expect(saved.body).toMatchObject({ tool_name: 'my_orders', tool_description: 'Mine.' })
    expect((await save(id, orders)).body).toMatchObject({
      tool_name: 'my_orders',
      tool_description: 'Mine.',
    })
    const blank = await save(id, { ...orders, tool_description: '' })
    expect(blank.body).toMatchObject({ tool_description: '' })
  })

  it.each([
    ['Bad Name', 'may hold lower-case letters'],
    ['run_status', 'reserved'],
    ['workflow_a', 'reserved'],
    ['x'.repeat(65), 'longer than 64'],
  ])('%s is refused', async (tool_name, message) => {
    const answer = await send('POST', '/api/endpoint', endpointOf(apiId, { tool_name }))
    expect(answer.status).toBe(422)
    const { errors } = answer.body as { errors: { tool_name: string[] } }
    expect(errors.tool_name.join(' ')).toContain(message)
  })

  it('of another endpoint is refused, and one’s own is not', async () => {
    const first = await create({ ...orders, tool_name: 'same' })
    const answer = await send(
      'POST',
      '/api/endpoint',
      endpointOf(apiId, { path: '/y', tool_name: 'same' }),
    )
    expect([answer.status, answer.body]).toEqual([
      422,
      expect.objectContaining({
        errors: { tool_name: ['Another endpoint has this tool name already.'] },
      }),
    ])
    expect((await save(first.id, { ...orders, tool_name: 'same' })).status).toBe(200)
  })

  it('is another one for each of many endpoints of one summary', async () => {
    await create(orders)
    await create({ ...orders, path: '/orders/{id}' })
    await create({ ...orders, path: '/orders-id' })
    await create({ ...orders, path: '/a', summery: 'طلبات' })
    await offer(true)
    const { context } = await submitted()
    const rows = await server.stores.endpoints.listAll()
    expect(rows.map(({ tool_name }) => tool_name)).toEqual(
      ['open_orders', 'get_orders_id', 'open_orders_2', 'get_a'].map(
        (name) => `${context}_${name}`,
      ),
    )
  })
})

it('the offer is stored, shown, kept by a save without it, recorded, and refused where it is none', async () => {
  const { id, agent_offer } = await create(orders)
  expect(agent_offer).toBe('as_api')
  expect((await save(id, { ...orders, agent_offer: 'offered' })).body).toMatchObject({
    agent_offer: 'offered',
  })
  expect((await save(id, orders)).body).toMatchObject({ agent_offer: 'offered' })
  const events = await server.db
    .selectFrom('audit_event')
    .selectAll()
    .where('action', '=', 'endpoint.update')
    .execute()
  expect(JSON.stringify(events)).toContain('agent_offer')
  expect((await save(id, { ...orders, agent_offer: 'always' })).status).toBe(422)
  await offer(true)
  const { offer_to_agents: _, ...before } = await submitted()
  expect((await send('PUT', `/api/apis/${apiId}`, before)).status).toBe(200)
  expect((await submitted()).offer_to_agents).toBe(true)
})

describe('what is published of a tool', () => {
  beforeEach(() => offer(true))
  const effect = (name: string) => ({ run_settings: { effect: name } })

  it('is what it does, by its effect', async () => {
    const read = await create({ ...orders, description: 'All that are open' })
    expect(await toolOf(read)).toMatchObject({
      title: 'Open orders',
      description: 'Open orders\nAll that are open\nIt only reads.',
      effect: 'read',
      parameters: [],
      body: null,
      answer_schema: '',
      asked_by: null,
    })
    const submit = await create({
      ...orders,
      path: '/b',
      ...effect('submit'),
      agent_offer: 'offered',
      tool_description: 'Own words.',
    })
    expect(await toolOf(submit)).toMatchObject({
      description: 'Own words.\nIt changes data, and does so again with each call.',
      effect: 'submit',
    })
    const query = await create({
      ...orders,
      method_type: 'post',
      path: '/search',
      ...effect('read'),
    })
    expect((await toolOf(query)).body).toMatchObject({ content_type: 'application/json' })
  })

  it('is nothing of what it may not be', async () => {
    const hidden = await create({ ...orders, agent_offer: 'not_offered', tool_name: 'hidden' })
    const changing = await create({ ...orders, method_type: 'delete', tool_name: 'changing' })
    const bounds = { idle_seconds: 60, life_seconds: null, max_message_bytes: 65_536 }
    const socket = await create({ ...orders, path: '/s', web_socket: bounds, tool_name: 'socket' })
    for (const { id } of [hidden, changing, socket])
      expect(toSnapshotEndpoint(await stored(id))?.tool).toBeNull()
  })

  it('has parameters as declared, under names that no other has', async () => {
    const declared = (name: string, place: string, more: object = {}) => ({
      name,
      in: place,
      is_required: false,
      type: 'string',
      description: '',
      ...more,
    })
    const tool = await toolOf(
      await create({
        ...orders,
        path: '/orders/{id}',
        parameters: [
          declared('id', 'query', { type: 'integer' }),
          declared('filter[name]', 'query', { is_required: true, description: 'By name' }),
          declared('body', 'query'),
          declared('X-No', 'header'),
          declared('Authorization', 'header'),
          declared('session', 'cookie'),
        ],
      }),
    )
    expect(tool.parameters).toEqual([
      { argument: 'id', in: 'path', name: 'id', is_required: true, schema: '{"type":"string"}' },
      {
        argument: 'query_id',
        in: 'query',
        name: 'id',
        is_required: false,
        schema: '{"type":"integer"}',
      },
      {
        argument: 'filter_name_',
        in: 'query',
        name: 'filter[name]',
        is_required: true,
        schema: '{"description":"By name","type":"string"}',
      },
      {
        argument: 'query_body',
        in: 'query',
        name: 'body',
        is_required: false,
        schema: '{"type":"string"}',
      },
      {
        argument: 'X-No',
        in: 'header',
        name: 'X-No',
        is_required: false,
        schema: '{"type":"string"}',
      },
    ])
  })

  it('has no format that a check would not know', async () => {
    const named = (name: string, type: string) => ({
      name,
      in: 'query',
      is_required: false,
      type,
      description: name === 'phone' ? 'Whom to call.' : '',
    })
    const parameters = [
      named('phone', 'string (phone)'),
      named('days', 'array of string (date)'),
      named('all', 'array of array of integer (int64)'),
    ]
    const tool = await toolOf(await create({ ...orders, parameters }))
    expect(tool.parameters.map(({ schema }) => JSON.parse(schema) as object)).toEqual([
      { description: 'Whom to call. Format: phone.', type: 'string' },
      { type: 'array', items: { type: 'string' } },
      { type: 'array', items: { type: 'array', items: { type: 'integer' } } },
    ])
  })

  it('has the schemas that the endpoint is held against, each reference where it leads to', async () => {
    const parameters_schema = JSON.stringify({
      $defs: { page: { type: 'integer' } },
      properties: {
        query: {
          properties: { page: { $ref: '#/$defs/page' }, size: { type: 'integer' } },
          required: ['size'],
        },
      },
    })
    const body_schema = JSON.stringify({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: { line: { $ref: '#/$defs/line' } },
      $defs: { line: { type: 'string', const: { $ref: '#/a' } } },
    })
    const answer_schema = '{"type":"object"}'
    const validation = {
      mode: 'log',
      parameters_schema,
      body_schema,
      is_body_required: true,
      is_mocked: false,
      answer_schema,
    }
    const made = await create({
      ...orders,
      method_type: 'post',
      agent_offer: 'offered',
      validation,
    })
    const tool = await toolOf(made)
    expect(tool.parameters).toMatchObject([
      { argument: 'page', schema: '{"$ref":"#/$defs/parameters/$defs/page"}', is_required: false },
      { argument: 'size', schema: '{"type":"integer"}', is_required: true },
    ])
    expect(JSON.parse(tool.defs)).toMatchObject({
      parameters: { $defs: { page: { type: 'integer' } } },
    })
    expect(tool.body?.is_required).toBe(true)
    expect(JSON.parse(tool.body?.schema ?? '')).toEqual({
      type: 'object',
      properties: { line: { $ref: '#/properties/body/$defs/line' } },
      $defs: { line: { type: 'string', const: { $ref: '#/a' } } },
    })
    expect(tool.answer_schema).toBe(answer_schema)
    await save(made.id, {
      ...orders,
      method_type: 'post',
      validation: { ...validation, mode: 'off' },
    })
    expect(await toolOf(made)).toMatchObject({ answer_schema: '', body: { is_required: true } })
  })

  it('has a form, and a body of another kind than JSON', async () => {
    const field = { name: 'a', in: 'form', is_required: true, type: 'integer', description: '' }
    const form = await create({
      ...orders,
      method_type: 'post',
      agent_offer: 'offered',
      parameters: [field],
    })
    expect(await toolOf(form)).toMatchObject({
      body: null,
      parameters: [{ in: 'form', argument: 'a' }],
    })
    const xml = { ...field, name: 'body', in: 'body', type: 'application/xml' }
    const other = await create({
      ...orders,
      method_type: 'put',
      agent_offer: 'offered',
      parameters: [xml],
    })
    expect((await toolOf(other)).body).toEqual({
      is_required: true,
      content_type: 'application/xml',
      schema: '',
    })
  })
})

describe('the tools of an API', () => {
  it('are its endpoints, with what each changes and whether it is one', async () => {
    const read = await create({ ...orders, tool_name: 'all_orders' })
    const change = await create({ method_type: 'post', path: '/orders', summery: 'New order' })
    await create({ ...orders, path: '/hidden', agent_offer: 'not_offered' })
    const list = async () => (await send('GET', `/api/apis/${apiId}/tools`)).body
    expect(await list()).toMatchObject({
      is_offered: false,
      is_signed: false,
      tools: [
        { endpoint_id: read.id, tool_name: 'all_orders', effect: 'read', is_tool: true },
        { endpoint_id: change.id, tool_name: '', effect: 'submit', is_tool: false },
        { agent_offer: 'not_offered', is_tool: false },
      ],
    })
    await offer(true, { traffic_policy: { signature: { window_seconds: 60 } } })
    expect(await list()).toMatchObject({ is_offered: true, is_signed: true })
    await offer(false, { traffic_policy: null })
  })

  it('of none are a 404', async () => {
    expect((await send('GET', '/api/apis/9999/tools')).status).toBe(404)
  })
})
