import { isLosslessNumber } from '@gatehouse/contract/mapping'
import type { ExactJson } from '@gatehouse/contract/mapping'
import { toWholeNumber } from '../../exact-decimal.ts'
import type { ProcedureParameter } from '../../procedure-types.ts'
import { bound, unfit } from './conversion.ts'
import type { Conversion } from './conversion.ts'

/** Base64, with or without padding, in the standard or the URL alphabet. */
export function toBinary({ maxLength }: ProcedureParameter, value: ExactJson): Conversion {
  const bytes = typeof value === 'string' ? fromBase64(value) : undefined
  if (!bytes) return unfit('This must be base64.')
  if (maxLength !== null && bytes.length > maxLength) {
    return unfit(`This may not be longer than ${maxLength} bytes.`)
  }
  return bound(bytes)
}

/** `bit(1)`: true, false, 1 or 0. More bits: base64 of their bytes, as in answers, or a number. */
export function toBit(type: string, value: ExactJson): Conversion {
  const width = Number(/\d+/.exec(type)?.[0] ?? 1)
  const bits = width === 1 ? toOneBit(value) : toBits(value)
  if (bits === undefined) return unfit(width === 1 ? 'This must be true or false.' : notBits)
  if (bits < 0n || bits >= 2n ** BigInt(width)) return unfit(`This has more than ${width} bits.`)
  const digits = Math.ceil(width / 8) * 2
  return bound(Buffer.from(bits.toString(16).padStart(digits, '0'), 'hex'))
}

const notBits = 'This must be base64 or a whole number.'

function toOneBit(value: ExactJson): bigint | undefined {
  if (value === true || value === 'true') return 1n
  if (value === false || value === 'false') return 0n
  return toBits(isLosslessNumber(value) ? value : undefined) ?? toWholeNumber(textOf(value))
}

function toBits(value: ExactJson | undefined): bigint | undefined {
  if (isLosslessNumber(value)) return toWholeNumber(value.value)
  if (typeof value !== 'string') return undefined
  const bytes = fromBase64(value)
  return bytes && BigInt(`0x0${bytes.toString('hex')}`)
}

const textOf = (value: ExactJson) => (typeof value === 'string' ? value : '')

function fromBase64(text: string): Buffer | undefined {
  if (!/^[\w+/-]*={0,2}$/.test(text)) return undefined
  const bytes = Buffer.from(text, 'base64')
  const isWhole =
    bytes.toString('base64url') ===
    text.replace(/=+$/, '').replaceAll('+', '-').replaceAll('/', '_')
  return isWhole ? bytes : undefined
}
