import { LosslessNumber } from '@gatehouse/contract/mapping'

const dayMs = 86_400_000
/** Dates count from 0001-01-01, `datetime` from 1900-01-01 (MS-TDS 2.2.5.5.1). */
const yearOne = Date.UTC(2000, 0, 1) - 730_119 * dayMs
const year1900 = Date.UTC(1900, 0, 1)
const ticksPerDay = 864_000_000_000n

export const dayNumber = (date: string): number => dayNumberFrom(yearOne, date)
export const dayNumberSince1900 = (date: string): number => dayNumberFrom(year1900, date)

function dayNumberFrom(origin: number, date: string): number {
  return (Date.parse(`${date}T00:00:00Z`) - origin) / dayMs
}

/** Bytes that the time of day takes for this many fraction digits. */
export function timeBytes(scale: number): number {
  if (scale <= 2) return 3
  return scale <= 4 ? 4 : 5
}

function littleEndian(bytes: Uint8Array): bigint {
  let value = 0n
  for (let at = bytes.length - 1; at >= 0; at--) value = (value << 8n) | BigInt(bytes[at] ?? 0)
  return value
}

/** All digits of a decimal, with `scale` of them after the point. */
function decimalText(scaled: bigint, scale: number): string {
  const digits = String(scaled < 0n ? -scaled : scaled).padStart(scale + 1, '0')
  const sign = scaled < 0n ? '-' : ''
  if (scale === 0) return sign + digits
  return `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}

/** `decimal`, `numeric`: a sign, then the magnitude. */
export function readDecimal(bytes: Buffer, scale: number): LosslessNumber {
  const magnitude = littleEndian(bytes.subarray(1))
  return new LosslessNumber(decimalText(bytes[0] === 0 ? -magnitude : magnitude, scale))
}

/** `smallmoney` in 4 bytes; `money` in 8, the higher half first. */
export function readMoney(bytes: Buffer): LosslessNumber {
  if (bytes.length === 4) return new LosslessNumber(decimalText(BigInt(bytes.readInt32LE(0)), 4))
  const scaled = (BigInt(bytes.readInt32LE(0)) << 32n) | BigInt(bytes.readUInt32LE(4))
  return new LosslessNumber(decimalText(scaled, 4))
}

export function readDate(bytes: Buffer): string {
  return new Date(yearOne + Number(littleEndian(bytes)) * dayMs).toISOString().slice(0, 10)
}

export function readTime(bytes: Buffer, scale: number): string {
  const units = littleEndian(bytes)
  const perSecond = 10n ** BigInt(scale)
  const clock = clockText(Number(units / perSecond))
  return scale === 0 ? clock : `${clock}.${String(units % perSecond).padStart(scale, '0')}`
}

export function readDateTime2(bytes: Buffer, scale: number): string {
  const length = timeBytes(scale)
  const date = readDate(bytes.subarray(length, length + 3))
  return `${date}T${readTime(bytes.subarray(0, length), scale)}`
}

/** The bytes have the time in UTC, then the offset. The text has the local time and the offset. */
export function readDateTimeOffset(bytes: Buffer, scale: number): string {
  const length = timeBytes(scale)
  const offset = bytes.readInt16LE(length + 3)
  const unit = 10n ** BigInt(7 - scale)
  const days = littleEndian(bytes.subarray(length, length + 3))
  const ticks = days * ticksPerDay + littleEndian(bytes.subarray(0, length)) * unit
  const local = ticks + BigInt(offset) * 600_000_000n
  const time = Buffer.alloc(8)
  time.writeBigUInt64LE((((local % ticksPerDay) + ticksPerDay) % ticksPerDay) / unit)
  const day = Buffer.alloc(8)
  day.writeBigInt64LE(local / ticksPerDay)
  return `${readDate(day.subarray(0, 3))}T${readTime(time, scale)}${offsetText(offset)}`
}

/** `datetime` counts 1/300 s, shown rounded to the millisecond as SQL Server shows it. */
export function readDateTime(bytes: Buffer): string {
  const isSmall = bytes.length === 4
  const days = isSmall ? bytes.readUInt16LE(0) : bytes.readInt32LE(0)
  const ms = isSmall ? bytes.readUInt16LE(2) * 60_000 : Math.round((bytes.readUInt32LE(4) * 10) / 3)
  const text = new Date(year1900 + days * dayMs + ms).toISOString()
  return text.slice(0, isSmall ? 19 : 23)
}

function clockText(seconds: number): string {
  const two = (value: number) => String(value).padStart(2, '0')
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
}

function offsetText(minutes: number): string {
  const two = (value: number) => String(value).padStart(2, '0')
  const size = Math.abs(minutes)
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`
}
