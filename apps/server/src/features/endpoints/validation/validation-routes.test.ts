// Databases: SQLite.

import type { EndpointRecord } from '@gatehouse/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { endpointOf, type TestServer } from '../../../../test/servers/build-server.ts'
import { buildServerWithApi } from '../../../../test/servers/endpoint-server.ts'
import { openApiProblems } from '../../../../test/openapi/openapi-problems.ts'
import { toSnapshotEndpoint } from '../../../publishing/snapshot-endpoint.ts'

let server: TestServer
let token: string
let apiId: number
beforeAll(async () => {
  ;({ server, token, apiId } = await buildServerWithApi())
})
afterAll(() => server.close())
beforeEach(() => server.db.deleteFrom('endpoint').execute())

const text = JSON.stringify
const enforced = {
  mode: 'enforce',
  parameters_schema: text({ properties: { path: { properties: { id: { pattern: '^\\d+$' } } } } }),
  body_schema: text({ $ref: '#/$defs/order', $defs: { order: { required: ['id'] } } }),
  is_body_required: true,
  answer_schema: text({ type: 'object' }),
  is_mocked: false,
}

const create = (validation: unknown, more: object = {}) =>
  server.send('POST', '/api/endpoint', {
    token,
    body: endpointOf(apiId, { validation, method_type: 'put', path: '/orders/{id}', ...more }),
  })
const created = async (validation: unknown) => {
  const answer = await create(validation)
  expect(answer.status, answer.text).toBe(201)
  return answer.body as EndpointRecord
}
const stored = async (id: number) => (await server.stores.endpoints.find(id))!

describe('201 and 200', () => {
  it('is stored, shown and published; a save without it keeps it, null takes it away', async () => {
    const { id, validation } = await created(enforced)
    expect(validation).toEqual(enforced)
    expect(toSnapshotEndpoint(await stored(id))?.validation).toEqual(enforced)
    const body = endpointOf(apiId, { method_type: 'put', path: '/orders/{id}' })
    const save = (more: object) =>
      server.send('PUT', `/api/endpoint/${id}`, { token, body: { ...body, ...more } })
    expect((await save({})).body).toMatchObject({ validation: enforced })
    expect((await save({ validation: null })).body).toMatchObject({ validation: null })
    expect(toSnapshotEndpoint(await stored(id))?.validation).toBeNull()
  })

  it('while it is off its schemas are kept, and not published', async () => {
    const { id, validation } = await created({ ...enforced, mode: 'off' })
    expect(validation).toMatchObject({ mode: 'off', body_schema: enforced.body_schema })
    expect(toSnapshotEndpoint(await stored(id))?.validation).toBeNull()
  })

  it('what can’t be read is not served: nothing passes unchecked', async () => {
    const { id } = await created(enforced)
    await server.db.updateTable('endpoint').set({ validation: '{"mode":"none"}' }).execute()
    expect(toSnapshotEndpoint(await stored(id))).toBeUndefined()
  })

  it('is in the OpenAPI document, which stays valid', async () => {
    await created(enforced)
    await server.db.updateTable('api').set({ gateway_status: 'active' }).execute()
    const { body } = await server.send('GET', '/api/consumer-docs/openapi?format=json', { token })
    expect(await openApiProblems(body as object)).toEqual([])
    const { paths, components } = body as {
      paths: Record<string, { put: Record<string, unknown> }>
      components: { schemas: Record<string, object> }
    }
    const [{ put }] = Object.values(paths) as [{ put: Record<string, unknown> }]
    const id = String(put['operationId'])
    const at = (name: string) => ({ $ref: `#/components/schemas/${id}_${name}` })
    expect(put).toMatchObject({
      parameters: [{ name: 'id', schema: at('parameters/properties/path/properties/id') }],
      requestBody: { required: true, content: { 'application/json': { schema: at('body') } } },
      responses: {
        '2XX': { content: { 'application/json': { schema: at('answer') } } },
        422: { $ref: '#/components/responses/DoesNotFit' },
      },
    })
    expect(components.schemas[`${id}_body`]).toMatchObject({
      $ref: `#/components/schemas/${id}_body/$defs/order`,
    })
    const shown = await server.send('GET', '/api/consumer-docs', { token })
    expect(shown.text).not.toContain('validation')
  })
})

describe('422', () => {
  it.each<[string, object, string, string]>([
    ['no JSON', { body_schema: '{' }, 'body_schema', 'JSON object'],
    ['a list', { answer_schema: '[]' }, 'answer_schema', 'JSON object'],
    ['too large', { body_schema: text({ title: 'x'.repeat(65_536) }) }, 'body_schema', '64 KiB'],
    ['no schema', { body_schema: '{"type":"text"}' }, 'body_schema', "can't be used"],
    [
      'of another document',
      { answer_schema: '{"$ref":"https://example.com/a"}' },
      'answer_schema',
      'only point into this schema',
    ],
    [
      'with a pattern that can’t be matched in linear time',
      { parameters_schema: text({ properties: { path: { pattern: '(a+)\\1' } } }) },
      'parameters_schema',
      'back references',
    ],
    ['of an unknown mode', { mode: 'maybe' }, 'mode', 'must be one of'],
  ])('a schema that is %s', async (_name, change, field, message) => {
    const answer = await create({ ...enforced, ...change })
    expect(answer.status).toBe(422)
    const { errors } = answer.body as { errors: Record<string, string[]> }
    expect(Object.keys(errors)).toEqual([`validation.${field}`])
    expect(errors[`validation.${field}`]?.[0]).toContain(message)
  })
})

describe('a mock', () => {
  const mocked = {
    mode: 'off',
    answer_schema: text({ properties: { id: { type: 'integer', examples: [7] } } }),
    is_mocked: true,
  }

  it('publishes an example of the schema of answers as a fixed reply, until it is off', async () => {
    const { id, validation } = await created(mocked)
    expect(validation).toMatchObject({ is_mocked: true })
    const { custom_output } = toSnapshotEndpoint(await stored(id))!
    expect(JSON.parse(custom_output!)).toEqual({ id: 7 })
    const row = await stored(id)
    const off = text({ ...JSON.parse(row.validation!), is_mocked: false })
    expect(toSnapshotEndpoint({ ...row, validation: off })?.custom_output).toBeNull()
  })

  it.each([
    ['no schema of answers', { ...mocked, answer_schema: '' }, {}, /needs a schema of answers/],
    [
      'a custom output',
      mocked,
      { enable_custom_output: 1, custom_output: '{}' },
      /exclude each other/,
    ],
  ])('422 with %s', async (_name, validation, more, message) => {
    const answer = await create(validation, more)
    expect(answer.status).toBe(422)
    expect(text(answer.body)).toMatch(message)
    expect(answer.body).toHaveProperty(['errors', 'validation.is_mocked'])
  })
})
