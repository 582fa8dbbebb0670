import { isLosslessNumber, LosslessNumber } from '@gatehouse/contract/mapping'
import type { ExactJson } from '@gatehouse/contract/mapping'

/** What tedious reports about a column or an output. */
export interface TediousMetadata {
  type: { name: string }
  dataLength?: number | undefined
}

/** By the length of their values. */
const typesByLength: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  IntN: { 1: 'tinyint', 2: 'smallint', 4: 'int', 8: 'bigint' },
  FloatN: { 4: 'real', 8: 'float' },
  MoneyN: { 4: 'smallmoney', 8: 'money' },
  DateTimeN: { 4: 'smalldatetime', 8: 'datetime' },
}

const typesByName: Readonly<Record<string, string>> = {
  BitN: 'bit',
  DecimalN: 'decimal',
  NumericN: 'numeric',
  Variant: 'sql_variant',
  UDT: 'udt',
}

/** The database's own name of a column's type, without length. */
export function typeNameOf({ type, dataLength }: TediousMetadata): string {
  const byLength = typesByLength[type.name]?.[dataLength ?? 0]
  return byLength ?? typesByName[type.name] ?? type.name.toLowerCase()
}

/**
 * A value as JSON: numbers with all their digits, binary as base64, times as ISO 8601 text.
 * Throws where a value was not read exactly (see exact-reading.ts).
 */
export function presentValue(value: unknown, metadata: TediousMetadata): ExactJson {
  if (value === null || value === undefined) return null
  if (typeof value === 'boolean') return value
  if (isExactNumber(value)) return value
  if (Buffer.isBuffer(value)) return value.toString('base64')
  const type = typeNameOf(metadata)
  if (typeof value === 'string') return type === 'bigint' ? new LosslessNumber(value) : value
  if (typeof value === 'number' && !readElsewhere.has(type)) {
    return new LosslessNumber(type === 'real' ? shortestOfReal(value) : String(value))
  }
  throw new TypeError(`a value of type ${type} was not read with all its digits`)
}

const isExactNumber = (value: unknown): value is LosslessNumber => isLosslessNumber(value)

const readElsewhere = new Set(['decimal', 'numeric', 'money', 'smallmoney'])

/** A `real` has 24 bits: the shortest text that leads back to it, not that of its double. */
function shortestOfReal(value: number): string {
  for (let digits = 1; digits <= 9; digits++) {
    const text = value.toPrecision(digits)
    if (Math.fround(Number(text)) === value) return String(Number(text))
  }
  return String(value)
}
