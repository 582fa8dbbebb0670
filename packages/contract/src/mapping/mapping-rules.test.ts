import { describe, expect, it } from 'vitest'
import { parseExact, stringifyExact } from './exact-json.ts'
import { mapData } from './map-data.ts'
import { checkMappings, toRows } from './mapping-cases.ts'

// RUNS.md §Mapping, rules 1, 2 and 4. Lists and types have files of their own.

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

describe('order: a later row overwrites an earlier one', () => {
  checkMappings([
    [
      'at the same place',
      '{"a":1,"b":2}',
      [
        ['a', 'x'],
        ['b', 'x'],
      ],
      '{"x":2}',
    ],
    [
      'however the place is written',
      '{"a":1,"b":2}',
      [
        ['a', 'x.y'],
        ['b', '$[\'x\']["y"]'],
      ],
      '{"x":{"y":2}}',
    ],
    [
      'within an object that was written whole',
      '{"a":{"b":1,"c":2}}',
      [
        ['a', 'x'],
        ['', 'x.b', 'new'],
      ],
      '{"x":{"b":"new","c":2}}',
    ],
    [
      'within a list that was written whole',
      '{"a":[1,2,3]}',
      [
        ['a', 'x'],
        ['', 'x[1]', 'new'],
      ],
      '{"x":[1,"new",3]}',
    ],
    [
      'an object over single keys',
      '{"a":{"b":1}}',
      [
        ['', 'x.c', 'old'],
        ['a', 'x'],
      ],
      '{"x":{"b":1}}',
    ],
    [
      'a key in place of a scalar',
      '{"a":5}',
      [
        ['a', 'x'],
        ['a', 'x.y'],
      ],
      '{"x":{"y":5}}',
    ],
    [
      'a key in place of null',
      '{"a":null}',
      [
        ['a', 'x'],
        ['', 'x.y', 'v'],
      ],
      '{"x":{"y":"v"}}',
    ],
    [
      'a key in place of a list',
      '{"a":[1]}',
      [
        ['a', 'x'],
        ['', 'x.y', 'v'],
      ],
      '{"x":{"y":"v"}}',
    ],
    [
      'an index in place of an object',
      '{"a":{"b":1}}',
      [
        ['a', 'x'],
        ['', 'x[0]', 'v'],
      ],
      '{"x":["v"]}',
    ],
    [
      'the whole result',
      '{"a":{"b":1}}',
      [
        ['', 'x', 'v'],
        ['a', '$'],
      ],
      '{"b":1}',
    ],
    [
      'and what follows builds on it',
      '{"a":{"b":1}}',
      [
        ['a', '$'],
        ['', 'c', 'v'],
      ],
      '{"b":1,"c":"v"}',
    ],
    [
      'a key that is written again keeps its place',
      '{"a":1}',
      [
        ['a', 'x'],
        ['a', 'y'],
        ['', 'x', 'v'],
      ],
      '{"x":"v","y":1}',
    ],
    [
      'a value used twice is two values',
      '{"a":{"b":1}}',
      [
        ['a', 'x'],
        ['a', 'y'],
        ['', 'y.b', 'v'],
      ],
      '{"x":{"b":1},"y":{"b":"v"}}',
    ],
  ])
})

describe('paths reach own keys and nothing else', () => {
  const awkward =
    '{"k.ey":1,"":2,"it\'s":3,"a":{"b":[{"c":4},{"c":5}]},"größe":6,"__proto__":{"p":7}}'
  checkMappings([
    ['dotted shorthand', awkward, [['a.b[0].c', 'x']], '{"x":4}'],
    ['with a leading $', awkward, [['$.a.b[1].c', 'x']], '{"x":5}'],
    ['in brackets', awkward, [["$['a'][\"b\"][0]['c']", 'x']], '{"x":4}'],
    ['a key with a dot', awkward, [["$['k.ey']", 'x']], '{"x":1}'],
    ['an empty key', awkward, [["['']", 'x']], '{"x":2}'],
    ['a key with a quote', awkward, [['["it\'s"]', 'x']], '{"x":3}'],
    ['the same, escaped', awkward, [["['it\\'s']", 'x']], '{"x":3}'],
    ['a key beyond ASCII', awkward, [['größe', 'x']], '{"x":6}'],
    ['an index from the end', awkward, [['a.b[-1].c', 'x']], '{"x":5}'],
    ['keys with dots in the result', '{"a":1}', [['a', "x['y.z']"]], '{"x":{"y.z":1}}'],
    ['an empty key in the result', '{"a":1}', [['a', "['']"]], '{"":1}'],
    ['an own key __proto__ is read', awkward, [['__proto__.p', 'x']], '{"x":7}'],
    [
      'an own key __proto__ survives a copy',
      '{"a":{"__proto__":1}}',
      [
        ['a', 'x'],
        ['', 'x.y', 'v'],
      ],
      '{"x":{"__proto__":1,"y":"v"}}',
    ],
    [
      'an inherited name is not there',
      '{}',
      [['toString', 'x']],
      { field: 'from', says: 'has no toString' },
    ],
    ['nor on a list', '{"a":[1]}', [['a.length', 'x']], { field: 'from', says: 'a is a list' }],
    ['nor on text', '{"a":"abc"}', [['a.length', 'x']], { field: 'from', says: 'a is text' }],
    ['nor on a number', '{"a":5}', [['a.value', 'x']], { field: 'from', says: 'a is a number' }],
    [
      'text has no elements',
      '{"a":"abc"}',
      [['a[0]', 'x']],
      { field: 'from', says: 'a is text, not a list' },
    ],
    ['To refuses __proto__', '{"a":1}', [['a', '__proto__.x']], { field: 'to', says: '__proto__' }],
    ['To refuses prototype', '{"a":1}', [['a', 'x.prototype']], { field: 'to', says: 'prototype' }],
    [
      'To refuses constructor',
      '{"a":1}',
      [['a', 'x[0].constructor']],
      { field: 'to', says: 'constructor' },
    ],
    ['in quotes too', '{"a":1}', [['a', "['__proto__']"]], { field: 'to', says: '__proto__' }],
    [
      'and with escapes',
      '{"a":1}',
      [['a', "['\\u005f_proto__']"]],
      { field: 'to', says: '__proto__' },
    ],
    ['a filter is refused', '{"a":[1]}', [['a[?@>0]', 'x']], { field: 'from', says: 'filters' }],
    [
      'a search at any depth is refused',
      '{"a":[1]}',
      [['$..a', 'x']],
      { field: 'from', says: 'any depth' },
    ],
  ])
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
