import { parseExact } from '@gatehouse/contract/mapping'
import { expect, test } from 'vitest'
import { newRow } from './mapping-form.ts'
import { coverageOf } from './source-coverage.ts'

const data = parseExact(
  '{"id":1,"a":{"b":2,"c":[]},"l":[{"x":1},{"x":2,"y":{"z":3}},7],"k.ey":null}',
)
const unread = (...from: string[]) =>
  coverageOf(
    data,
    from.map((from) => newRow({ from })),
  ).unread

test.each([
  [[], ['id', 'a.b', 'a.c', 'l[*].x', 'l[*].y.z', 'l[*]', "['k.ey']"]],
  [['$'], []],
  [
    ['id', 'a', "['k.ey']"],
    ['l[*].x', 'l[*].y.z', 'l[*]'],
  ],
  [
    ['l[0].x', 'concat(id, a.b)'],
    ['a.c', 'l[*].y.z', 'l[*]', "['k.ey']"],
  ],
  [
    ['first(l[?@.x==2].y)', 'l'],
    ['id', 'a.b', 'a.c', "['k.ey']"],
  ],
  [
    ['a.b.c', 'a..b', ''],
    ['id', 'a.b', 'a.c', 'l[*].x', 'l[*].y.z', 'l[*]', "['k.ey']"],
  ],
])('rows that read %j leave %j', (from, left) => expect(unread(...from)).toEqual(left))

test('looks at a bounded number of places and values', () => {
  const wide = parseExact(`{${Array.from({ length: 1500 }, (_, at) => `"k${at}":1`).join()}}`)
  expect(coverageOf(wide, [])).toMatchObject({ total: 1000, isCut: true })
  const long = parseExact(`[${Array.from({ length: 150_000 }, () => '1').join()}]`)
  expect(coverageOf(long, [])).toEqual({ unread: ['[*]'], total: 1, isCut: true })
})
