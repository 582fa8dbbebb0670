import { expect, it } from 'vitest'
import { parseExact, stringifyExact } from './exact/exact-json.ts'
import { mapData } from './map-data.ts'
import type { MappingError, MappingRow } from './mapping-rows.ts'

/** A row in the order of the screen: From, To, Custom Input, Type; the tail may be left out. */
export type ShortRow = readonly [from: string, to: string, customInput?: string, type?: string]

/** What the rows make of the source: JSON text, or the error of the one row that fails. */
type MappingCase = readonly [
  promise: string,
  source: string,
  rows: readonly ShortRow[],
  expected: string | { row?: number; field: MappingError['field']; says: string },
]

export function toRows(rows: readonly ShortRow[]): MappingRow[] {
  return rows.map(([from, to, custom_input = '', type = '']) => ({ from, to, custom_input, type }))
}

/** Compares texts, not values, so that `0.10` and `0.1` are two different results. */
export function checkMappings(cases: readonly MappingCase[]): void {
  it.each(cases)('%s', (_promise, source, rows, expected) => {
    const { mapped, errors } = mapData(parseExact(source), toRows(rows))
    expect({ mapped: stringifyExact(mapped), errors }).toEqual(outcomeOf(expected))
  })
}

function outcomeOf(expected: MappingCase[3]) {
  if (typeof expected === 'string') return { mapped: expected, errors: [] }
  const { row = 0, field, says } = expected
  const message: unknown = expect.stringContaining(says)
  return { mapped: expect.any(String), errors: [{ row, field, message }] }
}
