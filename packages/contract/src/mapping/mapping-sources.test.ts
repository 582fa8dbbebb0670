import { describe, expect, it } from 'vitest'
import { parseExact, stringifyExact } from './exact/exact-json.ts'
import { mapData } from './map-data.ts'
import { checkMappings, toRows } from './mapping-cases.ts'

// spec: mapping-source, mapping-missing.

describe('where the value comes from', () => {
  checkMappings([
    ['From is read from the data', '{"id":7}', [['id', 'number']], '{"number":7}'],
    ['a blank From takes the custom input', '{"id":7}', [['', 'x', 'hello']], '{"x":"hello"}'],
    ['From wins over the custom input', '{"id":7}', [['id', 'x', 'spare']], '{"x":7}'],
    [
      'the custom input stands in when From matches nothing',
      '{}',
      [['id', 'x', 'spare']],
      '{"x":"spare"}',
    ],
    [
      'the stand-in is converted like any custom input',
      '{}',
      [['id', 'x', '5', 'integer']],
      '{"x":5}',
    ],
    [
      'neither is an error',
      '{}',
      [['', 'x']],
      { field: 'from', says: 'Fill in From or Custom Input.' },
    ],
    [
      'blanks do not fill a field',
      '{}',
      [['  ', 'x', ' \t']],
      { field: 'from', says: 'Fill in From' },
    ],
    ['outer blanks of a path do not count', '{"id":7}', [[' id ', '  x ']], '{"x":7}'],
    ['outer blanks of a typed text are kept', '{}', [['', 'x', ' a b ']], '{"x":" a b "}'],
    [
      'a default that cannot be converted is an error even when it is not needed',
      '{"n":1}',
      [['n', 'x', 'none', 'number']],
      { field: 'custom_input', says: '"none"' },
    ],
    ['To must be filled in', '{"a":1}', [['a', ' ']], { field: 'to', says: 'Fill in To.' }],
    ['$ in From is the whole document', '{"a":[1]}', [['$', 'copy']], '{"copy":{"a":[1]}}'],
    ['a document may be a lone value', '5', [['$', 'x']], '{"x":5}'],
    ['$ in To is the whole result', '{"a":{"b":1}}', [['a', '$']], '{"b":1}'],
    ['$ in To may be a lone value', '{"a":"t"}', [['a', '$']], '"t"'],
    ['$ in To may be null', '{"a":null}', [['a', '$']], 'null'],
    [
      'an index at the start of To makes a list of the result',
      '{"a":1}',
      [['a', '[0].b']],
      '[{"b":1}]',
    ],
    ['so does an index after $', '{"a":1}', [['a', '$[1]']], '[null,1]'],
    ['no rows make an empty object', '{"a":1}', [], '{}'],
  ])

  it('reports everything that is wrong with a row at once', () => {
    const { errors } = mapData(parseExact('{}'), toRows([['a..b', '', 'x', 'text']]))
    expect(errors.map(({ row, field }) => [row, field])).toEqual([
      [0, 'from'],
      [0, 'to'],
      [0, 'type'],
    ])
  })

  it('maps the rows that are sound although another one is not', () => {
    const rows = toRows([
      ['a', 'x'],
      ['b', 'y'],
      ['a', 'z'],
    ])
    const { mapped, errors } = mapData(parseExact('{"a":1}'), rows)
    expect(stringifyExact(mapped)).toBe('{"x":1,"z":1}')
    expect(errors).toMatchObject([{ row: 1, field: 'from' }])
  })
})

describe('missing values', () => {
  checkMappings([
    [
      'a miss is an error that says where the path got stuck',
      '{"order":{"id":1}}',
      [['order.no', 'x']],
      { field: 'from', says: 'Nothing is found at order.no. order has no no.' },
    ],
    [
      'and names the row',
      '{"a":1}',
      [
        ['a', 'x'],
        ['b', 'y'],
      ],
      { row: 1, field: 'from', says: 'The data has no b.' },
    ],
    [
      'an index past the end is a miss',
      '{"a":[1,2]}',
      [['a[2]', 'x']],
      { field: 'from', says: 'a has 2 elements.' },
    ],
    [
      'so is one before the start',
      '{"a":[1]}',
      [['a[-2]', 'x']],
      { field: 'from', says: 'a has 1 element.' },
    ],
    [
      'a miss under null is a miss',
      '{"a":null}',
      [['a.b', 'x']],
      { field: 'from', says: 'a is null' },
    ],
    [
      'a number as a name gets a hint',
      '{"a":[1]}',
      [['a.0', 'x']],
      { field: 'from', says: 'write [0] for an element' },
    ],
    [
      'a type with ? leaves the key out',
      '{"a":1}',
      [
        ['a', 'x'],
        ['b', 'y', '', 'string?'],
      ],
      '{"x":1}',
    ],
    ['a blank type can only be auto, so ? is written auto?', '{}', [['b', 'y', '', 'auto?']], '{}'],
    [
      'leaving out does not make the objects around the key',
      '{}',
      [['b', 'x.y', '', 'auto?']],
      '{}',
    ],
    [
      'leaving out keeps what an earlier row wrote',
      '{"a":1}',
      [
        ['a', 'x'],
        ['b', 'x', '', 'auto?'],
      ],
      '{"x":1}',
    ],
    ['a default wins over leaving out', '{}', [['b', 'y', 'spare', 'string?']], '{"y":"spare"}'],
    ['null is a value', '{"a":null}', [['a', 'x']], '{"x":null}'],
    ['null does not call for the default', '{"a":null}', [['a', 'x', 'spare']], '{"x":null}'],
    ['null is not left out', '{"a":null}', [['a', 'x', '', 'auto?']], '{"x":null}'],
    [
      'so are false, 0 and the empty text',
      '{"a":false,"b":0,"c":""}',
      [
        ['a', 'x', 'd'],
        ['b', 'y', 'd'],
        ['c', 'z', 'd'],
      ],
      '{"x":false,"y":0,"z":""}',
    ],
  ])
})
