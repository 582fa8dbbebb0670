import * as fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { rowsFromCsv, rowsToCsv } from './mapping-csv.ts'
import { newRow, toWireRows } from './mapping-form.ts'

const read = (text: string) => {
  const result = rowsFromCsv(text)
  return result.ok ? toWireRows(result.rows) : result.problems
}

describe('rows as CSV', () => {
  it('come back as they were, and no cell begins a formula', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 8 }),
      fc.string({
        unit: fc.constantFrom('=', '+', '-', '@', "'", ';', '"', ',', '\n', '\r', '\t', ' ', 'x'),
      }),
    )
    const row = fc.record({ from: text, to: text, custom_input: text, type: fc.constant('auto') })
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 4 }), (fields) => {
        const rows = fields.map((each) => newRow(each))
        const csv = rowsToCsv(rows)
        for (const row of rows) {
          const line = rowsToCsv([newRow({ to: row.to })]).replace(/^.*\r\n/, '')
          const cell = line.slice(1, line.lastIndexOf(',,')).replaceAll('""', '"').slice(1, -1)
          expect(cell).not.toMatch(/(^|[;\t\r\n])[ "\u00a0\u200b\ufeff\0]*[=+\-@＝＋－＠]/)
        }
        fc.pre(fields.every((each) => Object.values(each).some((value) => value.trim() !== '')))
        expect(read(csv)).toEqual(toWireRows(rows))
      }),
      { numRuns: 1000 },
    )
  })

  it('name the source of each row where there is a choice', () => {
    const csv = rowsToCsv([newRow({ source: 'input', from: 'a', to: 'b' })])
    expect(csv).toBe('source,from,to,custom_input,type\r\n"input","a","b",,"auto"\r\n')
    expect(read(csv)).toEqual([
      { source: 'input', from: 'a', to: 'b', custom_input: '', type: 'auto' },
    ])
  })

  test.each([
    ['commas', 'From,To\na,b\n'],
    ['semicolons and a byte order mark', '\uFEFFto;from\r\nb;a'],
    ['tabs and blank lines', 'from\tto\n\na\tb\n\n'],
    ['Custom Input as on the screen', 'From,To,Custom Input,Type\na,b,,auto'],
  ])('are read with %s', (_what, text) => {
    expect(read(text)).toEqual([{ from: 'a', to: 'b', custom_input: '', type: 'auto' }])
  })

  test.each([
    ['', ['The file is empty.']],
    [
      'from,too\na,b',
      [
        'Line 1: there is no column "too". Use from, to, custom_input, type.',
        'Line 1: the column to is missing.',
      ],
    ],
    ['to,to\na,b', ['Line 1: the column to is there twice.']],
    [
      'from,to\na,b,c\nd,e\n"f\ng",h,i',
      [
        'Line 2: it has 3 cells, and the first line names 2.',
        'Line 4: it has 3 cells, and the first line names 2.',
      ],
    ],
    ['from,to\na,"b', ['Line 2: a quote is not closed.']],
    ['from,to\na,"b"c', ['Line 2: text follows a quoted cell.']],
    [`to\n${'x\n'.repeat(201)}`, ['The file has 201 rows; at most 200 are possible.']],
  ])('that are wrong are refused by line: %j', (text, problems) => {
    expect(read(text)).toEqual(problems)
  })
})
