import { describe, expect, it } from 'vitest'
import { mappingTypes, parseType } from './convert-value.ts'
import { parseExact } from './exact/exact-json.ts'
import { mapData } from './map-data.ts'
import { checkMappings } from './mapping-cases.ts'

// spec: mapping-types.

/** A value in the data, a type, and the text it becomes or a part of the refusal. */
const conversions: [value: string, type: string, outcome: { is: string } | { not: string }][] = [
  ['12345678901234567890', 'auto', { is: '12345678901234567890' }],
  ['0.10', 'auto', { is: '0.10' }],
  ['1E400', 'auto', { is: '1E400' }],
  ['-0', 'auto', { is: '-0' }],
  ['1.0', '', { is: '1.0' }],
  ['"t"', 'auto', { is: '"t"' }],
  ['null', 'auto', { is: 'null' }],
  ['[0.10]', 'auto', { is: '[0.10]' }],

  ['"t"', 'string', { is: '"t"' }],
  ['""', 'string', { is: '""' }],
  ['12345678901234567890', 'string', { is: '"12345678901234567890"' }],
  ['0.10', 'string', { is: '"0.10"' }],
  ['1E400', 'string', { is: '"1E400"' }],
  ['true', 'string', { is: '"true"' }],
  ['null', 'string', { not: 'null is not text. Use the type auto to pass null on.' }],
  ['null', 'string?', { not: 'null is not text' }],
  ['[1,2]', 'string', { not: 'a list of 2 elements is not text' }],
  ['{"a":1}', 'string', { not: 'an object with 1 key is not text' }],

  ['12345678901234567890', 'number', { is: '12345678901234567890' }],
  ['0.10', 'number', { is: '0.10' }],
  ['1E400', 'number', { is: '1E400' }],
  ['"12345678901234567890"', 'number', { is: '12345678901234567890' }],
  ['"0.10"', 'number', { is: '0.10' }],
  ['"1E400"', 'number', { is: '1E400' }],
  ['"-1.5e-3"', 'number', { is: '-1.5e-3' }],
  ['""', 'number', { not: '"" (text) is not a number' }],
  ['"abc"', 'number', { not: '"abc" (text) is not a number' }],
  ['" 5"', 'number', { not: 'is not a number' }],
  ['"5\\n"', 'number', { not: 'is not a number' }],
  ['"+5"', 'number', { not: 'is not a number' }],
  ['".5"', 'number', { not: 'is not a number' }],
  ['"5."', 'number', { not: 'is not a number' }],
  ['"007"', 'number', { not: 'is not a number' }],
  ['"1,5"', 'number', { not: 'is not a number' }],
  ['"0x10"', 'number', { not: 'is not a number' }],
  ['"NaN"', 'number', { not: 'is not a number' }],
  ['"Infinity"', 'number', { not: 'is not a number' }],
  ['true', 'number', { not: 'true is not a number' }],
  ['null', 'number', { not: 'null is not a number' }],
  ['[5]', 'number', { not: 'a list of 1 element is not a number' }],

  ['5', 'integer', { is: '5' }],
  ['-12345678901234567890', 'integer', { is: '-12345678901234567890' }],
  ['"12345678901234567890"', 'integer', { is: '12345678901234567890' }],
  ['"0"', 'integer', { is: '0' }],
  ['1.5', 'integer', { not: '1.5 is not a whole number' }],
  ['1.0', 'integer', { not: 'is not a whole number in plain digits' }],
  ['1e3', 'integer', { not: 'is not a whole number in plain digits' }],
  ['"1.5"', 'integer', { not: '"1.5" (text) is not a whole number' }],
  ['"01"', 'integer', { not: 'is not a whole number' }],
  ['false', 'integer', { not: 'is not a whole number' }],

  ['true', 'boolean', { is: 'true' }],
  ['"false"', 'boolean', { is: 'false' }],
  ['"true"', 'boolean', { is: 'true' }],
  ['"TRUE"', 'boolean', { not: '"TRUE" (text) is not true or false' }],
  ['1', 'boolean', { not: '1 is not true or false' }],
  ['"0"', 'boolean', { not: 'is not true or false' }],
  ['"yes"', 'boolean', { not: 'is not true or false' }],
  ['null', 'boolean', { not: 'is not true or false' }],

  ['[1,0.10]', 'array', { is: '[1,0.10]' }],
  ['[]', 'array', { is: '[]' }],
  ['"[1]"', 'array', { not: '"[1]" (text) is not a list' }],
  ['{"a":1}', 'array', { not: 'an object with 1 key is not a list' }],
  ['5', 'array', { not: 'is not a list' }],

  ['{"a":0.10}', 'object', { is: '{"a":0.10}' }],
  ['{}', 'object', { is: '{}' }],
  ['[1]', 'object', { not: 'a list of 1 element is not an object' }],
  ['"{}"', 'object', { not: '"{}" (text) is not an object' }],
  ['5', 'object', { not: '5 is not an object' }],
  ['null', 'object', { not: 'null is not an object' }],

  ['"{\\"a\\":[0.10,1E400]}"', 'json', { is: '{"a":[0.10,1E400]}' }],
  ['"5"', 'json', { is: '5' }],
  ['"null"', 'json', { is: 'null' }],
  ['{"a":1}', 'json', { is: '{"a":1}' }],
  ['5', 'json', { is: '5' }],
  ['null', 'json', { is: 'null' }],
  ['"{a:1}"', 'json', { not: '"{a:1}" cannot be read as JSON' }],
  ['""', 'json', { not: 'the text is empty' }],

  ['0.10', ' Number ', { is: '0.10' }],
  ['5', 'INTEGER?', { is: '5' }],
]

