import { describe, expect, it } from 'vitest'
import { parseExact, stringifyExact } from './exact/exact-json.ts'
import { mapData } from './map-data.ts'
import { checkMappings, toRows } from './mapping-cases.ts'

// spec: mapping-arrays: `[*]` on both sides.

const order =
  '{"no":"A1","items":[{"sku":"a","qty":1},{"sku":"b"},{"sku":"c","qty":3}],"tags":["x","y"],"none":[]}'

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
