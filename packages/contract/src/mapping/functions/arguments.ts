import { isLosslessNumber, LosslessNumber } from 'lossless-json'
import type { ExactJson } from '../exact/exact-types.ts'
import { showValue } from '../show-value.ts'
import {
  areEqual,
  decimalText,
  isTooLong,
  maxDigits,
  parseDecimal,
  type Decimal,
} from './decimal.ts'
import { ValueFault } from './value-fault.ts'

/** Text as it is, a number as it is written, true and false as words. Anything else is a fault. */
export function toText(value: ExactJson | undefined): string {
  if (typeof value === 'string') return value
  if (isNumber(value)) return value.value
  if (typeof value === 'boolean') return String(value)
  throw new ValueFault(`${showValue(value ?? null)} is not text.`)
}

/** A number, or text that is one. */
export function toDecimal(value: ExactJson | undefined): Decimal {
  const text = isNumber(value) ? value.value : value
  const parsed = typeof text === 'string' ? parseDecimal(text) : undefined
  if (parsed === 'too_long') throw tooLong(showValue(value ?? null))
  if (parsed) return parsed
  const kind = typeof value === 'string' ? ' (text)' : ''
  throw new ValueFault(`${showValue(value ?? null)}${kind} is not a number.`)
}

/** Whole, and between the bounds. */
export function toWhole(value: ExactJson | undefined, least: number, most: number): number {
  const { units, scale } = toDecimal(value)
  const whole = scale === 0 ? Number(units) : Number.NaN
  if (whole >= least && whole <= most) return whole
  throw new ValueFault(
    `${showValue(value ?? null)} is not a whole number from ${least} to ${most}.`,
  )
}

export function toNumber(value: Decimal): LosslessNumber {
  if (isTooLong(value)) throw tooLong('the result')
  return new LosslessNumber(decimalText(value))
}

/** Numbers by their value, so that 1 is 1.00; anything else only if it is the same kind of value. */
export function areSame(one: ExactJson | undefined, other: ExactJson): boolean {
  if (!isNumber(one) || !isNumber(other)) return one === other
  if (one.value === other.value) return true
  const [left, right] = [parseDecimal(one.value), parseDecimal(other.value)]
  return typeof left === 'object' && typeof right === 'object' && areEqual(left, right)
}

const isNumber = (value: ExactJson | undefined): value is LosslessNumber =>
  value !== undefined && isLosslessNumber(value)

const tooLong = (what: string) => new ValueFault(`${what} has more than ${maxDigits} digits.`)
