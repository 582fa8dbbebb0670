import { describe, expect, it } from 'vitest'
import { parseExact, stringifyExact } from './exact/exact-json.ts'
import type { ExactJson } from './exact/exact-json.ts'
import { jsonSize } from './exact/json-bounds.ts'
import { mapData } from './map-data.ts'
import { toRows } from './mapping-cases.ts'
import type { ShortRow } from './mapping-cases.ts'

const mebibyte = 1024 * 1024
const manyRows = (length: number, row: (index: number) => ShortRow) =>
  toRows(Array.from({ length }, (_, index) => row(index)))
const listOf = <T>(length: number, item: T) => Array.from({ length }, () => item)
const nested = (depth: number): ExactJson => parseExact('['.repeat(depth) + ']'.repeat(depth))

describe('rows', () => {
  it('200 are mapped', () => {
    const { mapped, errors } = mapData(
      parseExact('{"a":1}'),
      manyRows(200, (i) => ['a', `k${i}`]),
    )
    expect(errors).toEqual([])
    expect(Object.keys(mapped ?? {})).toHaveLength(200)
  })

  it('201 are refused and nothing is mapped', () => {
    expect(
      mapData(
        parseExact('{"a":1}'),
        manyRows(201, (i) => ['a', `k${i}`]),
      ),
    ).toEqual({
      mapped: {},
      errors: [
        { row: 200, field: 'rows', message: 'There are 201 rows; at most 200 are possible.' },
      ],
    })
  })
})

describe('depth', () => {
  it('the result may have 32 levels, not 33', () => {
    expect(mapData(nested(31), toRows([['$', 'x']])).errors).toEqual([])
    expect(mapData(nested(32), toRows([['$', '$']])).errors).toEqual([])
    expect(mapData(nested(32), toRows([['$', 'x']])).errors).toEqual([
      { row: 0, field: 'to', message: 'At x the result would be nested more than 32 levels deep.' },
    ])
  })

  it('counts levels below a [*], levels of defaults and levels inside JSON text', () => {
    const deep = '['.repeat(31) + ']'.repeat(31)
    const source = parseExact(`{"l":[${JSON.stringify(deep)},null]}`)
    const at = (rows: ShortRow[]) =>
      mapData(source, toRows(rows)).errors.map((error) => error.field)
    expect(at([['l[0]', 'x', '', 'json']])).toEqual([])
    expect(at([['l[0]', 'x.y', '', 'json']])).toEqual(['to'])
    expect(at([['l[*]', 'x[*]', '', 'json']])).toEqual(['to'])
    expect(at([['l[*].gone', 'x[*]', deep, 'json']])).toEqual(['to'])
    expect(at([['', 'x.y', deep, 'array']])).toEqual(['to'])
  })

  it('data with 33 levels is refused, however it was made', () => {
    let source: ExactJson = []
    for (let i = 0; i < 100_000; i++) source = [source]
    const [error] = mapData(source, toRows([['$', 'x']])).errors
    expect(error).toMatchObject({
      field: 'rows',
      message: 'The data is nested more than 32 levels deep.',
    })
  })
})

