import { createInnerParser } from './convert-value.ts'
import type { ExactJson } from './exact/exact-json.ts'
import { emptyObject, isNumberKey } from './exact/exact-object.ts'
import type { MappingMoment } from './functions/mapping-function.ts'
import { createDepthGauge, isDeeperThan, jsonSize } from './exact/json-bounds.ts'
import { mappingLimits } from './mapping-limits.ts'
import type { MappingError, MappingRow, RootedRow } from './mapping-rows.ts'
import { parsePath } from './paths/parse-path.ts'
import { planRow } from './plan-row.ts'
import type { Problem } from './plan-row.ts'
import { ResultWriter, TooMuchWork } from './result-writer.ts'
import { runRow } from './run-row.ts'
import type { MappingContext } from './run-row.ts'
import { WorkMeter } from './work-meter.ts'

export interface MappingResult {
  /** What the rows made; with errors it is for showing only and must not be sent. */
  mapped: ExactJson
  errors: MappingError[]
}

/**
 * Maps data by rows (spec: mapping). Pure, and the same in the browser's preview and on the
 * server. Never throws and never changes the source, although the result may share parts with it. A
 * row with an error writes nothing; past a limit nothing is mapped at all. Without a moment, rows with
 * `now()` and `uuid()` are errors.
 */
export function mapData(
  source: ExactJson,
  rows: readonly RootedRow[],
  moment?: MappingMoment,
): MappingResult {
  const refusal = refuseInput(source, rows)
  if (refusal) return { mapped: emptyObject(), errors: [refusal] }
  const errors: MappingError[] = []
  const context: MappingContext = {
    source,
    writer: new ResultWriter(rows.some(writesNumberKey)),
    parse: createInnerParser(),
    depthOf: createDepthGauge(),
    work: new WorkMeter(mappingLimits.elementsOfAllRows),
    text: new WorkMeter(mappingLimits.functionCharacters),
    moment,
  }
  try {
    for (const [row, fields] of rows.entries()) {
      for (const problem of mapRow(fields, context)) errors.push({ row, ...problem })
      if (context.work.isOverspent) break
    }
  } catch (error) {
    if (error instanceof TooMuchWork) return refuseResult(rows, 'build far more than')
    throw error
  }
  const mapped = context.writer.result()
  const isTooLarge = jsonSize(mapped, mappingLimits.bytes) > mappingLimits.bytes
  return isTooLarge ? refuseResult(rows, 'make a result larger than') : { mapped, errors }
}

/** `to` names a key that is a whole number, like `['10']`. */
function writesNumberKey({ to }: MappingRow): boolean {
  const parsed = /\d/.test(to) ? parsePath(to, 'write') : undefined
  if (!parsed?.ok) return false
  return parsed.segments.some((step) => step.kind === 'name' && isNumberKey(step.name))
}

function mapRow(row: RootedRow, context: MappingContext): Problem[] {
  const planned = planRow(row, context.parse)
  if (!planned.ok) return planned.problems
  const problem = runRow(planned.plan, context)
  return problem ? [problem] : []
}

function refuseInput(source: ExactJson, rows: readonly MappingRow[]): MappingError | undefined {
  const { rows: maxRows, depth, bytes } = mappingLimits
  if (rows.length > maxRows) {
    const message = `There are ${rows.length} rows; at most ${maxRows} are possible.`
    return { row: maxRows, field: 'rows', message }
  }
  // Depth first: the size is measured by recursion.
  if (isDeeperThan(source, depth)) {
    return { row: 0, field: 'rows', message: `The data is nested more than ${depth} levels deep.` }
  }
  if (jsonSize(source, bytes) > bytes) {
    return { row: 0, field: 'rows', message: 'The data is larger than 5 MiB.' }
  }
  return undefined
}

function refuseResult(rows: readonly MappingRow[], what: string): MappingResult {
  const message = `The rows ${what} the 5 MiB that can be sent.`
  const row = Math.max(rows.length - 1, 0)
  return { mapped: emptyObject(), errors: [{ row, field: 'rows', message }] }
}
