import { describe, expect, it } from 'vitest'
import { compileCheck } from './compile-check.ts'
import type { Places } from './places.ts'

function placesOf(schema: object, value: unknown, isText = false): Places {
  const check = compileCheck(schema, { isText })
  const places: Places = {}
  if (!check.fits(value)) check.addPlaces(places, value, '/body')
  return places
}

describe('places', () => {
  const schema = {
    type: 'object',
    required: ['id', 'a/b'],
    additionalProperties: false,
    properties: {
      id: { type: 'string', pattern: '^[A-Z]{2}\\d{1,3}$' },
      'a/b': { type: 'integer' },
      lines: { type: 'array', items: { $ref: '#/$defs/line' }, uniqueItems: true },
    },
    $defs: { line: { type: 'object', required: ['qty'], properties: { qty: { minimum: 1 } } } },
  }

  it('names all that does not fit by JSON pointer, with ~ and / escaped', () => {
    expect(placesOf(schema, { id: 'x', lines: [{ qty: 0 }, {}], 'x~y': 1 })).toEqual({
      '/body/id': ['This must match pattern "^[A-Z]{2}\\d{1,3}$".'],
      '/body/a~1b': ['This is missing.'],
      '/body/lines/0/qty': ['This must be >= 1.'],
      '/body/lines/1/qty': ['This is missing.'],
      '/body/x~0y': ['There is no such field here.'],
    })
    expect(placesOf(schema, { id: 'AB1', 'a/b': 1, lines: [{ qty: 1 }, { qty: 2 }] })).toEqual({})
    expect(placesOf(schema, [])).toEqual({ '/body': ['This must be object.'] })
  })

  it('compares elements by value', () => {
    const unique = { type: 'array', uniqueItems: true }
    expect(
      placesOf(unique, [
        { a: 1, b: [2] },
        { b: [2], a: 1 },
      ]),
    ).not.toEqual({})
    expect(placesOf(unique, [1, '1', null, 'null', [1], { 0: 1 }])).toEqual({})
  })

  it('does not take what every object inherits for a field', () => {
    expect(placesOf({ required: ['constructor', 'toString'] }, {})).toEqual({
      '/body/constructor': ['This is missing.'],
      '/body/toString': ['This is missing.'],
    })
  })

  it('reads texts as the types that are asked for', () => {
    const query = {
      properties: {
        page: { type: 'integer', minimum: 1 },
        tags: { type: 'array', items: { type: 'string' } },
      },
    }
    expect(placesOf(query, { page: '2', tags: 'a' }, true)).toEqual({})
    expect(placesOf(query, { page: '2.5' }, true)).toEqual({
      '/body/page': ['This must be integer.'],
    })
  })
})

describe('a hostile schema', () => {
  it.each<[string, object, string]>([
    ['of another document', { $ref: 'https://example.com/a.json' }, '$ref may only point into'],
    ['with a file', { items: { $ref: 'file:///etc/passwd' } }, '$ref may only point into'],
    ['with a dynamic reference to nowhere', { $dynamicRef: '#a' }, "can't be resolved"],
    ['with a back reference', { pattern: '(a)\\1' }, "can't be used"],
    ['with a look-ahead', { pattern: '^(?=a)' }, "can't be used"],
    ['with a long pattern', { pattern: 'a'.repeat(1001) }, 'longer than 1000'],
    ['that leads nowhere', { $ref: '#/$defs/none' }, 'resolve'],
    [
      'of many parts',
      { properties: Object.fromEntries(Array.from({ length: 5_001 }, (_, at) => [at, {}])) },
      'more than 5000 parts',
    ],
    ['of many levels', nested(40), 'levels deep'],
    [
      'of many patterns',
      { allOf: Array.from({ length: 201 }, () => ({ pattern: 'a' })) },
      'at most 200 patterns',
    ],
  ])('%s is refused', (_name, schema, message) => {
    expect(() => compileCheck(schema)).toThrow(message)
  })

  function nested(levels: number): object {
    return levels === 0 ? {} : { items: nested(levels - 1) }
  }
})

describe('hostile schemas and values take bounded work', () => {
  const tooMuch = { '/body': ['This is too much to check.'] }

  it.each<[string, object, unknown]>([
    [
      'a schema that doubles with each level',
      {
        $ref: '#/$defs/a',
        $defs: {
          a: {
            anyOf: [
              { allOf: [{ properties: { a: { $ref: '#/$defs/a' } } }, { required: ['b'] }] },
              { allOf: [{ properties: { a: { $ref: '#/$defs/a' } } }, { required: ['c'] }] },
            ],
          },
        },
      },
      levelsOf(31),
    ],
    ['a schema that is itself', { allOf: [{ $ref: '#' }] }, {}],
    [
      'a pattern of many states over a long text',
      { pattern: '(a|aa|aaa|aaaa){500}b' },
      'a'.repeat(100_000),
    ],
    [
      'many patterns over a long text',
      { allOf: Array.from({ length: 100 }, (_, at) => ({ pattern: `^(a+)+${'a'.repeat(at)}$` })) },
      'a'.repeat(60_000),
    ],
    [
      'many measures of a long text',
      { allOf: Array.from({ length: 1_000 }, (_, at) => ({ minLength: at })) },
      'a'.repeat(500_000),
    ],
    [
      'lists compared again and again',
      { allOf: Array.from({ length: 100 }, () => ({ uniqueItems: true })) },
      Array.from({ length: 50_000 }, (_, at) => at),
    ],
    [
      'a long choice for many values',
      { items: { enum: Array.from({ length: 4_000 }, (_, at) => `value ${at}`) } },
      Array.from({ length: 50_000 }, () => 'value 3999'),
    ],
  ])('%s', (_name, schema, value) => {
    expect(placesOf(schema, value)).toEqual(tooMuch)
  })

  it('a value with more faults than are counted names the first', () => {
    const list = Array.from({ length: 200_000 }, () => 1)
    expect(placesOf({ items: { type: 'string' } }, list)).toEqual({
      '/body/0': ['This must be string.'],
    })
    const few = placesOf({ items: { type: 'string' } }, list.slice(0, 1_000))
    expect(Object.keys(few)).toHaveLength(100)
  })

  function levelsOf(levels: number): object {
    return levels === 0 ? {} : { a: levelsOf(levels - 1) }
  }
})
