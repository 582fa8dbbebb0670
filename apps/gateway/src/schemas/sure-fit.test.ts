import { compileCheck } from '@gatehouse/contract/json-schema'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isSureFit, readJson, reading } from './read-json.ts'

/** What is told by reading the bytes, and what is told without. */
function told(schema: object, written: string | Buffer) {
  const check = compileCheck(schema, { reading })
  const bytes = Buffer.from(written as string)
  const read = readJson(bytes)
  return { fits: read.ok && check.fits(read.value), sure: isSureFit(check, bytes) }
}

const order = {
  type: 'object',
  required: ['number', 'lines'],
  properties: {
    number: { type: 'string', pattern: '^INV-[0-9]+$', maxLength: 12 },
    day: { type: 'string', format: 'date' },
    total: { type: 'number', minimum: 0, exclusiveMaximum: 1000 },
    paid: { type: ['boolean', 'null'] },
    lines: { type: 'array', minItems: 1, items: { $ref: '#/$defs/line' } },
  },
  $defs: {
    line: {
      type: 'object',
      required: ['qty', 'text'],
      additionalProperties: false,
      properties: {
        qty: { type: 'integer' },
        tax: { enum: ['A', 'ب', null] },
        text: { type: 'string', minLength: 2 },
        parts: { type: 'array', items: { $ref: '#/$defs/line' } },
      },
    },
  },
}

describe('what is sure to fit', () => {
  it.each([
    '{"number":"INV-1","lines":[{"qty":1,"text":"ab"}]}',
    ' { "lines" : [ { "text" : "😀é" , "qty" : -0 } ] ,\r\n\t"number":"INV-1" } ',
    '{"number":"INV-1","day":"2026-02-28","total":12.50,"paid":null,"lines":[{"qty":1,"tax":"ب","text":"xy"}]}',
    '{"number":"INV-1","lines":[{"qty":1,"text":"ab","tax":null,"parts":[{"qty":2,"text":"cd","parts":[]}]}]}',
    '{"number":"INV-1","lines":[{"qty":1,"text":"ab"}],"more":{"a":"\\u00e9\\n\\ud800","b":[1,2.5,true,{}]}}',
    '{"number":"INV-1","lines":[{"qty":123456789012345678901234567890,"text":"ab"}],"__proto__":{"x":1},"toString":1}',
  ])('%s', (written) => {
    expect(told(order, written)).toEqual({ fits: true, sure: true })
  })

  it('at 32 levels, and not at 33', () => {
    const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
    expect(told({}, nested(32))).toEqual({ fits: true, sure: true })
    expect(told({}, nested(33))).toEqual({ fits: false, sure: false })
  })

  it('an object of 64 keys; one of more is read', () => {
    const keys = (count: number) =>
      `{${Array.from({ length: count }, (_, at) => `"k${at}":${at}`).join()}}`
    const properties = Object.fromEntries(Array.from({ length: 80 }, (_, at) => [`k${at}`, {}]))
    for (const schema of [{}, { properties }]) {
      expect(told(schema, keys(64))).toEqual({ fits: true, sure: true })
      expect(told(schema, keys(65))).toEqual({ fits: true, sure: false })
      // The keys of an object inside do not disturb those around it.
      expect(told(schema, `{"a":${keys(64)},"b":1,"a":2}`).sure).toBe(false)
    }
  })
})

