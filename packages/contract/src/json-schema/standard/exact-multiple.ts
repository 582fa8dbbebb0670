/**
 * Whether a number is a multiple of another as both are written: 0.3 is one of 0.1, which the quotient of two
 * floating-point numbers does not say. Digits are at most some 650, whatever the numbers.
 */
export function isMultiple(value: number, of: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(of)) return value % of === 0
  if (!Number.isFinite(value)) return false
  const one = decimal(value)
  const other = decimal(of)
  const shift = Math.max(one.scale, other.scale)
  const digits = one.digits * 10n ** BigInt(shift - one.scale)
  return digits % (other.digits * 10n ** BigInt(shift - other.scale)) === 0n
}

/** The number is `digits` / 10^`scale`. */
function decimal(value: number): { digits: bigint; scale: number } {
  const [, sign = '', whole = '0', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value)) ?? []
  const digits = BigInt(sign + whole + fraction)
  const scale = fraction.length - Number(exponent)
  return scale >= 0 ? { digits, scale } : { digits: digits * 10n ** BigInt(-scale), scale: 0 }
}
