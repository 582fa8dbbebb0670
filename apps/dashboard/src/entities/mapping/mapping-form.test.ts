import { parseExact } from '@gatehouse/contract/mapping'
import { describe, expect, test } from 'vitest'
import {
  moveRows,
  newRow,
  rowForValue,
  rowsFromText,
  rowsToText,
  toggleEveryElement,
} from './mapping-form.ts'
import { previewMapping } from './mapped-preview.ts'

describe('a picked value becomes a row', () => {
  test.each([
    [['id'], 'id', 'id'],
    [['address', 'geo', 'lat'], 'address.geo.lat', 'lat'],
    [['items', 0, 'sku'], 'items[0].sku', 'sku'],
    [['tags', 3], 'tags[3]', 'tags'],
    [['k.ey'], "['k.ey']", "['k.ey']"],
    [['فاتورة'], 'فاتورة', 'فاتورة'],
    [[2, 0], '[2][0]', 'value'],
    [[], '$', 'value'],
    [['__proto__'], '__proto__', 'value'],
  ])('%j reads %s and writes %s', (path, from, to) => {
    expect(rowForValue(path, [])).toMatchObject({ from, to, custom_input: '', type: 'auto' })
  })

  test('a name that is taken gets a number, so that no row overwrites another unseen', () => {
    const first = rowForValue(['user', 'id'], [])
    const second = rowForValue(['post', 'id'], [first])
    const third = rowForValue(['id'], [first, second])
    expect([first, second, third].map(({ to }) => to)).toEqual(['id', 'id_2', 'id_3'])
  })

  test('what it reads is what was picked', () => {
    const data = parseExact('{"a.b": [{"x": 12345678901234567890}]}')
    const preview = previewMapping(data, [rowForValue(['a.b', 0, 'x'], [])])
    expect(preview).toEqual({
      text: '{\n  "x": 12345678901234567890\n}',
      errors: [],
      needsData: false,
      values: ['12345678901234567890'],
      coverage: { unread: [], total: 1, isCut: false },
    })
  })
})

describe('a row that goes through a list is switched to every element on both sides, and back', () => {
  test.each([
    ['items[3].sku', 'sku', 'items[*].sku', 'items[*].sku', true],
    ['items[3].sku', 'a.code', 'items[*].sku', 'items[*].a.code', true],
    ['order.items[3].sku', 'sku', 'order.items[*].sku', 'items[*].sku', true],
    ['a[0].b[1]', 'b', 'a[*].b[*]', 'a[*].b[*]', true],
    ['items[3].sku', 'rows[*].sku', 'items[*].sku', 'rows[*].sku', true],
    ['items[3].sku', 'rows[0].sku', 'items[*].sku', 'rows[0].sku', true],
    ['items[3].sku', '', 'items[*].sku', '', true],
    ['items[*].sku', 'items[*].sku', 'items[0].sku', 'sku', false],
    ['a[*].b[*]', 'a[*].b[*]', 'a[0].b[0]', 'a.b', false],
    ["['a[0]'].b[2]", 'b', "['a[0]'].b[*]", 'b[*]', true],
  ])('%s to %s', (from, to, newFrom, newTo, isEvery) => {
    expect(toggleEveryElement({ from, to })).toEqual({ from: newFrom, to: newTo, isEvery })
  })

  test.each(["['a[0]'].b", 'a.b', 'a..b', '', 'upper(a[0])'])('%s has no other reading', (from) => {
    expect(toggleEveryElement({ from, to: 'x' })).toBeUndefined()
  })
})

describe('a row is moved', () => {
  const rows = ['a', 'b', 'c'].map((from) => newRow({ from }))
  const moved = (at: number, place: number) =>
    order(moveRows(rows, idsOf([at]), rows[at]?.id ?? '', place))
  const idsOf = (places: number[]) => new Set(places.map((at) => rows[at]?.id ?? ''))
  const order = (moved: typeof rows) => moved.map(({ from }) => from).join('')
  test.each([
    [0, 1, 'bac'],
    [0, 2, 'bca'],
    [2, 0, 'cab'],
    [1, 1, 'abc'],
    [0, -1, 'abc'],
    [2, 3, 'abc'],
  ])('from %i to %i', (at, place, expected) => expect(moved(at, place)).toBe(expected))

  test('with others, which stay together in their order', () => {
    expect(order(moveRows(rows, idsOf([0, 2]), rows[2]?.id ?? '', 1))).toBe('acb')
    expect(order(moveRows(rows, idsOf([0, 1]), rows[1]?.id ?? '', 2))).toBe('cab')
    expect(moveRows(rows, idsOf([0, 1]), rows[0]?.id ?? '', -1)).toBe(rows)
  })
})