describe('what is read before it is judged', () => {
  const line = '{"qty":1,"text":"ab"}'
  it.each([
    ['a key twice', `{"number":"INV-1","number":"INV-2","lines":[${line}]}`],
    ['a key twice further on', `{"number":"INV-1","lines":[${line}],"a":1,"number":"x"}`],
    ['another key twice', `{"a":1,"number":"INV-1","lines":[${line}],"a":2}`],
    ['a key twice, once escaped', `{"number":"INV-1","lines":[${line}],"\\u0061":1,"a":2}`],
    ['a key twice inside', `{"number":"INV-1","lines":[{"qty":1,"text":"ab","qty":2}]}`],
    [
      'a key twice where nothing is asked',
      `{"number":"INV-1","lines":[${line}],"a":[{"b":1,"b":1}]}`,
    ],
    ['__proto__ twice', `{"number":"INV-1","lines":[${line}],"__proto__":1,"__proto__":2}`],
    ['a byte order mark', `\ufeff{"number":"INV-1","lines":[${line}]}`],
    [
      'bytes that are no UTF-8',
      Buffer.from(`{"number":"INV-1","lines":[${line}],"a":"\xff"}`, 'latin1'),
    ],
    ['half a character', Buffer.from(`{"number":"INV-1","lines":[${line}],"a":"\xc3"}`, 'latin1')],
    [
      'a surrogate in UTF-8',
      Buffer.from(`{"number":"INV-1","lines":[${line}],"a":"\xed\xa0\x80"}`, 'latin1'),
    ],
    ['a control character', `{"number":"INV-1","lines":[${line}],"a":"\t"}`],
    ['an unknown escape', `{"number":"INV-1","lines":[${line}],"a":"\\x"}`],
    ['half an escape', `{"number":"INV-1","lines":[${line}],"a":"\\u12"}`],
    ['a comma too many', `{"number":"INV-1","lines":[${line},]}`],
    ['a comma at the end', `{"number":"INV-1","lines":[${line}],}`],
    ['no comma', `{"number":"INV-1" "lines":[${line}]}`],
    ['no colon', `{"number" "INV-1","lines":[${line}]}`],
    ['a leading zero', `{"number":"INV-1","total":01,"lines":[${line}]}`],
    ['a plus', `{"number":"INV-1","total":+1,"lines":[${line}]}`],
    ['a bare point', `{"number":"INV-1","total":1.,"lines":[${line}]}`],
    ['no digit', `{"number":"INV-1","total":-,"lines":[${line}]}`],
    ['NaN', `{"number":"INV-1","total":NaN,"lines":[${line}]}`],
    ['a word cut short', `{"number":"INV-1","paid":nul,"lines":[${line}]}`],
    ['a word too long', `{"number":"INV-1","paid":nulls,"lines":[${line}]}`],
    ['more behind it', `{"number":"INV-1","lines":[${line}]}{}`],
    ['a zero byte behind it', `{"number":"INV-1","lines":[${line}]}\0`],
    ['nothing', ''],
    ['a space alone', ' '],
    ['a comment', `{"number":"INV-1",/**/"lines":[${line}]}`],
    ['another space', `{"number":"INV-1",\u00a0"lines":[${line}]}`],
    ['a missing field', `{"number":"INV-1"}`],
    ['a field too many', `{"number":"INV-1","lines":[{"qty":1,"text":"ab","x":1}]}`],
    [
      'a field too many, inherited',
      `{"number":"INV-1","lines":[{"qty":1,"text":"ab","constructor":1}]}`,
    ],
    ['a fraction', `{"number":"INV-1","lines":[{"qty":1.5,"text":"ab"}]}`],
    ['a number too large', `{"number":"INV-1","total":1000,"lines":[${line}]}`],
    ['a number of no size', `{"number":"INV-1","lines":[{"qty":1${'0'.repeat(400)},"text":"ab"}]}`],
    ['a text too short', `{"number":"INV-1","lines":[{"qty":1,"text":"😀"}]}`],
    ['a text that is not allowed', `{"number":"INV-1","lines":[{"qty":1,"text":"ab","tax":"B"}]}`],
    ['a pattern', `{"number":"INV1","lines":[${line}]}`],
    ['a day that is none', `{"number":"INV-1","day":"2026-02-30","lines":[${line}]}`],
  ])('%s', (_name, written) => {
    expect(told(order, written)).toEqual({ fits: false, sure: false })
  })

  it.each([
    ['an exponent', '{"number":"INV-1","total":1e2,"lines":[{"qty":1,"text":"ab"}]}'],
    ['an integer with a fraction', '{"number":"INV-1","lines":[{"qty":1.0,"text":"ab"}]}'],
    ['a key with a backslash', '{"number":"INV-1","lines":[{"qty":1,"t\\u0065xt":"ab"}]}'],
    ['a measured text with one', '{"number":"INV-1","lines":[{"qty":1,"text":"a\\n"}]}'],
  ])('%s, which fits', (_name, written) => {
    expect(told(order, written)).toEqual({ fits: true, sure: false })
  })

  it.each<[string, object]>([
    ['alternatives', { anyOf: [{ type: 'object' }] }],
    ['conditions', { if: {}, else: {} }],
    ['elements by place', { prefixItems: [{}] }],
    ['elements once', { uniqueItems: true }],
    ['a multiple', { multipleOf: 1 }],
    ['no value', { additionalProperties: { not: {} } }],
    ['numbers by name', { properties: { a: { enum: [1] } } }],
    ['half a pair of surrogates', { required: ['\ud800'] }],
    [
      'references in a circle',
      { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } },
    ],
    ['a reference with more', { $ref: '#/$defs/a', minProperties: 1, $defs: { a: {} } }],
    [
      'a field that ajv passes over',
      JSON.parse('{"properties":{"__proto__":{"type":"null"}}}') as object,
    ],
  ])('every body, of a schema with %s', (_name, schema) => {
    expect(told(schema, '{"x":1}').sure).toBe(false)
  })

  it('what takes too much work', () => {
    const names = Array.from({ length: 40 }, (_, at) => [`k${at}`, {}])
    const schema = { items: { properties: Object.fromEntries(names) as object } }
    const written = `[${Array(300_000).fill('{}').join()}]`
    expect(told(schema, written)).toEqual({ fits: false, sure: false })
  })
})

