import { LosslessNumber } from '@gatehouse/contract/mapping'

/** The shortest number that is the same double. */
export const doubleNumber = (value: number) => new LosslessNumber(String(value))

/** The shortest number that is the same 4-byte float: 0.1, not 0.10000000149011612. */
export function floatNumber(value: number): LosslessNumber {
  const single = Math.fround(value)
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(single.toPrecision(digits))
    if (Math.fround(short) === single) return doubleNumber(short)
  }
  return doubleNumber(Number(single.toPrecision(9)))
}

/**
 * ISO 8601 with exactly the declared number of fraction digits. The server leaves them out where
 * they are zero. A `scale` above 6 means that none were declared.
 */
export function isoTime(text: string, scale: number): string {
  const [whole = '', fraction = ''] = text.replace(' ', 'T').split('.')
  const digits = scale > 6 ? fraction : fraction.slice(0, scale).padEnd(scale, '0')
  return digits === '' ? whole : `${whole}.${digits}`
}
