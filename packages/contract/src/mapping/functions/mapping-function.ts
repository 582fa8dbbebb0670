import type { ExactJson } from '../exact/exact-types.ts'

/** What the functions of one step use beside the data, so that they give the same each time. */
export interface MappingMoment {
  /** What `now()` gives: a time of ISO 8601 in UTC. */
  now: string
  /** What `uuid()` is made of: one for each step of a run. */
  seed: string
}

export interface FunctionContext {
  moment: MappingMoment | undefined
}

/** A function of From. It throws `ValueFault` for values it can't take, and undefined is no value. */
export interface MappingFunction {
  name: string
  /** How it is written, like `concat(a, b, …)`. */
  usage: string
  /** What it gives, in a few words. */
  words: string
  /** Fewest and most arguments; without `most` exactly as many. */
  least: number
  most?: number
  /** Its first argument is taken as a list, whole. */
  takesList?: true
  /** What is wrong with that many arguments, beside being too few or too many. */
  check?: (count: number) => string | undefined
  apply: (args: readonly ExactJson[], context: FunctionContext) => ExactJson | undefined
  /** Says why there is no value. */
  nothing?: string
}
