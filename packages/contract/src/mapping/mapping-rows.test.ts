import { describe, expect, it } from 'vitest'
import { parseExact } from './exact/exact-json.ts'
import { looksLikeMappingRows, toMappingRows } from './mapping-rows.ts'

describe('rows and a finished body are told apart by shape', () => {
  it.each([
    ['[{"from":"a","to":"b","custom_input":"","type":"auto"}]', true],
    ['[{"to":"b","from":"a"}]', true],
    ['[{"to":"b","custom_input":"x"}]', true],
    ['[{"to":"","from":""}]', true],
    ['[{"to":"b","from":null}]', true],
    ['[{"to":"b","from":"a"},{"to":"c","custom_input":"x"}]', true],
    ['[]', false],
    ['{}', false],
    ['{"to":"b","from":"a"}', false],
    ['[{"to":"b"}]', false],
    ['[{"from":"a"}]', false],
    ['[{"to":5,"from":"a"}]', false],
    ['[{"to":null,"from":"a"}]', false],
    ['[{"to":"b","from":"a"},{"id":1}]', false],
    ['[{"to":"b","from":"a"},5]', false],
    ['[[{"to":"b","from":"a"}]]', false],
    ['"text"', false],
    ['null', false],
    ['5', false],
  ])('%s: %s', (text, isRows) => expect(looksLikeMappingRows(parseExact(text))).toBe(isRows))

  it('by own keys only', () => {
    expect(looksLikeMappingRows([Object.create({ to: 'b', from: 'a' })])).toBe(false)
  })
})

describe('toMappingRows', () => {
  it('fills in what is missing and ignores what it does not know', () => {
    const { rows, errors } = toMappingRows(
      parseExact('[{"to":"b","from":"a","key":7},{"to":"c","custom_input":" x ","from":null}]'),
    )
    expect(errors).toEqual([])
    expect(rows).toEqual([
      { from: 'a', to: 'b', custom_input: '', type: '' },
      { from: '', to: 'c', custom_input: ' x ', type: '' },
    ])
  })

  it('reports every field that is not text, and keeps the rows in their places', () => {
    const { rows, errors } = toMappingRows(
      parseExact('[5,{"to":"b","from":["a"],"custom_input":5,"type":true},{"to":"c","from":"d"}]'),
    )
    expect(errors).toEqual([
      { row: 0, field: 'rows', message: 'A row must be an object, not a number.' },
      { row: 1, field: 'from', message: '"from" must be text in quotes, not a list.' },
      {
        row: 1,
        field: 'custom_input',
        message: '"custom_input" must be text in quotes, not a number.',
      },
      { row: 1, field: 'type', message: '"type" must be text in quotes, not a boolean.' },
    ])
    expect(rows).toHaveLength(3)
    expect(rows[2]).toMatchObject({ from: 'd', to: 'c' })
  })

  it.each([
    ['{}', 'an object'],
    ['null', 'null'],
    ['"x"', 'text'],
  ])('refuses %s', (text, kind) => {
    const message = `The mapping must be a list of rows, not ${kind}.`
    expect(toMappingRows(parseExact(text))).toEqual({
      rows: [],
      errors: [{ row: 0, field: 'rows', message }],
    })
  })

  it('takes an empty list', () => {
    expect(toMappingRows([])).toEqual({ rows: [], errors: [] })
  })
})
