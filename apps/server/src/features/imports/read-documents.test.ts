import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import { noteInWords } from '../../kernel/located-document.ts'
import { readImport } from './import-worker.ts'
import type { ImportedDocument } from './imported-document.ts'

const fixture = (name: string) =>
  readFileSync(new URL(`../../../fixtures/openapi/${name}.json`, import.meta.url), 'utf8')

function read(text: string): ImportedDocument {
  const answer = readImport(text)
  if (!answer.ok) throw new Error(answer.problems.map(noteInWords).join('\n'))
  return answer.document
}

function problemsOf(given: unknown): string[] {
  const answer = readImport(typeof given === 'string' ? given : JSON.stringify(given, null, 1))
  return answer.ok ? [] : answer.problems.map(noteInWords)
}

interface RawParameter {
  name?: string
  in?: string
  required?: boolean
  $ref?: string
}
interface RawOperation {
  parameters?: RawParameter[]
  requestBody?: { required?: boolean; $ref?: string }
}
type RawPath = Record<string, RawOperation | RawParameter[]>

/** What the document has, read without the product: method, path, and parameters with their places. */
function rawOperations(text: string): string[] {
  const { paths } = JSON.parse(text) as { paths: Record<string, RawPath> }
  return Object.entries(paths)
    .filter(([path]) => !path.includes('#'))
    .flatMap(([path, operations]) =>
      Object.entries(operations).flatMap(([method, operation]) => {
        if (Array.isArray(operation)) return []
        const shared = operations['parameters']
        const own = [...(Array.isArray(shared) ? shared : []), ...(operation.parameters ?? [])]
        const named = own.map(
          ({ name, in: place, required }) =>
            `${place === 'formData' ? 'form' : place}:${name}:${required === true}`,
        )
        const { requestBody: body } = operation
        const requested = body?.$ref ? resolve(text, body.$ref) : body
        if (requested) named.push(`body:body:${requested.required === true}`)
        return `${method} ${path} ${named.toSorted().join(' ')}`
      }),
    )
}

function resolve(text: string, pointer: string): { required?: boolean } {
  let part = JSON.parse(text) as Record<string, never>
  for (const key of pointer.slice(2).split('/')) part = part[key]!
  return part
}

const toLine = ({ method, path, parameters }: ImportedDocument['operations'][number]) => {
  const named = parameters.map((each) => `${each.in}:${each.name}:${each.is_required}`)
  return `${method} ${path} ${named.toSorted().join(' ')}`
}

describe('documents of others come without a wrong method, path or parameter', () => {
  it.each(['parameters-style', 'petstore', 'petstore-swagger2', 'security', 'uspto'])(
    '%s, as JSON and as YAML',
    (name) => {
      const text = fixture(name)
      const expected = rawOperations(text).toSorted()
      expect(expected.length).toBeGreaterThan(2)
      expect(read(text).operations.map(toLine).toSorted()).toEqual(expected)
      const yaml = stringify(JSON.parse(text) as unknown, { aliasDuplicateObjects: false })
      expect(read(yaml).operations.map(toLine).toSorted()).toEqual(expected)
    },
  )

  it('says what it left out, and where', () => {
    const { notes } = read(fixture('parameters-style'))
    expect(notes.map(noteInWords)).toEqual([
      'Line 87, column 7 (/paths/~1cookies#formNonExploded/get): GET /cookies#formNonExploded is not imported. The path may not contain a query or a fragment.',
      'Line 143, column 7 (/paths/~1cookies#formExploded/get): GET /cookies#formExploded is not imported. The path may not contain a query or a fragment.',
    ])
  })

  it('names the servers, with the defaults of their variables', () => {
    expect(read(fixture('uspto')).servers.map(({ url }) => url)).toEqual([
      'https://developer.uspto.gov/ds-api',
    ])
    expect(read(fixture('petstore-swagger2')).servers.map(({ url }) => url)).toEqual([
      'http://petstore.swagger.io/v2',
    ])
  })
})

const minimal = (paths: unknown, more = {}) => ({
  openapi: '3.1.0',
  info: { title: 'Orders' },
  servers: [{ url: 'https://erp.example.com/v1/' }],
  paths,
  ...more,
})

