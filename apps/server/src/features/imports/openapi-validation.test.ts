// Databases: SQLite.

import type { ImportPreview } from '@gatehouse/contract'
import { readLocated } from '../../kernel/located-document.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildServer, type TestServer } from '../../../test/servers/build-server.ts'
import { readOpenApi } from './read-openapi.ts'

const components = {
  schemas: {
    Order: {
      type: 'object',
      required: ['id', 'state', 'secret'],
      properties: {
        id: { type: 'string', readOnly: true },
        state: { type: 'string', nullable: true, enum: ['new', 'sent'] },
        secret: { type: 'string', writeOnly: true },
        total: { type: 'number', minimum: 0, exclusiveMinimum: true, format: 'double' },
        parent: { $ref: '#/components/schemas/Order' },
      },
      discriminator: { propertyName: 'state' },
      'x-own': true,
    },
  },
}
const order = { $ref: '#/components/schemas/Order' }
const content = { 'application/json': { schema: order } }

const operation = {
  summary: 'Change an order',
  parameters: [
    { name: 'order-id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } },
    { name: 'tag', in: 'query', schema: { type: 'array', items: { type: 'string' } } },
    { name: 'ids', in: 'query', explode: false, schema: { type: 'array', items: {} } },
    { name: 'X-Kind', in: 'header', required: true, schema: { type: 'string' } },
    { name: 'Authorization', in: 'header', required: true, schema: { type: 'string' } },
  ],
  requestBody: { required: true, content },
  responses: { 200: { content }, 404: { content } },
}

function read(changes: object = {}, openapi = '3.0.3') {
  const put = { ...operation, ...changes }
  const document = {
    openapi,
    info: { title: 'Orders', version: '1' },
    servers: [{ url: 'https://orders.example.com' }],
    paths: { '/orders/{order-id}': { put } },
    components,
  }
  const located = readLocated(JSON.stringify(document))
  if (!located.ok) throw new Error('unreadable')
  const { operations, notes } = readOpenApi(located.document)
  const validation = operations[0]?.validation ?? null
  const schema = (field: 'parameters_schema' | 'body_schema' | 'answer_schema') =>
    validation === null || validation[field] === ''
      ? null
      : (JSON.parse(validation[field]) as unknown)
  return { document: JSON.stringify(document), validation, schema, notes }
}

describe('what an import takes of the schemas', () => {
  it('is off, and stands alone as JSON Schema 2020-12', () => {
    const { validation, schema } = read()
    expect(validation).toMatchObject({ mode: 'off', is_body_required: true })
    expect(schema('parameters_schema')).toEqual({
      properties: {
        path: { properties: { order_id: { type: 'integer', minimum: 1 } }, required: ['order_id'] },
        query: { properties: { tag: { type: 'array', items: { type: 'string' } } } },
        headers: { properties: { 'x-kind': { type: 'string' } }, required: ['x-kind'] },
      },
    })
    const properties = {
      id: { type: 'string' },
      state: { type: ['string', 'null'], enum: ['new', 'sent', null] },
      secret: { type: 'string' },
      total: { type: 'number', exclusiveMinimum: 0 },
      parent: { $ref: '#/$defs/s1' },
    }
    const defined = (required: string[]) => ({
      $ref: '#/$defs/s1',
      $defs: { s1: { type: 'object', required, properties } },
    })
    // What is read only is not sent, and what is written only is not answered.
    expect(schema('body_schema')).toEqual(defined(['state', 'secret']))
    expect(schema('answer_schema')).toEqual(defined(['id', 'state']))
  })

  it.each<[string, object]>([
    ['a body may be XML, too', { requestBody: { content: { ...content, 'application/xml': {} } } }],
    ['there is no body', { requestBody: undefined }],
  ])('%s: none for the body', (_name, changes) => {
    expect(read(changes).validation).toMatchObject({ body_schema: '', is_body_required: false })
  })

  it('one that can’t be used is left out with a note', () => {
    const schema = { type: 'string', pattern: '^(?!a)' }
    const { validation, notes } = read({
      requestBody: { content: { 'application/json': { schema } } },
    })
    expect(validation).toMatchObject({ body_schema: '' })
    expect(notes.map(({ message }) => message)).toContainEqual(
      expect.stringContaining('The schema of its body is not imported'),
    )
  })
})

describe('an import', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await buildServer()
  })
  afterAll(() => server.close())

  it('again leaves what is in force in force, and takes new schemas', async () => {
    const post = (url: string, body: object) =>
      server.send('POST', url, { token: server.admin.token, body })
    const importIt = async (document: string) => {
      const { apis } = (await post('/api/import/preview', { document })).body as ImportPreview
      const { key, name, api_url, operations, existing } = apis[0]!
      const chosen = [{ key, name, api_url, operations: [operations[0]!.key] }]
      expect((await post('/api/import', { document, apis: chosen })).status).toBe(200)
      return existing[0]?.operations[0]
    }
    const first = read()
    expect(await importIt(first.document)).toBeUndefined()
    expect((await importIt(first.document))?.action).toBe('left')
    const stored = JSON.stringify({ ...first.validation, mode: 'enforce' })
    await server.db.updateTable('endpoint').set({ validation: stored }).execute()
    expect((await importIt(first.document))?.action).toBe('left')
    const second = read({ responses: {} })
    expect(await importIt(second.document)).toMatchObject({
      action: 'update',
      changes: ['validation'],
    })
    const [row] = await server.stores.endpoints.listAll()
    expect(JSON.parse(row!.validation!)).toEqual({ ...second.validation, mode: 'enforce' })
  })
})
