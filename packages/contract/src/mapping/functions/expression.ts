import type { ExactJson } from '../exact/exact-types.ts'
import { countAll, type PathSegment } from '../paths/path-segments.ts'
import type { MappingFunction } from './mapping-function.ts'

/** What From says: a path, or a function of paths, values and other functions. */
export type Expression =
  | { readonly kind: 'path'; readonly segments: readonly PathSegment[] }
  | { readonly kind: 'literal'; readonly value: ExactJson }
  | Call

export interface Call {
  readonly kind: 'call'
  readonly call: MappingFunction
  readonly args: readonly Expression[]
  /** Where its name begins in From, counted from 1. */
  readonly at: number
}

/** Every path that an expression reads, in order. */
export function pathsOf(expression: Expression): (readonly PathSegment[])[] {
  if (expression.kind === 'path') return [expression.segments]
  return expression.kind === 'call' ? expression.args.flatMap(pathsOf) : []
}

/** The expression with `root` before each of its paths. */
export function under(root: readonly PathSegment[], expression: Expression): Expression {
  if (expression.kind === 'literal' || root.length === 0) return expression
  if (expression.kind === 'path') {
    return { kind: 'path', segments: [...root, ...expression.segments] }
  }
  return { ...expression, args: expression.args.map((each) => under(root, each)) }
}

/**
 * How often `[*]` makes a list of the value; undefined where two arguments of a function do not go
 * together, because they have it differently often.
 */
export function listsIn(expression: Expression): number | undefined {
  if (expression.kind === 'path') return countAll(expression.segments)
  if (expression.kind === 'literal') return 0
  const counts = expression.args.map(listsIn)
  if (counts.includes(undefined)) return undefined
  if (expression.call.takesList === true) return 0
  const several = new Set(counts.filter((count) => count !== 0))
  return several.size > 1 ? undefined : ([...several][0] ?? 0)
}