describe('rows as JSON text', () => {
  test('come back as they went, without the ids of the screen', () => {
    const rows = [newRow({ from: 'id', to: 'n', type: 'integer?' }), newRow({ custom_input: 'x' })]
    const text = rowsToText(rows, 2)
    expect(text).not.toContain(rows[0]?.id)
    const parsed = rowsFromText(text)
    expect(parsed.ok && rowsToText(parsed.rows, 2)).toBe(text)
  })

  test('missing fields are blank, a missing type is auto', () => {
    const parsed = rowsFromText('[{"to": "a", "custom_input": "1"}]')
    expect(parsed).toMatchObject({
      ok: true,
      rows: [{ from: '', to: 'a', custom_input: '1', type: 'auto' }],
    })
  })

  test('blank text is no rows', () => {
    expect(rowsFromText(' \n')).toEqual({ ok: true, rows: [] })
  })

  test.each([
    ['[{"to": }]', /not valid JSON/],
    ['{"to": "a"}', /must be a list of rows/],
    ['[{"to": 1}]', /Row 1: .*must be text/],
    [
      '[{"to": "a"}, {"to": "b", "form": "x", "Type": "auto"}]',
      /^Row 2: there is no field "form", "Type"\. Use from, to, custom_input, type\.$/,
    ],
    ['[{"to": "a", "source": "step 1"}]', /Row 1: there is no field "source"/],
    [JSON.stringify(Array.from({ length: 201 }, () => ({ to: 'a' }))), /at most 200/],
  ])('%s is refused whole', (text, message) => {
    expect(rowsFromText(text)).toMatchObject({
      ok: false,
      problem: { message: expect.stringMatching(message) },
    })
  })
})

test('a source is a field where there is a choice of it', () => {
  const text = '[{"source": "step 1", "to": "a"}]'
  expect(rowsFromText(text, { hasSources: true })).toMatchObject({
    ok: true,
    rows: [{ source: 'step 1', to: 'a' }],
  })
  expect(rowsFromText('[{"from ": "x"}]', { hasSources: true })).toMatchObject({
    problem: { message: expect.stringContaining('Use source, from, to,') },
  })
})

test.each(['5', 'true', '["step 1"]', '{}'])('a source %s is no text, and refused', (source) => {
  const text = `[{"to": "a", "source": "step 1"}, {"to": "b", "source": ${source}}]`
  expect(rowsFromText(text, { hasSources: true })).toEqual({
    ok: false,
    problem: { message: 'Row 2: "source" must be text in quotes.' },
  })
})

test('a source that is null is none, as with the other fields', () => {
  const parsed = rowsFromText('[{"to": "a", "source": null}]', { hasSources: true })
  expect(parsed.ok && parsed.rows[0]).not.toHaveProperty('source')
})

describe('the preview before anything was fetched', () => {
  test('maps custom input', () => {
    expect(previewMapping(undefined, [newRow({ to: 'a', custom_input: '007' })])).toMatchObject({
      text: '{\n  "a": "007"\n}',
      errors: [],
      needsData: false,
    })
  })

  test('asks for data instead of blaming the rows that need it', () => {
    const preview = previewMapping(undefined, [newRow({ from: 'id', to: 'id' })])
    expect(preview).toMatchObject({ errors: [], needsData: true })
  })

  test('still names a path that is none', () => {
    const preview = previewMapping(undefined, [newRow({ from: 'a..b', to: 'id' })])
    expect(preview.errors).toMatchObject([{ row: 0, field: 'from' }])
    expect(preview.needsData).toBe(false)
  })
})
