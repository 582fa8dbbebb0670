/** Digits of a number, in full: no exponent, no sign on zero. */
interface Decimal {
  isNegative: boolean
  /** Without leading zeros; `0` at least. */
  integer: string
  /** Without trailing zeros; may be empty. */
  fraction: string
}

/** Reads a number as JSON or people write it. Undefined for anything else, or beyond 400 digits. */
export function parseDecimal(text: string): Decimal | undefined {
  const match = /^([+-]?)(\d{1,400})(?:\.(\d{1,400}))?(?:[eE]([+-]?\d{1,3}))?$/.exec(text.trim())
  if (!match) return undefined
  const [, sign = '', whole = '', part = '', exponent = '0'] = match
  const digits = whole + part
  const point = whole.length + Number(exponent)
  if (Math.abs(point) > 400) return undefined
  const padded = point < 0 ? '0'.repeat(-point) + digits : digits.padEnd(point, '0')
  const at = Math.max(point, 0)
  const integer = padded.slice(0, at).replace(/^0+/, '') || '0'
  const fraction = padded.slice(at).replace(/0+$/, '')
  return { isNegative: sign === '-' && (integer !== '0' || fraction !== ''), integer, fraction }
}

export function decimalText({ isNegative, integer, fraction }: Decimal): string {
  return `${isNegative ? '-' : ''}${integer}${fraction && `.${fraction}`}`
}

/** The same as a whole number; undefined where it has a fraction. */
export function toWholeNumber(text: string): bigint | undefined {
  const decimal = parseDecimal(text)
  if (!decimal || decimal.fraction !== '') return undefined
  const size = BigInt(decimal.integer)
  return decimal.isNegative ? -size : size
}
