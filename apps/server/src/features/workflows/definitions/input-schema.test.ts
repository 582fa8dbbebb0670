import { describe, expect, it } from 'vitest'
import { compileSchema, placesOf } from './input-schema.ts'
import { inputProblems, refuseUnfit, schemaProblem } from './input-schemas.ts'

const places = (schema: object, input: unknown) => {
  const compiled = compileSchema(JSON.stringify(schema))
  if (!compiled.ok) throw new Error(compiled.message)
  return placesOf(compiled.validate, input)
}
const refusal = (schema: unknown) => {
  const compiled = compileSchema(typeof schema === 'string' ? schema : JSON.stringify(schema))
  return compiled.ok ? undefined : compiled.message
}

const invoice = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  required: ['id', 'lines'],
  additionalProperties: false,
  properties: {
    id: { type: 'string', pattern: '^INV-\\d+$' },
    day: { type: 'string', format: 'date' },
    kind: { enum: ['b2b', 'b2c'] },
    'a/b~c': { type: 'object', required: ['x/y'] },
    lines: { type: 'array', minItems: 1, items: { $ref: '#/$defs/line' } },
  },
  $defs: { line: { type: 'object', required: ['qty'], properties: { qty: { type: 'number' } } } },
}

describe('an input that does not fit', () => {
  it('has every place named by JSON pointer, a missing or unknown field by its own', () => {
    const input = {
      id: 'X',
      day: '2026-02-30',
      kind: 'x',
      extra: 1,
      'a/b~c': {},
      lines: [{ qty: '1' }, {}, { qty: 1 }],
    }
    expect(places(invoice, input)).toEqual({
      '/id': [expect.stringContaining('pattern')],
      '/day': ['This must match format "date".'],
      '/kind': ['This must be "b2b", "b2c".'],
      '/extra': ['There is no such field here.'],
      '/a~1b~0c/x~1y': ['This is missing.'],
      '/lines/0/qty': ['This must be number.'],
      '/lines/1/qty': ['This is missing.'],
    })
  })

  it('is named as a whole where the whole does not fit', () => {
    expect(places(invoice, [])).toEqual({ input: ['This must be object.'] })
    expect(places(invoice, { id: 'INV-1', lines: [{ qty: 1 }] })).toBeUndefined()
  })

  it('names a hundred places at most', () => {
    const schema = { type: 'array', items: { type: 'number' } }
    expect(Object.keys(places(schema, Array.from({ length: 500 }, String)) ?? {})).toHaveLength(100)
  })
})

describe('a schema is refused', () => {
  it.each([
    ['that is no object', [], /must be a JSON object/],
    ['with a remote $ref', { $ref: 'https://example.test/schema.json' }, /only point into this/],
    ['with one that leads nowhere', { $ref: '#/$defs/none' }, /can't resolve/],
    ['with a misspelt keyword', { requird: ['a'] }, /unknown keyword/],
    ['with an unknown format', { type: 'string', format: 'iban' }, /unknown format/],
    [
      'with another draft',
      { $schema: 'http://json-schema.org/draft-07/schema#' },
      /no schema with key/,
    ],
    ['that is wrong itself', { type: 'text' }, /can't be used/],
    ['with a look-ahead', { pattern: '^(?=a)' }, /look-arounds/],
    ['with a back reference', { pattern: '(a)\\1' }, /look-arounds/],
    ['with a huge repetition', { pattern: 'a{5000}' }, /repetitions of more than 1000/],
    ['with a bad pattern of names', { patternProperties: { '(': true } }, /can't be used/],
    ['with a long pattern', { pattern: 'a'.repeat(1001) }, /longer than 1000/],
  ])('%s', (_name, schema, message) => expect(refusal(schema)).toMatch(message))

  it('but not for names and values that look like keywords', () => {
    const properties = { $ref: { type: 'string' }, pattern: { type: 'string' } }
    expect(refusal({ properties, enum: [{ $ref: 'https://example.test' }] })).toBeUndefined()
  })
})

it('a pattern that blows up elsewhere is matched in linear time', () => {
  const before = process.threadCpuUsage()
  expect(places({ pattern: '^(a+)+$' }, `${'a'.repeat(50_000)}!`)).toMatchObject({
    input: [expect.stringContaining('pattern')],
  })
  const { user, system } = process.threadCpuUsage(before)
  expect((user + system) / 1000).toBeLessThan(2_000)
})

describe('the thread', () => {
  it('answers for each input, and reads JSON exactly', async () => {
    const schema = JSON.stringify({ type: 'object', required: ['id'] })
    expect(await inputProblems(schema, ['{"id":1}', '{}', '{"id":1,"id":2}', 'x'])).toEqual([
      undefined,
      { '/id': ['This is missing.'] },
      { input: [expect.stringContaining('occurs twice')] },
      { input: [expect.stringContaining('not valid JSON')] },
    ])
    expect(await schemaProblem('{"type":"text"}')).toMatch(/can't be used/)
    await expect(refuseUnfit(schema, '{}')).rejects.toMatchObject({ code: 'request.invalid' })
    await expect(refuseUnfit(null, '[1]')).resolves.toBeUndefined()
    const [large] = await inputProblems(null, [`"${'x'.repeat(1024 * 1024)}"`])
    expect(large).toEqual({ input: ['The input may not be larger than 1 MiB.'] })
  })

  it('ends where a schema takes too long, and serves the next', async () => {
    const node = { anyOf: [{ $ref: '#' }, { $ref: '#' }] }
    const hostile = { anyOf: [{ properties: { a: node } }, { properties: { a: node } }, false] }
    const schema = JSON.stringify({ ...hostile, required: ['none'] })
    const deep = `${'{"a":'.repeat(28)}1${'}'.repeat(28)}`
    const [first, second] = await Promise.all([
      inputProblems(schema, [deep]),
      inputProblems(null, ['1']),
    ])
    expect(first).toEqual([{ input: [expect.stringContaining('longer than 5 seconds')] }])
    expect(second).toEqual([undefined])
    // Five seconds of CPU time are many more by the clock of a busy machine.
  })
})
