import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { mappingTypes } from './convert-value.ts'
import { parseExact, stringifyExact } from './exact/exact-json.ts'
import { maxDigits, roundingModes } from './functions/decimal.ts'
import { mappingFunctions } from './functions/function-table.ts'
import { mapData } from './map-data.ts'
import { toRows } from './mapping-cases.ts'
import type { ShortRow } from './mapping-cases.ts'
import { mappingLimits } from './mapping-limits.ts'
import { looksLikeMappingRows, toMappingRows } from './mapping-rows.ts'

const page = ['mapping', 'mapping/functions']
  .map((name) => readFileSync(new URL(`../../../../docs/${name}.md`, import.meta.url), 'utf8'))
  .join('\n\n')
// Not marked as json: a formatter would rewrite 0.10.
const block = (name: string) =>
  parseExact(new RegExp(`\`\`\`text ${name}\\n(.*?)\`\`\``, 's').exec(page)?.[1] ?? '')

const cellsOf = (line: string) =>
  line
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim().replace(/^`(.*)`$/, '$1'))

/** The rows of all tables with this head, as their cells without the code quotes. */
function tables(head: string): string[][] {
  return page
    .split('\n\n')
    .map((part) => part.trim().split('\n').map(cellsOf))
    .filter(([cells = []]) => cells.join(' | ') === head)
    .flatMap((lines) => lines.slice(2))
}

const toRow = ([from = '', to = '', input = '', type = '']: string[]): ShortRow => [
  from,
  to,
  input,
  type,
]

describe('docs/mapping.md and docs/mapping/functions.md', () => {
  const source = block('source')
  const examples = tables('From | To | Custom Input | Type | Result')

  it('has its examples', () => expect(examples.length).toBeGreaterThan(70))

  it.each(examples.map((cells) => ({ title: cells.slice(0, 4).join(' | '), cells })))(
    'is right about $title',
    ({ cells }) => {
      const moment = { now: '2026-11-30T08:15:00.000Z', seed: 'docs' }
      const { mapped, errors } = mapData(source, toRows([toRow(cells)]), moment)
      const outcome = errors[0] ? `error: ${errors[0].message}` : stringifyExact(mapped)
      expect(outcome).toBe(cells[4])
    },
  )

  it('is right about rows that meet', () => {
    const rows = toRows(tables('From | To | Custom Input | Type').map(toRow))
    expect(rows).toHaveLength(6)
    const { mapped, errors } = mapData(source, rows)
    expect(errors).toEqual([])
    expect(stringifyExact(mapped)).toBe(stringifyExact(block('result')))
  })

  it('names every type', () => {
    const named = tables('type | accepts').map(([type]) => type)
    expect(named).toEqual(mappingTypes.filter((type) => !type.endsWith('?')))
  })

  it('names every function as it is written', () => {
    expect(tables('function | gives').map(([usage]) => usage)).toEqual(
      mappingFunctions.map(({ usage }) => usage),
    )
  })

  it('names every rounding mode', () => {
    expect(tables('mode | 2.345 | 2.335 | -2.345').map(([mode]) => mode)).toEqual([
      ...roundingModes,
    ])
  })

  it.each(tables('mode | 2.345 | 2.335 | -2.345'))(
    'is right about the mode %s',
    (mode, ...rounded) => {
      const made = ['2.345', '2.335', '-2.345'].map((number) => {
        const row = toRow([`number_format(${number}, 2, "${mode}")`, 'x'])
        return stringifyExact(mapData(source, toRows([row])).mapped)
      })
      expect(made).toEqual(rounded.map((text) => `{"x":"${text}"}`))
    },
  )

  it('names every limit', () => {
    expect(tables('what | most').map(([, most]) => most)).toEqual([
      String(mappingLimits.rows),
      String(mappingLimits.pathLength),
      String(mappingLimits.depth),
      mappingLimits.elements.toLocaleString('en'),
      mappingLimits.elementsOfAllRows.toLocaleString('en'),
      mappingLimits.expressionLength.toLocaleString('en'),
      String(mappingLimits.expressionDepth),
      mappingLimits.functionCharacters.toLocaleString('en'),
      String(maxDigits),
      `${mappingLimits.bytes / 1024 / 1024} MiB`,
    ])
    expect(page).toContain(`index ${mappingLimits.elements - 1}`)
  })

  it('shows rows as JSON that is read as rows', () => {
    const shown = parseExact(/`(\[\{"from".*?\])`/.exec(page)?.[1] ?? '')
    expect(looksLikeMappingRows(shown)).toBe(true)
    expect(toMappingRows(shown).errors).toEqual([])
  })
})