describe('an operation', () => {
  it('takes its parameters from the path, and its own win', () => {
    const { operations } = read(
      JSON.stringify(
        minimal(
          {
            '/orders/{id}': {
              parameters: [
                { $ref: '#/components/parameters/Id' },
                { name: 'page', in: 'query', schema: { type: 'integer', format: 'int32' } },
              ],
              get: { parameters: [{ name: 'page', in: 'query', required: true }] },
            },
          },
          { components: { parameters: { Id: { name: 'id', in: 'path', required: true } } } },
        ),
      ),
    )
    expect(operations[0]).toMatchObject({
      summery: 'GET /orders/{id}',
      parameters: [
        { name: 'id', in: 'path', is_required: true },
        { name: 'page', in: 'query', is_required: true, type: '' },
      ],
    })
  })

  it('has the servers of its path instead of the document’s', () => {
    const { servers, operations } = read(
      JSON.stringify(
        minimal({
          '/a': { get: {} },
          '/b': { servers: [{ url: 'https://other.example.com' }], get: {} },
          '/c': { get: { servers: [{ url: '/relative' }] } },
        }),
      ),
    )
    expect(operations.map((each) => each.servers)).toEqual([
      ['https://erp.example.com/v1'],
      ['https://other.example.com'],
      ['/relative'],
    ])
    expect(servers.map(({ url }) => url)).toEqual([
      'https://erp.example.com/v1',
      'https://other.example.com',
      '',
    ])
  })

  it('with a parameter that is no whole segment is left out; other names are made fit', () => {
    const document = minimal({
      '/files/{name}.pdf': { get: {} },
      '/orders/{order-id}': {
        get: { parameters: [{ name: 'order-id', in: 'path', required: true }] },
        trace: {},
      },
    })
    const { operations, notes } = read(JSON.stringify(document))
    expect(operations.map(toLine)).toEqual(['get /orders/{order_id} path:order_id:true'])
    expect(notes.map(({ pointer, message }) => `${pointer} ${message}`)).toEqual([
      '/paths/~1files~1{name}.pdf/get GET /files/{name}.pdf is not imported. A parameter must be a whole segment in braces, like /orders/{id}.',
      '/paths/~1orders~1{order-id} The parameter {order-id} is called {order_id} here.',
      '/paths/~1orders~1{order-id}/trace TRACE /orders/{order-id} is not imported. An endpoint can’t have this method.',
    ])
  })

  it('survives references in circles, in parameters and in schemas', () => {
    const { operations, notes } = read(
      JSON.stringify(
        minimal(
          {
            '/loop': {
              get: {
                parameters: [
                  { $ref: '#/components/parameters/A' },
                  { name: 'tree', in: 'query', schema: { $ref: '#/components/schemas/Tree' } },
                ],
              },
            },
          },
          {
            components: {
              parameters: {
                A: { $ref: '#/components/parameters/B' },
                B: { $ref: '#/components/parameters/A' },
              },
              schemas: {
                Tree: { type: 'array', items: { $ref: '#/components/schemas/Tree' } },
              },
            },
          },
        ),
      ),
    )
    expect(operations[0]?.parameters.map(({ type }) => type)).toEqual([
      'array of array of array of array',
    ])
    expect(notes[0]?.message).toContain('leads in a circle')
  })
})

describe('is refused with the place', () => {
  it.each<[string, unknown, string]>([
    ['JSON that is cut off', '{"openapi": "3.1.0",\n  "paths": {', 'Line 2'],
    ['YAML with a key twice', 'openapi: 3.1.0\npaths: {}\npaths: {}\n', 'Line 3, column 1'],
    ['another version', { openapi: '4.0.0', paths: {} }, 'Line 2, column 2 (/openapi)'],
    ['something else', { hello: 1 }, 'no OpenAPI'],
    ['a document without operations', minimal({}), '(/paths): The document has no operation'],
    ['a list', '[1]', 'no OpenAPI'],
    [
      'a reference to another document',
      minimal({ '/a': { get: { parameters: [{ $ref: 'http://169.254.169.254/x.yaml#/A' }] } } }),
      '(/paths/~1a/get/parameters/0/$ref): The reference http://169.254.169.254/x.yaml#/A leads to another document',
    ],
    [
      'an old Postman collection',
      { info: { schema: 'https://schema.getpostman.com/json/collection/v2.0.0/collection.json' } },
      'as v2.1',
    ],
    ['what is nested too deep', '['.repeat(60_000), 'nested too deep'],
  ])('%s', (_, given, words) => {
    expect(problemsOf(given).join('\n')).toContain(words)
  })

  it('a bomb of aliases', () => {
    const levels = 'abcdefgh'.split('')
    const bomb = levels.map((name, at) => {
      const before = levels[at - 1]
      const items = Array.from({ length: 9 }, () => (before ? `*${before}` : 'lol'))
      return `${name}: &${name} [${items.join(', ')}]`
    })
    expect(problemsOf(bomb.join('\n')).join()).toContain('alias')
  })
})

describe('a Postman collection', () => {
  const collection = {
    info: {
      name: 'ERP',
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    variable: [{ key: 'host', value: 'https://erp.example.com/v1' }],
    auth: { type: 'bearer', bearer: [{ key: 'token', value: 'secret' }] },
    item: [
      {
        name: 'Orders',
        item: [
          {
            name: 'One order',
            request: {
              method: 'GET',
              description: 'By its number.',
              header: [{ key: 'Accept-Language', value: 'ar' }],
              url: {
                raw: '{{host}}/orders/:id?expand=lines',
                query: [
                  { key: 'expand', value: 'lines' },
                  { key: 'page', value: '1', disabled: true },
                ],
                variable: [{ key: 'id', value: '7' }],
              },
            },
          },
          {
            name: 'New order',
            request: {
              method: 'POST',
              url: 'https://erp.example.com/v1/orders',
              body: { mode: 'raw', raw: '{}', options: { raw: { language: 'json' } } },
            },
          },
        ],
      },
      { name: 'Ping', request: { method: 'GET', url: { raw: '{{unset}}/ping' } } },
      { name: 'Options', request: { method: 'OPTIONS', url: 'https://erp.example.com/v1' } },
    ],
  }

  it('becomes servers and operations', () => {
    const { format, title, servers, operations, notes } = read(JSON.stringify(collection))
    expect({ format, title }).toEqual({ format: 'postman', title: 'ERP' })
    expect(servers).toEqual([
      { key: 'https://erp.example.com', url: 'https://erp.example.com', description: '' },
      { key: '{{unset}}', url: '', description: '' },
    ])
    expect(operations.map(toLine)).toEqual([
      'get /v1/orders/{id} header:Accept-Language:true path:id:true query:expand:true query:page:false',
      'post /v1/orders body:body:true',
      'get /ping ',
    ])
    expect(operations[0]).toMatchObject({ summery: 'One order', description: 'By its number.' })
    expect(notes.map(({ pointer, message }) => `${pointer} ${message}`)).toEqual([
      '/item/2 Options is not imported. An endpoint can’t have this method.',
      '/auth How callers sign in is not imported: set it in the API.',
    ])
  })

  it('never takes a secret along', () => {
    expect(JSON.stringify(read(JSON.stringify(collection)))).not.toContain('secret')
  })
})
