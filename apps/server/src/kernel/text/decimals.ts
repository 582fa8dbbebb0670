const decimal = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,4}))?$/
/** Longer ones, written out, would cost more than any amount is worth. */
const digitsMax = 1000

/** A decimal as a whole number of units of 10^-scale. */
interface Decimal {
  units: bigint
  scale: number
}

/** Undefined for a text that is no decimal number, or one with more than a thousand digits. */
function read(text: string): Decimal | undefined {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = decimal.exec(text.trim()) ?? []
  if (whole === '' || whole.length + fraction.length > digitsMax) return undefined
  const scale = fraction.length - Number(exponent)
  if (Math.abs(scale) > digitsMax) return undefined
  const units = BigInt(`${sign}${whole}${fraction}`)
  return scale < 0 ? { units: units * 10n ** BigInt(-scale), scale: 0 } : { units, scale }
}

export const isDecimal = (text: string): boolean => read(text) !== undefined

/**
 * Compares two decimal numbers exactly, however they are written: 1.10 is 1.1 and 11e-1. Negative where the
 * first is less, 0 where they are equal. Undefined where one of them is no decimal number.
 */
export function compareDecimals(first: string, second: string): number | undefined {
  const a = read(first)
  const b = read(second)
  if (!a || !b) return undefined
  const scale = Math.max(a.scale, b.scale)
  const unitsOf = ({ units, scale: own }: Decimal) => units * 10n ** BigInt(scale - own)
  const difference = unitsOf(a) - unitsOf(b)
  return difference === 0n ? 0 : difference < 0n ? -1 : 1
}
