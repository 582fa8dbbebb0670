import { isLosslessNumber, parseExact, stringifyExact } from '@gatehouse/contract/mapping'
import type { ExactJson } from '@gatehouse/contract/mapping'
import type { FieldErrors } from '@gatehouse/contract'
import { decimalText, parseDecimal, toWholeNumber } from '../../exact-decimal.ts'
import { parametersFailure, setField } from '../../match-values.ts'
import type { BoundParameter } from '../../procedure-backend.ts'
import type { ProcedureParameter } from '../../procedure-types.ts'
import { isWritableIn } from './charset-fit.ts'
import { bound, unfit } from './conversion.ts'
import type { Conversion } from './conversion.ts'
import { toBinary, toBit } from './mysql-binary-values.ts'
import { isBinary } from '../mysql-outputs.ts'
import type { BoundValue } from '../answer-sink.ts'
import { toDate, toDateTime, toTime } from './mysql-time-values.ts'

/**
 * Converts values to the parameters' types, mostly to text that the server converts exactly. A server
 * without strict mode would cut and round values silently, so each value is checked here. Throws
 * `procedure.parameters` with every value that does not fit.
 */
export function toBoundValues(parameters: readonly BoundParameter[]): BoundValue[] {
  const fields: FieldErrors = {}
  const values = parameters.map(({ parameter, value }) => {
    if (value === undefined || value === null) return null
    const conversion = convert(parameter, value)
    if (conversion.ok) return conversion.value
    setField(fields, parameter.name, conversion.message)
    return null
  })
  if (Object.keys(fields).length > 0) throw parametersFailure(fields)
  return values
}

const integerBits: Readonly<Record<string, number>> = {
  tinyint: 8,
  smallint: 16,
  mediumint: 24,
  int: 32,
  bigint: 64,
}

function convert(parameter: ProcedureParameter, value: ExactJson): Conversion {
  const { type } = parameter
  const base = baseOf(parameter)
  const bits = integerBits[base]
  if (bits !== undefined) return toInteger(type, bits, value)
  if (isBinary(base)) return toBinary(parameter, value)
  switch (base) {
    case 'year':
      return toYear(value)
    case 'decimal':
      return toDecimal(parameter, value)
    case 'float':
    case 'double':
      return toFloat(value)
    case 'bit':
      return toBit(type, value)
    case 'date':
      return toDate(value)
    case 'datetime':
    case 'timestamp':
      return toDateTime(parameter.scale ?? 0, value)
    case 'time':
      return toTime(parameter.scale ?? 0, value)
    case 'json':
      return toJson(value)
    case 'enum':
    case 'set':
      return toChoice(base, type, value)
    default:
      return toText(parameter, value)
  }
}

const bases = new WeakMap<ProcedureParameter, string>()

/** The first word of the type. */
function baseOf(parameter: ProcedureParameter): string {
  const known = bases.get(parameter)
  if (known !== undefined) return known
  const [base = ''] = /^\w+/.exec(parameter.type) ?? []
  bases.set(parameter, base)
  return base
}

/** The text of a number, or of a string: values from a path or a query are strings. */
function numberText(value: ExactJson): string | undefined {
  if (isLosslessNumber(value)) return value.value
  return typeof value === 'string' ? value : undefined
}

/** The usual integers: a `number` holds them exactly and prints them the same way. */
const plainInteger = /^(?:0|-?[1-9]\d{0,14})$/

function toInteger(type: string, bits: number, value: ExactJson): Conversion {
  if (type.startsWith('tinyint(1)')) {
    if (value === true || value === 'true') return bound('1')
    if (value === false || value === 'false') return bound('0')
  }
  const text = numberText(value) ?? ''
  const isUnsigned = type.includes('unsigned')
  if (plainInteger.test(text) && Math.abs(Number(text)) < 2 ** (bits - 1)) {
    if (!isUnsigned || Number(text) >= 0) return bound(text)
  }
  const whole = toWholeNumber(text)
  if (whole === undefined) return unfit('This must be a whole number.')
  const high = 2n ** BigInt(isUnsigned ? bits : bits - 1) - 1n
  const low = isUnsigned ? 0n : -high - 1n
  if (whole < low || whole > high) return unfit(`This must be from ${low} to ${high}.`)
  return bound(String(whole))
}

function toYear(value: ExactJson): Conversion {
  const year = toWholeNumber(numberText(value) ?? '')
  const isYear = year !== undefined && (year === 0n || (year >= 1901n && year <= 2155n))
  return isYear ? bound(String(year)) : unfit('This must be a year from 1901 to 2155.')
}

function toDecimal({ type, precision, scale }: ProcedureParameter, value: ExactJson): Conversion {
  const decimal = parseDecimal(numberText(value) ?? '')
  if (!decimal) return unfit('This must be a number.')
  if (decimal.isNegative && type.includes('unsigned')) return unfit('This may not be negative.')
  const places = scale ?? 0
  const digits = decimal.integer === '0' ? 0 : decimal.integer.length
  if (decimal.fraction.length > places) {
    return unfit(`This may have at most ${places} digits after the point.`)
  }
  const before = (precision ?? 65) - places
  if (digits > before) return unfit(`This may have at most ${before} digits before the point.`)
  return bound(decimalText(decimal))
}

function toFloat(value: ExactJson): Conversion {
  const text = numberText(value)?.trim()
  const isNumber = text !== undefined && /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text)
  return isNumber && Number.isFinite(Number(text)) ? bound(text) : unfit('This must be a number.')
}

/** A string is taken as JSON text, as on MariaDB, where the type is plain text. */
function toJson(value: ExactJson): Conversion {
  if (typeof value !== 'string') return bound(stringifyExact(value))
  try {
    parseExact(value, { maxBytes: Infinity, maxDepth: 100 })
    return bound(value)
  } catch {
    return unfit('This must be JSON.')
  }
}

/** Numbers keep their text, objects and lists become JSON: MariaDB's JSON is a `longtext`. */
function toText({ maxLength, charset }: ProcedureParameter, value: ExactJson): Conversion {
  const text = typeof value === 'string' ? value : stringifyExact(value)
  if (!text.isWellFormed()) return unfit('This text holds half of a character.')
  if (!isWritableIn(charset, text)) {
    return unfit(`This holds a character that the parameter’s ${charset} does not know.`)
  }
  if (maxLength !== null && text.length > maxLength && [...text].length > maxLength) {
    return unfit(`This may not be longer than ${maxLength} characters.`)
  }
  return bound(text)
}

function toChoice(base: string, type: string, value: ExactJson): Conversion {
  const words = [...type.matchAll(/'((?:[^']|'')*)'/g)].map(([, word = '']) => word)
  const choices = new Set(words.map((word) => word.replaceAll("''", "'").toLowerCase()))
  const given = numberText(value)
  if (given === undefined) return unfit('This must be text.')
  const chosen = base === 'set' ? given.split(',').filter(Boolean) : [given]
  const isKnown = chosen.every((word) => choices.has(word.toLowerCase()))
  return isKnown ? bound(given) : unfit('This is none of the values that the parameter knows.')
}
