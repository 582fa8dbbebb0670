import { createInnerParser } from './convert-value.ts'
import type { MappingError, MappingRow } from './mapping-rows.ts'
import { planRow } from './plan-row.ts'

/** Everything that is wrong with a row whatever it maps: what can't be read, and what does not fit together. */
export function mappingRowProblems(row: MappingRow): Omit<MappingError, 'row'>[] {
  const planned = planRow(row, createInnerParser())
  return planned.ok ? [] : planned.problems
}