describe('on random schemas and bytes', () => {
  const name = fc.constantFrom('a', 'b', 'é', '__proto__', 'constructor', '')
  const text = fc.constantFrom(
    '',
    'a',
    'ab',
    'é',
    '😀',
    '2026-01-01',
    'a"b',
    '\\',
    '\u0001',
    '\ud800',
    '\ufffd',
  )
  const amount = fc.constantFrom(-1, 0, 1, 2.5, 10)
  const count = fc.nat({ max: 3 })
  const kind = fc.constantFrom('null', 'boolean', 'integer', 'number', 'string', 'array', 'object')
  const option = { requiredKeys: [] as never[] }
  const { schema } = fc.letrec<{ schema: object }>((tie) => ({
    schema: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      fc.record({ type: fc.oneof(kind, fc.uniqueArray(kind, { minLength: 1 })) }, option),
      fc.constantFrom({ $ref: '#' }, { $ref: '#/$defs/other' }, { $ref: '#/$defs/line' }),
      fc.record(
        { minimum: amount, maximum: amount, exclusiveMinimum: amount, exclusiveMaximum: amount },
        option,
      ),
      fc.record(
        {
          enum: fc.uniqueArray(fc.option(text), { minLength: 1 }),
          minLength: count,
          maxLength: count,
          pattern: fc.constantFrom('^a', '^[a-z]$', 'é'),
          format: fc.constantFrom('date', 'uri', 'int32'),
        },
        option,
      ),
      fc.record({ items: tie('schema'), minItems: count, maxItems: count }, option),
      fc.record(
        {
          properties: fc.dictionary(name, tie('schema')),
          required: fc.uniqueArray(name),
          additionalProperties: fc.oneof(fc.boolean(), tie('schema')),
          minProperties: count,
          maxProperties: count,
        },
        option,
      ),
    ),
  }))
  const root = fc
    .tuple(schema, schema, schema)
    .map(([first, line, other]) => ({ ...first, $defs: { line, other } }))

  const space = fc.constantFrom('', '', '', ' ', '\n\t', '\r')
  const letters = (plain: string) =>
    fc
      .array(fc.nat({ max: 9 }), { minLength: 12, maxLength: 12 })
      .map((dice) =>
        Array.from(JSON.stringify(plain).slice(1, -1))
          .map((letter, at) =>
            dice[at] === 0 && letter.length === 1 && /[a-zé]/.test(letter) && !plain.includes('"')
              ? escaped(letter)
              : letter,
          )
          .join(''),
      )
      .map((inside) => `"${inside}"`)
  const escaped = (letter: string) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`
  const number = fc.oneof(
    fc.constantFrom(
      '0',
      '-0',
      '1',
      '2.5',
      '10',
      '1.0',
      '1e2',
      '01',
      '0.1000000000000000001',
      '99999999999999999999',
      '1e999',
      '-',
      '.5',
    ),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
    fc.integer().map(String),
  )
  const spaced = (inside: fc.Arbitrary<string>) =>
    fc.tuple(space, inside, space).map((parts) => parts.join(''))
  const { written } = fc.letrec<{ written: string }>((tie) => ({
    written: spaced(
      fc.oneof(
        { maxDepth: 4, depthSize: 'small' },
        fc.constantFrom('null', 'true', 'false'),
        number,
        text.chain(letters),
        fc.array(tie('written'), { maxLength: 4 }).map((items) => `[${items.join()}]`),
        fc
          .array(fc.tuple(spaced(name.chain(letters)), tie('written')), { maxLength: 4 })
          .map((fields) => `{${fields.map((field) => field.join(':')).join()}}`),
      ),
    ),
  }))
  const bytes = fc.oneof(
    { weight: 3, arbitrary: written.map((each) => Buffer.from(each)) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(
          written,
          fc.nat(),
          fc.oneof(fc.constantFrom(...Buffer.from('"\\{}[],:01e.-n \t')), fc.nat({ max: 255 })),
        )
        .map(([each, at, byte]) => {
          const changed = Buffer.from(each)
          if (changed.length > 0) changed[at % changed.length] = byte
          return changed
        }),
    },
  )

  it('what is sure to fit is read, and fits', () => {
    const seen = { sure: 0, read: 0 }
    fc.assert(
      fc.property(root, fc.array(bytes, { minLength: 10, maxLength: 10 }), (given, bodies) => {
        const check = compileCheck(given, { reading })
        for (const body of bodies) {
          const isSure = isSureFit(check, body)
          const read = readJson(body)
          const fits = read.ok && check.fits(read.value)
          if (fits) seen.read++
          if (isSure) seen.sure++
          expect(isSure && !fits).toBe(false)
        }
      }),
      { numRuns: 300 },
    )
    // The search is of no use where nothing is sure.
    expect(seen.sure).toBeGreaterThan(150)
    expect(seen.sure).toBeLessThanOrEqual(seen.read)
  })
})
