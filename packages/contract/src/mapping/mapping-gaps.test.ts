import { describe } from 'vitest'
import { checkMappings } from './mapping-cases.ts'

// spec: mapping-arrays, mapping-missing: elements that lack the value.

const order =
  '{"no":"A1","items":[{"sku":"a","qty":1},{"sku":"b"},{"sku":"c","qty":3}],"tags":["x","y"],"none":[]}'

describe('gaps', () => {
  checkMappings([
    [
      'an element without the value gets null',
      order,
      [['items[*].qty', 'l[*].n']],
      '{"l":[{"n":1},{"n":null},{"n":3}]}',
    ],
    [
      'null fills in for any type',
      order,
      [['items[*].qty', 'l[*].n', '', 'integer']],
      '{"l":[{"n":1},{"n":null},{"n":3}]}',
    ],
    ['null as an element', order, [['items[*].qty', 'l[*]']], '{"l":[1,null,3]}'],
    [
      'a default fills in instead',
      order,
      [['items[*].qty', 'l[*].n', '0', 'integer']],
      '{"l":[{"n":1},{"n":0},{"n":3}]}',
    ],
    [
      'with ? the key is left out of that element',
      order,
      [['items[*].qty', 'l[*].n', '', 'integer?']],
      '{"l":[{"n":1},{},{"n":3}]}',
    ],
    [
      'an element itself cannot be left out of a list',
      order,
      [['items[*].qty', 'l[*]', '', 'integer?']],
      '{"l":[1,null,3]}',
    ],
    [
      'leaving out keeps what an earlier row wrote',
      order,
      [
        ['items[*].sku', 'l[*]'],
        ['items[*].qty', 'l[*]', '', 'auto?'],
      ],
      '{"l":[1,"b",3]}',
    ],
    [
      'no element with the value is a miss',
      order,
      [['items[*].price', 'l[*].p']],
      { field: 'from', says: 'Nothing is found at items[*].price. items[0] has no price.' },
    ],
    [
      'a default still fills in for every element',
      order,
      [['items[*].price', 'l[*].p', '0.00', 'number']],
      '{"l":[{"p":0.00},{"p":0.00},{"p":0.00}]}',
    ],
    [
      'and ? leaves it out of every element',
      order,
      [['items[*].price', 'l[*].p', '', 'number?']],
      '{"l":[{},{},{}]}',
    ],
    [
      'an index that skips elements pads with null',
      '{"a":1}',
      [['a', 'x[2].y']],
      '{"x":[null,null,{"y":1}]}',
    ],
    [
      'padding can be written into later',
      '{"a":1}',
      [
        ['a', 'x[1]'],
        ['a', 'x[0].y'],
      ],
      '{"x":[{"y":1},1]}',
    ],
  ])
})
