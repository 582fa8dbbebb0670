import { describe, expect, it } from 'vitest'
import { compileCheck } from '../compile-check.ts'
import type { Places } from '../places.ts'
import { standardCases } from '../testing/standard-cases.ts'

function placesOf(schema: object, value: unknown, isText = false): Places {
  const check = compileCheck(schema, { isText })
  const places: Places = {}
  if (!check.fits(value)) check.addPlaces(places, value, '/body')
  return places
}

describe('the letter of JSON Schema 2020-12', () => {
  it.each(standardCases.map((each) => [each.rule, each] as const))('%s', (_, each) => {
    const check = compileCheck(each.schema)
    expect(each.fits.filter((value) => !check.fits(value))).toEqual([])
    expect(each.not.filter((value) => check.fits(value))).toEqual([])
  })

  // All of them by the check that is slower, too: ajv does most of them otherwise.
  it.each(
    standardCases
      .filter(({ schema }) => typeof schema === 'object')
      .map((each) => [each.rule, each] as const),
  )('keyword by keyword: %s', (_, each) => {
    const check = compileCheck({ ...(each.schema as object), unevaluatedProperties: true })
    expect(each.fits.filter((value) => !check.fits(value))).toEqual([])
    // A schema that closes objects is opened by the keyword that asks for this check.
    if ('unevaluatedProperties' in (each.schema as object)) return
    expect(each.not.filter((value) => check.fits(value))).toEqual([])
  })
})

describe('keyword by keyword', () => {
  const closed = { $id: 'a', unevaluatedProperties: false }

  it('names every place as the other check does', () => {
    const schema = {
      type: 'object',
      required: ['id', 'a/b'],
      properties: {
        id: { type: 'string', pattern: '^[A-Z]{2}$' },
        'a/b': { type: 'integer' },
        lines: { type: 'array', items: { $ref: '#/$defs/line' }, uniqueItems: true },
        kind: { enum: ['x', 'y'] },
      },
      $defs: { line: { type: 'object', required: ['qty'], properties: { qty: { minimum: 1 } } } },
    }
    const value = { id: 'x', lines: [{ qty: 0 }, {}], 'x~y': 1, kind: 'z' }
    expect(placesOf({ ...schema, ...closed }, value)).toEqual({
      '/body/id': ['This must match pattern "^[A-Z]{2}$".'],
      '/body/a~1b': ['This is missing.'],
      '/body/lines/0/qty': ['This must be >= 1.'],
      '/body/lines/1/qty': ['This is missing.'],
      '/body/kind': ['This must be "x", "y".'],
    })
    expect(placesOf({ properties: { a: true }, ...closed }, { a: 1, 'x~y': 1 })).toEqual({
      '/body/x~0y': ['There is no such field here.'],
    })
  })

  it('reads texts as the types that are asked for', () => {
    const query = {
      properties: {
        page: { type: 'integer', minimum: 1 },
        tags: { type: 'array', items: { type: 'number' } },
        all: { type: 'boolean' },
      },
      ...closed,
    }
    const value = { page: '2', tags: '1.5', all: 'true' }
    expect(placesOf(query, value, true)).toEqual({})
    expect(value).toEqual({ page: 2, tags: [1.5], all: true })
    expect(placesOf(query, { page: '2.5', all: 'yes' }, true)).toEqual({
      '/body/page': ['This must be integer.'],
      '/body/all': ['This must be boolean.'],
    })
  })

  it.each<[string, object, string]>([
    ['another document', { $ref: 'other.json' }, '$ref may only point into'],
    [
      'a document of the network',
      { $dynamicRef: 'https://example.com/a#b' },
      '$ref may only point into',
    ],
    ['no anchor', { $ref: '#nowhere' }, "can't be resolved"],
    ['no place', { $id: 'a', $ref: '#/$defs/x' }, "can't be resolved"],
    ['what is no schema', { $id: 'a', $ref: '#/title', title: 'x' }, "can't be resolved"],
    [
      'two schemas of one $id',
      { $defs: { a: { $id: 'x' }, b: { $id: 'x' } } },
      'Two schemas have the $id',
    ],
    [
      'two schemas of one anchor',
      { $defs: { a: { $anchor: 'x' }, b: { $anchor: 'x' } } },
      'Two schemas have the anchor',
    ],
    ['an $id with a fragment', { $defs: { a: { $id: 'x#y' } } }, 'fragment'],
    ['no schema', { $id: 'a', type: 'text' }, 'schema is invalid'],
  ])('refuses %s', (_, schema, message) => {
    expect(() => compileCheck(schema)).toThrow(message)
  })

  it.each<[string, object, unknown]>([
    ['a schema that is itself', { $id: 'a', $ref: '#' }, 1],
    ['a dynamic one', { $dynamicAnchor: 'a', allOf: [{ $dynamicRef: '#a' }] }, 1],
    [
      'a schema that doubles with each level, outside of all keywords',
      {
        $ref: '#/odd',
        odd: {
          anyOf: [
            { properties: { a: { $ref: '#/odd' } }, required: ['b'] },
            { properties: { a: { $ref: '#/odd' } }, required: ['c'] },
          ],
        },
      },
      Array.from({ length: 31 }).reduce((inner) => ({ a: inner }), {}),
    ],
    [
      'a long list',
      { $id: 'a', uniqueItems: true },
      Array.from({ length: 2_000_000 }, (_, at) => at),
    ],
  ])('bounds the work of %s', (_, schema, value) => {
    expect(placesOf(schema, value)).toEqual({ '/body': ['This is too much to check.'] })
  })
})
