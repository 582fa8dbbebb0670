/** An exact decimal: `units` times ten to the power of `-scale`; `scale` is 0 or more. */
export interface Decimal {
  units: bigint
  scale: number
}

/** Most digits of a number that is calculated with, written out in plain digits. */
export const maxDigits = 100

export const roundingModes = [
  'half-up',
  'half-even',
  'half-down',
  'up',
  'down',
  'ceiling',
  'floor',
] as const
export type RoundingMode = (typeof roundingModes)[number]

const written = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/

/** Undefined where the text is no number as JSON writes it; `too_long` past 100 digits. */
export function parseDecimal(text: string): Decimal | 'too_long' | undefined {
  const [whole, sign, digits = '', fraction = '', exponentText = '0'] = written.exec(text) ?? []
  if (whole === undefined) return undefined
  // 1E999999999 would be a gigabyte of digits: the exponent is judged before anything is written out.
  const exponent = Number(exponentText)
  if (Math.abs(exponent) + digits.length + fraction.length > maxDigits) return 'too_long'
  const scale = fraction.length - exponent
  const units = BigInt(digits + fraction) * (sign === '-' ? -1n : 1n)
  return scale >= 0 ? { units, scale } : { units: units * 10n ** BigInt(-scale), scale: 0 }
}

/** Plain digits; the decimals that `scale` asks for are all written, so that `0.10` stays `0.10`. */
export function decimalText({ units, scale }: Decimal): string {
  const digits = absolute(units)
    .toString()
    .padStart(scale + 1, '0')
  const sign = units < 0n ? '-' : ''
  const point = digits.length - scale
  return scale === 0 ? sign + digits : `${sign}${digits.slice(0, point)}.${digits.slice(point)}`
}

export const isTooLong = ({ units, scale }: Decimal): boolean =>
  Math.max(absolute(units).toString().length, scale) > maxDigits

export function add(one: Decimal, other: Decimal): Decimal {
  const scale = Math.max(one.scale, other.scale)
  return { units: unitsAt(one, scale) + unitsAt(other, scale), scale }
}

export const multiply = (one: Decimal, other: Decimal): Decimal => ({
  units: one.units * other.units,
  scale: one.scale + other.scale,
})

export const negate = ({ units, scale }: Decimal): Decimal => ({ units: -units, scale })

/** With `places` decimals, 0 or more. `half-up` and `up` go away from zero, `down` towards it. */
export function round(value: Decimal, places: number, mode: RoundingMode): Decimal {
  if (value.scale <= places) return { units: unitsAt(value, places), scale: places }
  const step = 10n ** BigInt(value.scale - places)
  const whole = value.units / step
  const rest = absolute(value.units % step)
  const isNegative = value.units < 0n
  const isAway = rest > 0n && goesAway(mode, { rest: rest * 2n, step, isNegative, whole })
  return { units: whole + (isAway ? (isNegative ? -1n : 1n) : 0n), scale: places }
}

/** True for `1` and `1.00`, which are one number. */
export function areEqual(one: Decimal, other: Decimal): boolean {
  const scale = Math.max(one.scale, other.scale)
  return unitsAt(one, scale) === unitsAt(other, scale)
}

interface Remainder {
  /** Twice what is left, above 0. */
  rest: bigint
  step: bigint
  isNegative: boolean
  whole: bigint
}

function goesAway(mode: RoundingMode, { rest, step, isNegative, whole }: Remainder): boolean {
  switch (mode) {
    case 'up':
      return true
    case 'down':
      return false
    case 'ceiling':
      return !isNegative
    case 'floor':
      return isNegative
    case 'half-down':
      return rest > step
    case 'half-even':
      return rest > step || (rest === step && whole % 2n !== 0n)
    case 'half-up':
    default:
      return rest >= step
  }
}

const unitsAt = ({ units, scale }: Decimal, wanted: number) => units * 10n ** BigInt(wanted - scale)

const absolute = (value: bigint) => (value < 0n ? -value : value)
