import fc from 'fast-check'
import { parse, stringify } from 'lossless-json'
import { expect, it } from 'vitest'
import { stringifyExact } from './exact-json.ts'
import { ExactReader } from './exact-reader.ts'
import { jsonSize } from './json-bounds.ts'
import { utf8Length } from './json-text.ts'

const piece = fc.constantFrom(
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '"a"',
  '"b"',
  '"é"',
  '"\\u0061\\n"',
  '"\\x"',
  '"\ud800"',
  '"',
  '\\',
  '"\t"',
  ' ',
  '\n',
  '\f',
  '\u00a0',
  '\0',
  'true',
  'false',
  'null',
  'nul',
  '0',
  '-0',
  '01',
  '-',
  '+1',
  '1.',
  '.5',
  '-1.50',
  '1e5',
  '1E+05',
  '1e',
  '1e+',
  '1.e5',
  '12',
)
const text = fc.oneof(
  fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
  fc.array(piece, { maxLength: 5 }).map((pieces) => `[${pieces.join()}]`),
  fc.array(piece, { maxLength: 5 }).map((pieces) => `{"k":${pieces.join(',"l":')}}`),
  fc.json(),
)

function isJson(written: string): boolean {
  try {
    JSON.parse(written)
    return true
  } catch {
    return false
  }
}

it('reads what JSON.parse reads, and nothing else', () => {
  fc.assert(
    fc.property(text, (written) => {
      expect(new ExactReader(written).read() !== undefined).toBe(isJson(written))
    }),
    { numRuns: 3_000 },
  )
})

it('reads numbers as they are written', () => {
  for (const written of ['0', '-0', '10.50', '1e5', '1E+05', '-1.5e-03', '12345678901234567890.1'])
    expect(stringify(new ExactReader(` ${written} `).read())).toBe(written)
})

it('measures a value as long as it is written', () => {
  fc.assert(
    fc.property(fc.json({ stringUnit: 'binary' }), (written) => {
      const value = new ExactReader(written).read() ?? null
      const size = utf8Length(stringifyExact(value), Infinity)
      expect(jsonSize(value, Infinity)).toBe(size)
      expect(jsonSize(value, size - 1)).toBeGreaterThan(size - 1)
      expect(stringify(value)).toBe(stringify(parse(written)))
    }),
    { numRuns: 500 },
  )
})
