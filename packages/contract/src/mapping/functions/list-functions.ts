import { LosslessNumber } from 'lossless-json'
import { toDecimal, toNumber } from './arguments.ts'
import { add } from './decimal.ts'
import type { MappingFunction } from './mapping-function.ts'

/** They take a list whole: what `[*]` collects, or a list that is a value. */
export const listFunctions: readonly MappingFunction[] = [
  {
    name: 'first',
    usage: 'first(list)',
    words: 'The first element of a list, or the first match of [*] or a filter',
    least: 1,
    takesList: true,
    apply: (elements) => elements[0],
    nothing: 'finds no element',
  },
  {
    name: 'sum',
    usage: 'sum(list)',
    words: 'The sum of the numbers in a list, exact',
    least: 1,
    takesList: true,
    apply: (elements) => toNumber(elements.map(toDecimal).reduce(add, { units: 0n, scale: 0 })),
  },
  {
    name: 'count',
    usage: 'count(list)',
    words: 'How many elements a list has',
    least: 1,
    takesList: true,
    apply: (elements) => new LosslessNumber(String(elements.length)),
  },
]
