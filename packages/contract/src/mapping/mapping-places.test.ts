import { describe } from 'vitest'
import { checkMappings } from './mapping-cases.ts'

// spec: mapping-source, mapping-paths.

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
    [
      'a filter that orders is refused',
      '{"a":[1]}',
      [['a[?@>0]', 'x']],
      { field: 'from', says: 'a filter compares with == or !=.' },
    ],
    [
      'To takes no filter',
      '{"a":[1]}',
      [['a', 'x[?@.b==1]']],
      { field: 'to', says: 'filters are not supported here.' },
    ],
    [
      'a search at any depth is refused',
      '{"a":[1]}',
      [['$..a', 'x']],
      { field: 'from', says: 'any depth' },
    ],
  ])
})
