import { createInnerParser } from './convert-value.ts'
import type { ExactJson } from './exact/exact-json.ts'
import type { MappingMoment } from './functions/mapping-function.ts'
import { ExpressionFault, readExpression } from './functions/run-expression.ts'
import { mappingLimits } from './mapping-limits.ts'
import type { RootedRow } from './mapping-rows.ts'
import { planRow } from './plan-row.ts'
import { valuesOf, type Reading } from './paths/read-path.ts'
import { shorten, showValue } from './show-value.ts'
import { WorkMeter } from './work-meter.ts'

const shownElements = 5

/**
 * What From of each row gives, before its type, in at most 120 characters; undefined where it gives
 * nothing or can't be read. `[*]` shows its first matches and how many there are.
 */
export function rowValues(
  source: ExactJson,
  rows: readonly RootedRow[],
  moment: MappingMoment,
): (string | undefined)[] {
  const parse = createInnerParser()
  const work = new WorkMeter(mappingLimits.elementsOfAllRows)
  const text = new WorkMeter(mappingLimits.functionCharacters)
  return rows.map((row) => {
    const planned = planRow({ ...row, to: row.to.trim() === '' ? 'x' : row.to }, parse)
    if (!planned.ok || !planned.plan.from) return undefined
    try {
      return shown(readExpression(planned.plan.from, { source, work, text, moment }))
    } catch (error) {
      if (error instanceof ExpressionFault) return undefined
      throw error
    }
  })
}

function shown(reading: Reading): string | undefined {
  const values = valuesOf(reading)
  if (reading.kind !== 'list') return values[0] === undefined ? undefined : showValue(values[0])
  const first = values.slice(0, shownElements).map((value) => shorten(showValue(value), 30))
  const more = values.length - first.length
  return shorten(`[${first.join(', ')}${more > 0 ? `, … ${more} more` : ''}]`, 120)
}
