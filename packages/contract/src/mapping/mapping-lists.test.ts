import { describe, expect, it } from 'vitest'
import { parseExact, stringifyExact } from './exact-json.ts'
import { mapData } from './map-data.ts'
import { checkMappings, toRows } from './mapping-cases.ts'

// RUNS.md §Mapping, rule 3.

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

describe('[*] in From and in To: zipped by index', () => {
  checkMappings([
    [
      'into new objects',
      order,
      [['items[*].sku', 'lines[*].code']],
      '{"lines":[{"code":"a"},{"code":"b"},{"code":"c"}]}',
    ],
    [
      'rows with one prefix land in the same objects',
      order,
      [
        ['items[*].sku', 'lines[*].code'],
        ['items[*].sku', 'lines[*].text'],
      ],
      '{"lines":[{"code":"a","text":"a"},{"code":"b","text":"b"},{"code":"c","text":"c"}]}',
    ],
    ['elements themselves', order, [['items[*].sku', 'codes[*]']], '{"codes":["a","b","c"]}'],
    [
      'deep below the element',
      order,
      [['tags[*]', 'x[*].a.b']],
      '{"x":[{"a":{"b":"x"}},{"a":{"b":"y"}}]}',
    ],
    [
      'into an index of each element',
      order,
      [['tags[*]', 'x[*][1]']],
      '{"x":[[null,"x"],[null,"y"]]}',
    ],
    [
      'from a list at the root to a list at the root',
      '[{"a":1},{"a":2}]',
      [['[*].a', '[*].b']],
      '[{"b":1},{"b":2}]',
    ],
    ['with $ in front', '[{"a":1},{"a":2}]', [['$[*].a', '$[*].b']], '[{"b":1},{"b":2}]'],
    [
      'into copies of a list that was written whole',
      order,
      [
        ['items', 'lines'],
        ['items[*].sku', 'lines[*].sku2'],
      ],
      '{"lines":[{"sku":"a","qty":1,"sku2":"a"},{"sku":"b","sku2":"b"},{"sku":"c","qty":3,"sku2":"c"}]}',
    ],
    [
      'an empty list makes an empty list',
      order,
      [['none[*].sku', 'lines[*].code']],
      '{"lines":[]}',
    ],
    [
      'a shorter list leaves the elements after it as they are',
      order,
      [
        ['items[*].sku', 'l[*].c'],
        ['tags[*]', 'l[*].t'],
      ],
      '{"l":[{"c":"a","t":"x"},{"c":"b","t":"y"},{"c":"c"}]}',
    ],
    [
      'a longer list adds elements',
      order,
      [
        ['tags[*]', 'l[*].t'],
        ['items[*].sku', 'l[*].c'],
      ],
      '{"l":[{"t":"x","c":"a"},{"t":"y","c":"b"},{"c":"c"}]}',
    ],
    [
      'a type applies to each element',
      order,
      [['tags[*]', 'l[*]', '', 'string']],
      '{"l":["x","y"]}',
    ],
  ])

  it('names the element that cannot be converted, and counts the others', () => {
    const source = parseExact('{"a":[{"n":1},{"n":"two"},{"n":"three"},{"n":"four"}]}')
    const { mapped, errors } = mapData(source, toRows([['a[*].n', 'b[*].n', '', 'number']]))
    expect(errors).toEqual([
      {
        row: 0,
        field: 'from',
        message:
          'a[1].n: "two" (text) is not a number. The same goes for 2 more values of this row.',
      },
    ])
    expect(stringifyExact(mapped)).toBe('{}')
  })
})

describe('nested [*]', () => {
  const orders = '{"o":[{"id":1,"l":[{"s":"a"},{"s":"b"}]},{"id":2,"l":[]},{"id":3}]}'
  checkMappings([
    [
      'are zipped level by level',
      '{"o":[{"l":[1,2]},{"l":[3]}]}',
      [['o[*].l[*]', 'x[*].y[*].z']],
      '{"x":[{"y":[{"z":1},{"z":2}]},{"y":[{"z":3}]}]}',
    ],
    ['side by side', '[[1,2],[3]]', [['[*][*]', 'm[*][*]']], '{"m":[[1,2],[3]]}'],
    [
      'an inner list that is empty stays empty, one that is missing is null',
      orders,
      [['o[*].l[*].s', 'x[*].y[*].z']],
      '{"x":[{"y":[{"z":"a"},{"z":"b"}]},{"y":[]},{"y":null}]}',
    ],
    [
      'a missing inner list does not take the default of its elements',
      orders,
      [['o[*].l[*].s', 'x[*].y[*].z', 'd']],
      '{"x":[{"y":[{"z":"a"},{"z":"b"}]},{"y":[]},{"y":null}]}',
    ],
    [
      'with ? a missing inner list is left out',
      orders,
      [['o[*].l[*].s', 'x[*].y[*].z', '', 'string?']],
      '{"x":[{"y":[{"z":"a"},{"z":"b"}]},{"y":[]},{}]}',
    ],
    [
      'rows of different depth meet in the same objects',
      '{"o":[{"i":1,"l":[2]}]}',
      [
        ['o[*].i', 'x[*].i'],
        ['o[*].l[*]', 'x[*].y[*].z'],
      ],
      '{"x":[{"i":1,"y":[{"z":2}]}]}',
    ],
    [
      'the counts must agree: more in From',
      orders,
      [['o[*].l[*].s', 'x[*].y']],
      { field: 'to', says: 'From has [*] 2 times, To has it once' },
    ],
    [
      'the counts must agree: more in To',
      orders,
      [['o[*].id', 'x[*].y[*].z']],
      { field: 'to', says: 'From has [*] once, To has it 2 times' },
    ],
  ])
})

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
