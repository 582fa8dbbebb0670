import { describe, expect, it } from 'vitest'
import {
  isExactObject,
  isLosslessNumber,
  JsonProblem,
  ownValue,
  parseExact,
  stringifyExact,
} from './exact-json.ts'
import type { ParseLimits } from './exact-json.ts'

function problemOf(text: string, limits?: ParseLimits): JsonProblem {
  try {
    parseExact(text, limits)
  } catch (error) {
    if (error instanceof JsonProblem) return error
    throw error
  }
  throw new Error('The text was taken.')
}

describe('numbers come out as they went in', () => {
  it.each([
    '12345678901234567890',
    '0.10',
    '1E400',
    '1e-400',
    '-0',
    '-0.0',
    '1.0',
    '9007199254740993',
    '0.1000000000000000055511151231257827',
    '1e+05',
    '9'.repeat(1000),
  ])('%s', (text) => {
    expect(stringifyExact(parseExact(text))).toBe(text)
    expect(stringifyExact(parseExact(`{"a":[${text}]}`))).toBe(`{"a":[${text}]}`)
  })

  it('are told apart from an object that looks like one', () => {
    const fake = parseExact('{"value":"5","isLosslessNumber":true}')
    expect(isLosslessNumber(fake)).toBe(false)
    expect(stringifyExact(fake)).toBe('{"value":"5","isLosslessNumber":true}')
  })
})

describe('text comes out as it went in', () => {
  it.each([
    '"plain"',
    '"quote \\" backslash \\\\ tab \\t"',
    '"größe 漢字 😀"',
    '"\\u0000"',
    '"\\ud800"',
    'true',
    'false',
    'null',
    '[]',
    '{}',
    '[[],{}]',
    '{"":{"a":[]}}',
  ])('%s', (text) => expect(stringifyExact(parseExact(text))).toBe(text))

  it('indented on request', () => {
    expect(stringifyExact(parseExact('{"a":[1.0],"b":{}}'), 2)).toBe(
      '{\n  "a": [\n    1.0\n  ],\n  "b": {}\n}',
    )
  })

  it('without a byte order mark', () => {
    expect(stringifyExact(parseExact('\uFEFF{"a":1}'))).toBe('{"a":1}')
  })
})

describe('objects', () => {
  const text = '{"__proto__":{"polluted":true},"constructor":1,"hasOwnProperty":2}'

  it('have no prototype, at any level', () => {
    const outer = parseExact(`{"a":[${text}]}`)
    const inner = isExactObject(outer) && Array.isArray(outer.a) ? (outer.a[0] ?? null) : null
    const innermost = isExactObject(inner) ? ownValue(inner, '__proto__') : undefined
    expect([outer, inner, innermost].map(Object.getPrototypeOf)).toEqual([null, null, null])
  })

  it('keep a key __proto__ as a plain entry, and nothing is polluted', () => {
    expect(stringifyExact(parseExact(text))).toBe(text)
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
  })

  it('have only own values', () => {
    expect(ownValue({}, 'toString')).toBeUndefined()
    expect(ownValue({ toString: 'own' }, 'toString')).toBe('own')
  })
})

describe('a text that is no JSON is refused with its place', () => {
  it.each([
    ['{\n  "a": 1,\n  "b" 2\n}', 3, 7, "Colon ':' expected"],
    ['{"a": 1,}', 1, 9, 'object key expected'],
    ['[1, 2', 1, 6, 'reached end of input'],
    ['[1,\r\n2,\r\n]', 3, 1, 'Array item expected'],
    ['[1,\r?]', 2, 1, "got '?'"],
    ['01', 1, 2, 'end of input'],
    ['+1', 1, 1, 'JSON value expected'],
    ['.5', 1, 1, 'JSON value expected'],
    ['1.', 1, 3, 'digit'],
    ['NaN', 1, 1, 'JSON value expected'],
    ["{'a':1}", 1, 2, 'key'],
    ['"a\nb"', 1, 3, "'\\n'"],
    ['"\\x"', 1, 2, 'escape'],
    ['{} {}', 1, 4, 'end of input'],
    ['\uFEFF{a', 1, 2, 'key'],
  ])('%j', (text, line, column, says) => {
    const problem = problemOf(text)
    expect(problem).toMatchObject({ reason: 'syntax', line, column })
    expect(problem.message).toContain(says)
    expect(problem.message).toContain(`(line ${line}, column ${column})`)
  })

  it.each(['', ' \n\t', '\uFEFF'])('%j is empty', (text) => {
    expect(problemOf(text)).toMatchObject({
      reason: 'syntax',
      message: 'There is no JSON here: the text is empty.',
    })
  })
})

describe('a key that occurs twice', () => {
  it.each(['{"a":1,"a":2}', '{"a":1,"a":1.0}', '{"a":{"b":1},"a":{}}'])(
    'is refused when the values differ: %s',
    (text) => {
      const problem = problemOf(text)
      expect(problem.reason).toBe('duplicate_key')
      expect(problem.message).toMatch(
        /^The key "a" occurs twice in one object \(line 1, column \d+\)\.$/,
      )
    },
  )

  it('is harmless when the values are the same', () => {
    expect(stringifyExact(parseExact('{"a":[1.0],"b":2,"a":[1.0]}'))).toBe('{"a":[1.0],"b":2}')
  })
})

describe('limits', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

  it('takes 32 levels and refuses 33, naming the place', () => {
    expect(stringifyExact(parseExact(nested(32)))).toBe(nested(32))
    expect(problemOf(`\n${nested(33)}`)).toMatchObject({ reason: 'too_deep', line: 2, column: 33 })
    expect(problemOf('{"a":'.repeat(33)).reason).toBe('too_deep')
  })

  it('refuses a million open brackets before it recurses', () => {
    expect(problemOf('['.repeat(1_000_000)).reason).toBe('too_deep')
  })

  it('does not count brackets inside text', () => {
    const text = `["${'[{'.repeat(50)}","\\"${'['.repeat(50)}"]`
    expect(stringifyExact(parseExact(text))).toBe(text)
  })

  it('takes 5 MiB and refuses one byte more', () => {
    const text = (bytes: number) => `"${'a'.repeat(bytes - 2)}"`
    expect(parseExact(text(5 * 1024 * 1024))).toHaveLength(5 * 1024 * 1024 - 2)
    expect(problemOf(text(5 * 1024 * 1024 + 1))).toMatchObject({
      reason: 'too_large',
      message: 'The JSON is larger than 5 MiB.',
    })
  })

  it('counts bytes, not characters', () => {
    expect(problemOf('"ä"', { maxBytes: 3 }).reason).toBe('too_large')
    expect(parseExact('"ä"', { maxBytes: 4 })).toBe('ä')
    expect(parseExact('"😀漢"', { maxBytes: 9 })).toBe('😀漢')
    expect(problemOf('"😀漢"', { maxBytes: 8 }).reason).toBe('too_large')
  })

  it('takes other limits', () => {
    expect(stringifyExact(parseExact(nested(40), { maxDepth: 40 }))).toBe(nested(40))
    expect(problemOf(nested(2), { maxDepth: 1 }).message).toContain('more than 1 levels')
  })
})
