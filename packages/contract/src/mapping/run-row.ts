import { convertReading } from './convert-reading.ts'
import type { ParseInner } from './convert-value.ts'
import type { ExactJson } from './exact/exact-json.ts'
import { mappingLimits } from './mapping-limits.ts'
import { listsIn, type Expression } from './functions/expression.ts'
import {
  ExpressionFault,
  explainNothing,
  readExpression,
  type ExpressionContext,
} from './functions/run-expression.ts'
import { countAll, pathText, pathTextAt } from './paths/path-segments.ts'
import type { PathSegment } from './paths/path-segments.ts'
import type { Plan, Problem } from './plan-row.ts'
import { isFound, valuesOf } from './paths/read-path.ts'
import type { Reading, ReadResult } from './paths/read-path.ts'
import { shorten } from './show-value.ts'
import { cutAtAll } from './result-writer.ts'
import type { ResultWriter } from './result-writer.ts'

export interface MappingContext extends ExpressionContext {
  writer: ResultWriter
  parse: ParseInner
  depthOf: (value: ExactJson) => number
}

/** Reads, converts and writes one row; returns what stopped it, before anything was written. */
export function runRow(plan: Plan, context: MappingContext): Problem | undefined {
  const { from, to, type, input } = plan
  if (!from) return input === undefined ? undefined : writeOne(plan, input, context)
  const result = readFrom(from, context)
  if (context.work.isOverspent) return { field: 'from', message: tooMuch }
  if (!result.ok) return { field: 'from', message: result.message }
  const { reading } = result
  const isListRead = (listsIn(from) ?? 0) > 0
  const isZip = isListRead && countAll(to) > 0
  const hasFill = input !== undefined || type.isOptional
  // A list whose elements all lack the value still says how many elements to fill.
  if (!isFound(reading) && !(isZip && hasElements(reading) && hasFill)) {
    if (input !== undefined) return writeOne(plan, input, context)
    return type.isOptional
      ? undefined
      : { field: 'from', message: explainNothing(from, context) || 'From gives no value.' }
  }
  // Of collected matches the type speaks one by one, but for `array`, which they are together.
  if (isListRead && !isZip && type.base === 'array') {
    return writeOne(plan, valuesOf(reading), context)
  }
  const converted = convertReading(reading, namesOf(plan), type.base, context.parse)
  if (!converted.ok) return { field: 'from', message: converted.message }
  if (isZip) return zip(plan, converted.reading, context)
  const values = valuesOf(converted.reading)
  return writeOne(plan, isListRead ? values : (values[0] ?? null), context)
}

function zip(
  { to, type, input }: Plan,
  reading: Reading,
  context: MappingContext,
): Problem | undefined {
  const fill = input === undefined && !type.isOptional ? null : input
  const depths = [fill ?? null, ...valuesOf(reading)].map(context.depthOf)
  const problem = refuseDepth(to, Math.max(...depths))
  if (!problem) context.writer.zip(cutAtAll(to), reading, fill)
  return problem
}

/** Writes one value: at the path, or into each element that exists when To has a `[*]`. */
function writeOne({ to, type }: Plan, value: ExactJson, context: MappingContext) {
  const problem = refuseDepth(to, context.depthOf(value))
  if (problem) return problem
  const parts = cutAtAll(to)
  if (parts.length === 1) {
    context.writer.write(parts[0] ?? [], value)
    return undefined
  }
  const count = context.writer.countEach(parts, (elements) => context.work.spend(elements))
  if (count !== undefined && count > mappingLimits.elements) {
    const most = `the ${mappingLimits.elements} elements that one row may write`
    return toProblem(`${pathText(to)} has more than ${most}.`)
  }
  if (context.work.isOverspent) return toProblem(tooMuch)
  if (count === undefined) {
    if (type.isOptional) return undefined
    const list = pathText(
      to.slice(
        0,
        to.findLastIndex((segment) => segment.kind === 'all'),
      ),
    )
    return toProblem(`There is no list at ${list} yet: rows above this one must make it.`)
  }
  context.writer.writeEach(parts, value)
  return undefined
}

function refuseDepth(to: readonly PathSegment[], depth: number): Problem | undefined {
  if (to.length + depth <= mappingLimits.depth) return undefined
  const most = `${mappingLimits.depth} levels deep`
  return toProblem(`At ${pathText(to)} the result would be nested more than ${most}.`)
}

const tooMuch = `With the rows above it, this row reads or writes more than the ${mappingLimits.elementsOfAllRows} elements that all rows together may.`

function toProblem(message: string): Problem {
  return { field: 'to', message }
}

function readFrom(from: Expression, context: MappingContext): ReadResult {
  try {
    return { ok: true, reading: readExpression(from, context) }
  } catch (error) {
    if (error instanceof ExpressionFault) return { ok: false, message: error.message }
    throw error
  }
}

/** How a message calls a value: by its path, or by the function and the place in its lists. */
const namesOf =
  ({ from, fromText }: Plan) =>
  (at: readonly number[]): string => {
    if (from?.kind === 'path') return pathTextAt(from.segments, at)
    const place = at.map((index) => `[${index}]`).join('')
    return `${shorten(fromText.trim(), 60)}${place && ` for ${place}`}`
  }

function hasElements(reading: Reading): boolean {
  return reading.kind === 'list' && reading.items.length > 0
}
