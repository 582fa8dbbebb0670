import type { ExactJson } from '../exact/exact-types.ts'
import { showValue } from '../show-value.ts'
import { toDecimal, toNumber, toText, toWhole } from './arguments.ts'
import {
  add,
  decimalText,
  multiply,
  negate,
  round,
  roundingModes,
  type Decimal,
  type RoundingMode,
} from './decimal.ts'
import type { MappingFunction } from './mapping-function.ts'
import { ValueFault } from './value-fault.ts'

const many = 1000
const mostPlaces = 40

export const numberFunctions: readonly MappingFunction[] = [
  {
    name: 'add',
    usage: 'add(a, b, …)',
    words: 'The sum, exact',
    least: 2,
    most: many,
    apply: (args) => toNumber(args.map(toDecimal).reduce(add)),
  },
  {
    name: 'subtract',
    usage: 'subtract(a, b)',
    words: 'a less b, exact',
    least: 2,
    apply: ([one, other]) => toNumber(add(toDecimal(one), negate(toDecimal(other)))),
  },
  {
    name: 'multiply',
    usage: 'multiply(a, b, …)',
    words: 'The product, exact',
    least: 2,
    most: many,
    // Each product is judged, so that a thousand factors never make a number of many digits.
    apply: (args) => toNumber(args.map(toDecimal).reduce(multiplyBounded)),
  },
  {
    name: 'round',
    usage: 'round(number, decimals, mode)',
    words: `With that many decimals. mode is one of ${roundingModes.join(', ')}`,
    least: 3,
    apply: ([value, places, mode]) => toNumber(rounded(value, places, mode)),
  },
  {
    name: 'number_format',
    usage: 'number_format(number, decimals, mode, point, group)',
    words:
      'Text of a rounded number. point (".") and what is between groups of three ("") may be left out',
    least: 3,
    most: 5,
    apply([value, places, mode, point = '.', group = '']) {
      const [whole = '', fraction] = decimalText(rounded(value, places, mode)).split('.')
      const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, () => mark(group))
      return fraction === undefined ? grouped : grouped + mark(point) + fraction
    },
  },
]

const multiplyBounded = (one: Decimal, other: Decimal): Decimal => {
  const product = multiply(one, other)
  toNumber(product)
  return product
}

function rounded(
  value: ExactJson | undefined,
  places: ExactJson | undefined,
  mode: ExactJson | undefined,
): Decimal {
  const named = roundingModes.find((each): each is RoundingMode => each === mode)
  if (named) return round(toDecimal(value), toWhole(places, 0, mostPlaces), named)
  throw new ValueFault(
    `${showValue(mode ?? null)} is no rounding mode. Use one of ${roundingModes.join(', ')}.`,
  )
}

function mark(value: ExactJson): string {
  const text = toText(value)
  if (text.length <= 3) return text
  throw new ValueFault('a point or a group mark has at most 3 characters.')
}
