import type { ExactJson } from '../exact/exact-types.ts'
import { isLosslessNumber } from 'lossless-json'
import { mappingLimits } from '../mapping-limits.ts'
import { pathText } from '../paths/path-segments.ts'
import { explainMiss, isFound, readShape, valuesOf, type Reading } from '../paths/read-path.ts'
import type { WorkMeter } from '../work-meter.ts'
import type { Call, Expression } from './expression.ts'
import type { FunctionContext } from './mapping-function.ts'
import { ValueFault } from './value-fault.ts'
import { showValue } from '../show-value.ts'

export interface ExpressionContext extends FunctionContext {
  source: ExactJson
  /** Elements that paths read. */
  work: WorkMeter
  /** Characters that functions take and give. */
  text: WorkMeter
}

/** Why an expression has no value at all, as a sentence. */
export class ExpressionFault extends Error {}

/**
 * The value of an expression with the shape of the lists that its paths go through: a function is
 * applied to each element, and its arguments without `[*]` go to all of them. Throws
 * `ExpressionFault`.
 */
export function readExpression(expression: Expression, context: ExpressionContext): Reading {
  if (expression.kind === 'literal') return { kind: 'value', value: expression.value }
  if (expression.kind === 'call') return readCall(expression, context)
  const { source, work } = context
  const result = readShape(source, expression.segments, (elements) => work.spend(elements))
  if (!result.ok) throw new ExpressionFault(result.message)
  if (work.isOverspent) throw new ExpressionFault('')
  return result.reading
}

/** Where an expression that gives nothing got stuck, as a sentence; blank where it did not. */
export function explainNothing(expression: Expression, context: ExpressionContext): string {
  if (expression.kind === 'literal') return ''
  if (isFound(readExpression(expression, context))) return ''
  if (expression.kind === 'path') {
    const { segments } = expression
    const miss = explainMiss(context.source, segments)
    return `Nothing is found at ${pathText(segments)}.${miss === '' ? '' : ` ${miss}`}`
  }
  const inside = expression.args.map((each) => explainNothing(each, context)).find(Boolean)
  return inside ?? `${nameOf(expression)} ${expression.call.nothing ?? 'gives no value'}.`
}

function readCall(expression: Call, context: ExpressionContext): Reading {
  const args = expression.args.map((each) => readExpression(each, context))
  if (expression.call.takesList !== true) return lift(expression, args, context, [])
  const [list] = args
  if (!list || list.kind === 'gap') return { kind: 'gap' }
  return applied(expression, elementsOf(expression, list), context, [])
}

function elementsOf(expression: Call, reading: Reading): ExactJson[] {
  if (reading.kind === 'list') return valuesOf(reading)
  const [value = null] = valuesOf(reading)
  if (Array.isArray(value)) return value
  throw new ExpressionFault(`${nameOf(expression)}: ${showValue(value)} is not a list.`)
}

/** Applies a function to each element where arguments are lists; they have to be as long. */
function lift(
  expression: Call,
  args: readonly Reading[],
  context: ExpressionContext,
  at: readonly number[],
): Reading {
  const lists = args.filter((each) => each.kind === 'list')
  const [first] = lists
  if (!first) {
    if (args.some(({ kind }) => kind === 'gap')) return { kind: 'gap' }
    return applied(expression, args.flatMap(valuesOf), context, at)
  }
  if (lists.some(({ items }) => items.length !== first.items.length)) {
    const lengths = lists.map(({ items }) => items.length).join(' and ')
    throw new ExpressionFault(`${nameOf(expression)}: its lists have ${lengths} elements.`)
  }
  const items = first.items.map((_, index) => {
    const each = args.map((arg) => (arg.kind === 'list' ? (arg.items[index] ?? gap) : arg))
    return lift(expression, each, context, [...at, index])
  })
  return { kind: 'list', items, ...(first.indexes ? { indexes: first.indexes } : {}) }
}

const gap: Reading = { kind: 'gap' }

function applied(
  expression: Call,
  args: readonly ExactJson[],
  context: ExpressionContext,
  at: readonly number[],
): Reading {
  spend(args, context)
  try {
    const value = expression.call.apply(args, context)
    if (value === undefined) return gap
    spend([value], context)
    return { kind: 'value', value }
  } catch (error) {
    if (!(error instanceof ValueFault)) throw error
    const element = at.length === 0 ? '' : ` for ${at.map((index) => `[${index}]`).join('')}`
    throw new ExpressionFault(`${nameOf(expression)}${element}: ${error.message}`)
  }
}

/** A call costs what 64 characters cost, and each of its values at least one. */
function spend(values: readonly ExactJson[], { text }: ExpressionContext): void {
  let characters = 32
  for (const value of values) characters += lengthOf(value)
  text.spend(characters)
  if (text.isOverspent) {
    const most = mappingLimits.functionCharacters.toLocaleString('en')
    throw new ExpressionFault(
      `Functions read and write more than the ${most} characters that all rows together may.`,
    )
  }
}

function lengthOf(value: ExactJson): number {
  if (typeof value === 'string') return value.length + 1
  return value !== null && isLosslessNumber(value) ? value.value.length + 1 : 1
}

const nameOf = ({ call, at }: Call) => `${call.name} (character ${at})`