describe('elements', () => {
  const source = (length: number) => ({ l: listOf(length, 'x'), v: 'y' })

  it('10,000 are mapped, 10,001 are refused', () => {
    const rows = toRows([['l[*]', 'x[*].y']])
    expect(mapData(source(10_000), rows).errors).toEqual([])
    expect(mapData(source(10_001), rows).errors).toEqual([
      {
        row: 0,
        field: 'from',
        message: 'l[*] has more than the 10000 elements that one row may read.',
      },
    ])
  })

  it('a longer list is copied whole, but not written element by element', () => {
    expect(mapData(source(20_000), toRows([['l', 'x']])).errors).toEqual([])
    expect(
      mapData(
        source(20_000),
        toRows([
          ['l', 'x'],
          ['v', 'x[*]'],
        ]),
      ).errors,
    ).toEqual([
      {
        row: 1,
        field: 'to',
        message: 'x[*] has more than the 10000 elements that one row may write.',
      },
    ])
  })

  it('20 rows of 10,000 elements are mapped', { timeout: 30_000 }, () => {
    const rows = manyRows(20, (i) => ['l[*]', `x[*].k${i}.n`])
    const { mapped, errors } = mapData(source(10_000), rows)
    expect(errors).toEqual([])
    expect(jsonSize(mapped, Infinity)).toBeGreaterThan(2 * mebibyte)
  })

  const tooMuch =
    'With the rows above it, this row reads or writes more than the 200000 elements that all rows together may.'

  it.each<[string, 'from' | 'to', (index: number) => ShortRow]>([
    ['list by list', 'from', (i) => ['l[*]', `x[*].k${i % 20}.n`]],
    ['collected', 'from', () => ['l[*]', 'x']],
    ['written to each', 'to', (i) => (i === 0 ? ['l', 'x'] : ['v', 'x[*]'])],
  ])(
    'the row that goes past 200,000 in all is named, and none after it runs: %s',
    (_, field, row) => {
      const { errors } = mapData(source(10_000), manyRows(200, row))
      const first = field === 'from' ? 20 : 21
      expect(errors).toEqual([{ row: first, field, message: tooMuch }])
    },
  )

  it('elements on the way to a list count too', () => {
    const rows = manyRows(200, (i) => (i === 0 ? ['l', 'x'] : ['v', 'x[*].none[*]']))
    const { errors } = mapData(source(9_000), rows)
    expect(errors.at(-1)).toEqual({ row: 23, field: 'to', message: tooMuch })
  })
})

describe('5 MiB', () => {
  const tooLarge = 'The rows make a result larger than the 5 MiB that can be sent.'
  const tooMuch = 'The rows build far more than the 5 MiB that can be sent.'

  it('going in', () => {
    const source = (bytes: number) => ({ a: 'x'.repeat(bytes - '{"a":""}'.length) })
    const rows = toRows([['', 'x', 'v']])
    expect(mapData(source(5 * mebibyte), rows).errors).toEqual([])
    expect(mapData(source(5 * mebibyte + 1), rows).errors).toEqual([
      { row: 0, field: 'rows', message: 'The data is larger than 5 MiB.' },
    ])
  })

  it('coming out, to the byte', () => {
    // {"a":"…","b":"…"} is 15 bytes and the two texts.
    const source = { a: 'x'.repeat(3 * mebibyte), b: 'y'.repeat(2 * mebibyte - 15) }
    const fits = mapData(
      source,
      toRows([
        ['a', 'a'],
        ['b', 'b'],
      ]),
    )
    expect(fits.errors).toEqual([])
    expect(stringifyExact(fits.mapped)).toHaveLength(5 * mebibyte)
    expect(
      mapData(
        source,
        toRows([
          ['a', 'a'],
          ['b', 'bb'],
        ]),
      ),
    ).toEqual({
      mapped: {},
      errors: [{ row: 1, field: 'rows', message: tooLarge }],
    })
  })

  it('one large part used 200 times is refused without being written out', () => {
    const source = { a: listOf(100_000, 'x') }
    const { mapped, errors } = mapData(
      source,
      manyRows(200, (i) => ['a', `k${i}`]),
    )
    expect(errors).toEqual([{ row: 199, field: 'rows', message: tooLarge }])
    expect(mapped).toEqual({})
  })

  it.each<[string, number, (index: number) => ShortRow]>([
    ['deep objects around each element', 10_000, (i) => ['l[*]', `x${i}[*]${'.a'.repeat(29)}`]],
    ['padding in each element', 10_000, () => ['l[*]', 'x[*][9999]']],
    ['padding on every level', 1, (i) => ['v', `x${i}${'[9999]'.repeat(31)}`]],
    ['copies of a large list', 1_000_000, (i) => (i % 2 === 0 ? ['l', 'x'] : ['v', 'x[0]'])],
  ])('rows that build too much stop early: %s', (_what, length, row) => {
    const { errors } = mapData({ l: listOf(length, 'x'), v: 'y' }, manyRows(200, row))
    expect(errors).toEqual([{ row: 199, field: 'rows', message: tooMuch }])
  })

  it('one JSON text used by 200 rows is parsed once', () => {
    const text = stringifyExact(listOf(400_000, 0.5).map(String))
    const rows = manyRows(200, () => ['t', 'x', '', 'json'])
    expect(mapData({ t: text }, rows).errors).toEqual([])
  })
})
