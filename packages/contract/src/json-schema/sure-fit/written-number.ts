import { kinds, type SurePart } from './sure-part.ts'
import { byteAt, isDigit } from './written-json.ts'

/** A number of so many digits is read exactly, and so is the power of ten that it is divided by. */
const exactDigits = 15
/** A number of so many digits is finite. */
const finiteDigits = 300

const minus = 0x2d
const dot = 0x2e
const zero = 0x30
const powersOfTen = Array.from({ length: exactDigits + 1 }, (_, at) => 10 ** at)

/**
 * Where a number ends, or -1 where it may not fit the part. Unsure of one with an exponent, and of 1.0 where integers
 * are asked for.
 */
export function afterNumber(part: SurePart, bytes: Uint8Array, from: number): number {
  const isNegative = byteAt(bytes, from) === minus
  const start = isNegative ? from + 1 : from
  let value = 0
  let at = start
  let byte = byteAt(bytes, at)
  while (isDigit(byte)) {
    value = value * 10 + (byte - zero)
    byte = byteAt(bytes, ++at)
  }
  let digits = at - start
  if (digits === 0 || (digits > 1 && bytes[start] === zero)) return -1
  let kind: number = kinds.integer
  let scale = 0
  if (byte === dot) {
    kind = kinds.number
    byte = byteAt(bytes, ++at)
    while (isDigit(byte)) {
      value = value * 10 + (byte - zero)
      scale++
      byte = byteAt(bytes, ++at)
    }
    if (scale === 0) return -1
    digits += scale
  }
  // `e` and `E`.
  if ((byte | 0x20) === 0x65 || (part.kinds & kind) === 0 || digits > finiteDigits) return -1
  if (part.number === null) return at
  if (digits > exactDigits) return -1
  const size = value / (powersOfTen[scale] as number)
  const { least, most, above, below } = part.number
  const number = isNegative ? -size : size
  return number >= least && number <= most && number > above && number < below ? at : -1
}
