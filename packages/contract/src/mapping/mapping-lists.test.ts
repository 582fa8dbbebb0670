import { describe } from 'vitest'
import { checkMappings } from './mapping-cases.ts'

// spec: mapping-arrays: `[*]` on one side, on neither, and where it does not fit.

const order =
  '{"no":"A1","items":[{"sku":"a","qty":1},{"sku":"b"},{"sku":"c","qty":3}],"tags":["x","y"],"none":[]}'

describe('no [*]: the value whole', () => {
  checkMappings([
    ['a list of scalars', order, [['tags', 'labels']], '{"labels":["x","y"]}'],
    ['a list of objects', '{"a":[{"b":1}]}', [['a', 'x.y']], '{"x":{"y":[{"b":1}]}}'],
    ['an empty list', order, [['none', 'x']], '{"x":[]}'],
    ['one element', order, [['items[0]', 'first']], '{"first":{"sku":"a","qty":1}}'],
  ])
})

describe('[*] in From only: the list of all matches', () => {
  checkMappings([
    ['of a key', order, [['items[*].sku', 'codes']], '{"codes":["a","b","c"]}'],
    ['without the elements that lack it', order, [['items[*].qty', 'n']], '{"n":[1,3]}'],
    ['of nested lists in one list', '[[1,2],[],[3]]', [['[*][*]', 'all']], '{"all":[1,2,3]}'],
    ['of an empty list is empty', order, [['none[*].sku', 'codes']], '{"codes":[]}'],
    ['with nulls, which are matches', '[{"a":null},{"a":1}]', [['[*].a', 'x']], '{"x":[null,1]}'],
    ['as the whole result', order, [['tags[*]', '$']], '["x","y"]'],
    ['at an index', order, [['tags[*]', 'x[0]']], '{"x":[["x","y"]]}'],
    [
      'a type applies to each match',
      '["1","2.50"]',
      [['[*]', 'n', '', 'number']],
      '{"n":[1,2.50]}',
    ],
    ['but array means the list itself', order, [['tags[*]', 'x', '', 'array']], '{"x":["x","y"]}'],
    [
      'no match at all is a miss',
      order,
      [['items[*].price', 'p']],
      { field: 'from', says: 'items[0] has no price' },
    ],
    ['a default then stands as it is', order, [['items[*].price', 'p', '[]', 'json']], '{"p":[]}'],
    ['and ? leaves the key out', order, [['items[*].price', 'p', '', 'number?']], '{}'],
  ])
})

describe('[*] in To only: set on each element that exists', () => {
  checkMappings([
    [
      'a custom input',
      order,
      [
        ['items[*].sku', 'l[*].c'],
        ['', 'l[*].vat', '25', 'integer'],
      ],
      '{"l":[{"c":"a","vat":25},{"c":"b","vat":25},{"c":"c","vat":25}]}',
    ],
    [
      'a value of the data',
      order,
      [
        ['tags[*]', 'l[*].t'],
        ['no', 'l[*].no'],
      ],
      '{"l":[{"t":"x","no":"A1"},{"t":"y","no":"A1"}]}',
    ],
    [
      'the elements themselves',
      order,
      [
        ['tags', 'l'],
        ['', 'l[*]', 'z'],
      ],
      '{"l":["z","z"]}',
    ],
    [
      'an element that is null counts',
      '{"a":1}',
      [
        ['a', 'l[1].x'],
        ['', 'l[*].y', 'v'],
      ],
      '{"l":[{"y":"v"},{"x":1,"y":"v"}]}',
    ],
    [
      'nothing to set in an empty list',
      order,
      [
        ['none', 'l'],
        ['', 'l[*].y', 'v'],
      ],
      '{"l":[]}',
    ],
    [
      'inner lists where they exist',
      '[{"l":[{}]},{}]',
      [
        ['$', 'x'],
        ['', 'x[*].l[*].y', 'v'],
      ],
      '{"x":[{"l":[{"y":"v"}]},{}]}',
    ],
    [
      'one object set on many elements is many objects',
      order,
      [
        ['tags', 'l'],
        ['', 'l[*]', '{"a":1}', 'object'],
        ['', 'l[0].b', 'v'],
      ],
      '{"l":[{"a":1,"b":"v"},{"a":1}]}',
    ],
    [
      'a list at the root',
      order,
      [
        ['tags[*]', '[*].t'],
        ['', '[*].v', 'w'],
      ],
      '[{"t":"x","v":"w"},{"t":"y","v":"w"}]',
    ],
    [
      'no list there is an error',
      order,
      [['', 'l[*].vat', '25']],
      { field: 'to', says: 'no list at l yet' },
    ],
    [
      'an object there is an error',
      order,
      [
        ['no', 'l.x'],
        ['', 'l[*].vat', '25'],
      ],
      { row: 1, field: 'to', says: 'no list at l yet' },
    ],
    [
      'no inner list anywhere is an error',
      order,
      [
        ['tags[*]', 'l[*].t'],
        ['', 'l[*].m[*].v', '1'],
      ],
      { row: 1, field: 'to', says: 'no list at l[*].m yet' },
    ],
    ['with ? it is left out', order, [['', 'l[*].vat', '25', 'string?']], '{}'],
    [
      'a list that is missing makes its default a value for each',
      order,
      [
        ['tags[*]', 'l[*].t'],
        ['gone[*].x', 'l[*].x', 'd'],
      ],
      '{"l":[{"t":"x","x":"d"},{"t":"y","x":"d"}]}',
    ],
  ])
})

describe('[*] on what is no list', () => {
  checkMappings([
    [
      'on an object is an error, not its values',
      '{"items":{"sku":"a"}}',
      [['items[*].sku', 'l[*].c']],
      { field: 'from', says: 'items is an object, not a list' },
    ],
    [
      'a default does not hide it',
      '{"items":{"sku":"a"}}',
      [['items[*].sku', 'l[*].c', 'd']],
      { field: 'from', says: 'items is an object' },
    ],
    [
      'nor does ?',
      '{"items":"a"}',
      [['items[*]', 'l[*].c', '', 'string?']],
      { field: 'from', says: 'items is text' },
    ],
    [
      'nor a list around it',
      '[{"l":[1]},{"l":{"s":2}}]',
      [['[*].l[*]', 'x[*].y[*]']],
      { field: 'from', says: '[1].l is an object, not a list' },
    ],
    [
      'the document itself',
      '{}',
      [['[*].a', 'x']],
      { field: 'from', says: 'The data is an object, not a list' },
    ],
    [
      'null is a miss',
      '{"items":null}',
      [['items[*].sku', 'l[*].c']],
      { field: 'from', says: 'items is null, not a list' },
    ],
    ['which ? may leave out', '{"items":null}', [['items[*].sku', 'l[*].c', '', 'string?']], '{}'],
  ])
})
