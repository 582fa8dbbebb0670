import type { ExactJson } from '@gatehouse/contract/mapping'
import { parseDecimal } from '../../exact-decimal.ts'
import type { ProcedureParameter } from '../../procedure-types.ts'
import { plainText, refused } from '../bound.ts'
import type { Bound } from '../bound.ts'
import { integerBytes, scalar } from './wire-types.ts'

const integers: Readonly<Record<string, { bytes: number; min: bigint; max: bigint }>> = {
  tinyint: { bytes: 1, min: 0n, max: 255n },
  smallint: { bytes: 2, min: -(2n ** 15n), max: 2n ** 15n - 1n },
  int: { bytes: 4, min: -(2n ** 31n), max: 2n ** 31n - 1n },
  bigint: { bytes: 8, min: -(2n ** 63n), max: 2n ** 63n - 1n },
}

/** Binds numbers from JSON or from text with all their digits, or refuses them. */
export function bindNumber(parameter: ProcedureParameter, value: ExactJson): Bound {
  const plain = plainText(value)
  if (plain === undefined || typeof value === 'boolean') return refused(notNumber)
  const { type } = parameter
  if (type === 'float' || type === 'real') return bindFloat(type === 'float' ? 8 : 4, plain)
  const integer = integers[type]
  if (integer) return bindInteger(integer, plain)
  if (type === 'money' || type === 'smallmoney') return bindMoney(type === 'money' ? 8 : 4, plain)
  return bindDecimal(parameter, plain)
}

const notNumber = 'This value must be a number.'

function bindInteger({ bytes, min, max }: (typeof integers)[string], plain: string | null): Bound {
  if (plain === null) return { ok: true, wire: scalar([0x26, bytes], null) }
  const number = scaled(plain, 0)
  if (number === undefined) return refused('This value must be a whole number.')
  if (number < min || number > max) return refused(`This number must lie within ${min} and ${max}.`)
  return { ok: true, wire: scalar([0x26, bytes], integerBytes(number, bytes)) }
}

function bindFloat(bytes: 4 | 8, plain: string | null): Bound {
  if (plain === null) return { ok: true, wire: scalar([0x6d, bytes], null) }
  if (!parseDecimal(plain)) return refused(notNumber)
  const number = bytes === 4 ? Math.fround(Number(plain)) : Number(plain)
  if (!Number.isFinite(number)) return refused('This number is too large.')
  const value = Buffer.alloc(bytes)
  if (bytes === 4) value.writeFloatLE(number)
  else value.writeDoubleLE(number)
  return { ok: true, wire: scalar([0x6d, bytes], value) }
}

function bindMoney(bytes: 4 | 8, plain: string | null): Bound {
  if (plain === null) return { ok: true, wire: scalar([0x6e, bytes], null) }
  const number = scaled(plain, 4)
  if (number === undefined) return refused(digitsProblem(plain, 4))
  const limit = 2n ** BigInt(bytes * 8 - 1)
  if (number < -limit || number >= limit) return refused('This amount is too large.')
  if (bytes === 4) return { ok: true, wire: scalar([0x6e, 4], integerBytes(number, 4)) }
  // The higher half comes first.
  const halves = [integerBytes(number >> 32n, 4), integerBytes(number, 4)]
  return { ok: true, wire: scalar([0x6e, 8], Buffer.concat(halves)) }
}

function bindDecimal({ type, precision, scale }: ProcedureParameter, plain: string | null): Bound {
  const [digits, fraction] = [precision ?? 18, scale ?? 0]
  const bytes = digits <= 9 ? 4 : digits <= 19 ? 8 : digits <= 28 ? 12 : 16
  const info = [type === 'numeric' ? 0x6c : 0x6a, bytes + 1, digits, fraction]
  if (plain === null) return { ok: true, wire: scalar(info, null) }
  const number = scaled(plain, fraction)
  if (number === undefined) return refused(digitsProblem(plain, fraction))
  const magnitude = number < 0n ? -number : number
  if (magnitude >= 10n ** BigInt(digits)) {
    return refused(`This number has more than ${digits - fraction} digits before the point.`)
  }
  const value = Buffer.concat([Buffer.from([number < 0n ? 0 : 1]), integerBytes(magnitude, bytes)])
  return { ok: true, wire: scalar(info, value) }
}

function digitsProblem(plain: string, scale: number): string {
  return parseDecimal(plain)
    ? `This number has more than ${scale} digits behind the point.`
    : notNumber
}

/** The number as a multiple of 10^-scale; undefined where it is no number or would be rounded. */
function scaled(plain: string, scale: number): bigint | undefined {
  const decimal = parseDecimal(plain)
  if (!decimal || decimal.fraction.length > scale) return undefined
  const size = BigInt(decimal.integer + decimal.fraction.padEnd(scale, '0'))
  return decimal.isNegative ? -size : size
}