describe('a value of the data', () => {
  checkMappings(
    conversions.map(([value, type, outcome]) => [
      `${value} as ${type}`,
      `{"v":${value}}`,
      [['v', 'x', '', type]],
      'is' in outcome ? `{"x":${outcome.is}}` : { field: 'from', says: outcome.not },
    ]),
  )
})

describe('a custom input', () => {
  checkMappings([
    ['is text, not a number', '{}', [['', 'x', '5']], '{"x":"5"}'],
    ['keeps leading zeros', '{}', [['', 'x', '0123']], '{"x":"0123"}'],
    ['is text, not a flag', '{}', [['', 'x', 'true']], '{"x":"true"}'],
    ['is text, quotes and all', '{}', [['', 'x', '"q"']], '{"x":"\\"q\\""}'],
    [
      'as string is exactly what was typed',
      '{}',
      [['', 'x', ' 0.10 ', 'string']],
      '{"x":" 0.10 "}',
    ],
    ['as number is exact', '{}', [['', 'x', '0.10', 'number']], '{"x":0.10}'],
    [
      'as number beyond a double',
      '{}',
      [['', 'x', '12345678901234567890', 'number']],
      '{"x":12345678901234567890}',
    ],
    ['as number beyond any double', '{}', [['', 'x', '1E400', 'number']], '{"x":1E400}'],
    ['as number ignores outer blanks', '{}', [['', 'x', ' 5 ', 'number']], '{"x":5}'],
    ['as boolean', '{}', [['', 'x', 'true ', 'boolean']], '{"x":true}'],
    ['as array is typed as JSON', '{}', [['', 'x', '[1, 0.10]', 'array']], '{"x":[1,0.10]}'],
    [
      'as object is typed as JSON',
      '{}',
      [['', 'x', '{"a": 1E400}', 'object']],
      '{"x":{"a":1E400}}',
    ],
    [
      'as json may be anything',
      '{}',
      [
        ['', 'x', 'null', 'json'],
        ['', 'y', '""', 'json'],
      ],
      '{"x":null,"y":""}',
    ],
    [
      'null as the default of a gap',
      '[{"a":1},{}]',
      [['[*].a', 'x[*].a', 'null', 'json?']],
      '{"x":[{"a":1},{"a":null}]}',
    ],
    [
      'that is no number',
      '{}',
      [['', 'x', 'five', 'number']],
      { field: 'custom_input', says: '"five" (text) is not a number.' },
    ],
    [
      'that is no whole number',
      '{}',
      [['', 'x', '1.5', 'integer']],
      { field: 'custom_input', says: '"1.5"' },
    ],
    [
      'that is an object instead of a list',
      '{}',
      [['', 'x', '{}', 'array']],
      { field: 'custom_input', says: 'an object with 0 keys is not a list.' },
    ],
    [
      'that is not JSON',
      '{}',
      [['', 'x', '[1,', 'array']],
      { field: 'custom_input', says: 'cannot be read as JSON' },
    ],
    [
      'that names a key twice',
      '{}',
      [['', 'x', '{"a":1,"a":2}', 'json']],
      { field: 'custom_input', says: 'twice' },
    ],
  ])
})

describe('types', () => {
  checkMappings([
    [
      'an unknown one is an error',
      '{"a":5}',
      [['a', 'x', '', 'text']],
      { field: 'type', says: '"text" is not a type. Choose one of auto, string, number' },
    ],
    [
      'a lone ? is unknown',
      '{"a":5}',
      [['a', 'x', '', '?']],
      { field: 'type', says: '"?" is not a type' },
    ],
    [
      'so are two',
      '{"a":5}',
      [['a', 'x', '', 'auto??']],
      { field: 'type', says: '"auto??" is not a type' },
    ],
  ])

  it('are the eight of the specification, each also with a question mark', () => {
    expect(mappingTypes.join(' ')).toBe(
      'auto string number integer boolean array object json ' +
        'auto? string? number? integer? boolean? array? object? json?',
    )
    for (const type of mappingTypes) expect(parseType(type)).toBeDefined()
  })

  it('shorten a long value in a message to about 80 characters', () => {
    const source = parseExact(JSON.stringify({ v: 'ab'.repeat(10_000) }))
    const row = { from: 'v', to: 'x', custom_input: '', type: 'number' }
    const message = mapData(source, [row]).errors[0]?.message ?? ''
    expect(message).toContain('abab')
    expect(message.length).toBeLessThan(130)
  })
})
