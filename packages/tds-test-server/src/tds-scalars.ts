import { TdsReader, TdsWriter } from './tds-bytes.ts'
import type { TdsTypeSpec, TdsValue } from './tds-value.ts'

const integerLength: Record<string, number> = { tinyint: 1, smallint: 2, int: 4, bigint: 8 }
const otherLength: Record<string, number> = {
  bit: 1,
  real: 4,
  float: 8,
  smallmoney: 4,
  money: 8,
  smalldatetime: 4,
  datetime: 8,
  uniqueidentifier: 16,
}

/** The length that TYPE_INFO names. */
export function scalarLength({ name, precision }: TdsTypeSpec): number {
  if (name !== 'decimal' && name !== 'numeric') return integerLength[name] ?? otherLength[name] ?? 0
  return precision <= 9 ? 5 : precision <= 19 ? 9 : precision <= 28 ? 13 : 17
}

/** The bytes of a value, without a length (MS-TDS 2.2.5.5). */
export function writeScalar(type: TdsTypeSpec, value: TdsValue): Buffer {
  const text = String(value)
  const writer = new TdsWriter()
  const width = integerLength[type.name]
  if (width !== undefined) return writer.uint(BigInt(text), width).done()
  switch (type.name) {
    case 'bit':
      return Buffer.from([value === true || text === '1' ? 1 : 0])
    case 'real':
    case 'float': {
      const bytes = Buffer.alloc(type.name === 'real' ? 4 : 8)
      if (type.name === 'real') bytes.writeFloatLE(Number(text))
      else bytes.writeDoubleLE(Number(text))
      return bytes
    }
    case 'decimal':
    case 'numeric': {
      const scaled = scaledInteger(text, type.scale)
      const sign = scaled < 0n ? 0 : 1
      const magnitude = scaled < 0n ? -scaled : scaled
      return writer
        .u8(sign)
        .uint(magnitude, scalarLength(type) - 1)
        .done()
    }
    case 'smallmoney':
      return writer.uint(scaledInteger(text, 4), 4).done()
    case 'money': {
      // The higher half comes first.
      const scaled = BigInt.asUintN(64, scaledInteger(text, 4))
      return writer
        .uint(scaled >> 32n, 4)
        .uint(scaled & 0xffff_ffffn, 4)
        .done()
    }
    case 'uniqueidentifier':
      return guidBytes(text)
    default:
      return writeTime(type, text)
  }
}

export function readScalar(type: TdsTypeSpec, bytes: Buffer): TdsValue {
  const reader = new TdsReader(bytes)
  if (type.name === 'tinyint') return String(reader.uint(1))
  if (integerLength[type.name] !== undefined) return String(reader.int(bytes.length))
  switch (type.name) {
    case 'bit':
      return reader.u8() === 1
    case 'real':
      return bytes.readFloatLE()
    case 'float':
      return bytes.readDoubleLE()
    case 'decimal':
    case 'numeric': {
      const sign = reader.u8() === 0 ? -1n : 1n
      return decimalText(sign * reader.uint(bytes.length - 1), type.scale)
    }
    case 'smallmoney':
      return decimalText(reader.int(4), 4)
    case 'money':
      return decimalText((reader.int(4) << 32n) | reader.uint(4), 4)
    case 'uniqueidentifier':
      return guidText(bytes)
    default:
      return readTime(type, bytes)
  }
}

function scaledInteger(text: string, scale: number): bigint {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text)
  if (!match) throw new RangeError(`${text} is not a decimal`)
  const digits = (match[2] ?? '') + (match[3] ?? '').padEnd(scale, '0').slice(0, scale)
  return match[1] === '-' ? -BigInt(digits) : BigInt(digits)
}

function decimalText(scaled: bigint, scale: number): string {
  const digits = String(scaled < 0n ? -scaled : scaled).padStart(scale + 1, '0')
  const whole = digits.slice(0, digits.length - scale)
  return `${scaled < 0n ? '-' : ''}${whole}${scale > 0 ? `.${digits.slice(-scale)}` : ''}`
}

const guidOrder = [3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15]

function guidBytes(text: string): Buffer {
  const plain = Buffer.from(text.replaceAll('-', ''), 'hex')
  return Buffer.from(guidOrder.map((at) => plain[at] ?? 0))
}

function guidText(bytes: Buffer): string {
  const hex = Buffer.from(guidOrder.map((at) => bytes[at] ?? 0)).toString('hex')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

const dayMs = 86_400_000
const yearOne = Date.UTC(2000, 0, 1) - 730_119 * dayMs
const year1900 = Date.UTC(1900, 0, 1)
const daysFrom = (origin: number, date: string) =>
  Math.round((Date.parse(`${date}T00:00:00Z`) - origin) / dayMs)
const dateFrom = (origin: number, days: number) =>
  new Date(origin + days * dayMs).toISOString().slice(0, 10)

/** `2026-11-21T07:58:40.1234567+02:00`, or the parts of it that a type has. */
function writeTime({ name, scale }: TdsTypeSpec, text: string): Buffer {
  const match = /^(?:(\d{4}-\d\d-\d\d)T?)?([\d:.]+)?([+-]\d\d:\d\d)?$/.exec(text)
  const date = match?.[1] ?? '1900-01-01'
  const [hours = '0', minutes = '0', seconds = '0'] = (match?.[2] ?? '0:0:0').split(':')
  const whole = (Number(hours) * 60 + Number(minutes)) * 60 + Math.floor(Number(seconds))
  const fraction = (seconds.split('.')[1] ?? '').padEnd(7, '0')
  const writer = new TdsWriter()
  if (name === 'smalldatetime') {
    return writer
      .u16(daysFrom(year1900, date))
      .u16(Math.floor(whole / 60))
      .done()
  }
  if (name === 'datetime') {
    const ticks = whole * 300 + Math.round((Number(fraction) * 300) / 1e7)
    return writer.u32(daysFrom(year1900, date)).u32(ticks).done()
  }
  const offset = offsetMinutes(match?.[3])
  let ticks = BigInt(whole) * 10n ** BigInt(scale) + BigInt(fraction.slice(0, scale) || '0')
  ticks -= BigInt(offset * 60) * 10n ** BigInt(scale)
  const perDay = 86_400n * 10n ** BigInt(scale)
  const dayShift = ticks < 0n ? -1 : ticks >= perDay ? 1 : 0
  if (name !== 'date') writer.uint(ticks - BigInt(dayShift) * perDay, timeBytes(scale))
  if (name !== 'time') writer.uint(daysFrom(yearOne, date) + dayShift, 3)
  if (name === 'datetimeoffset') writer.uint(offset, 2)
  return writer.done()
}

function readTime({ name, scale }: TdsTypeSpec, bytes: Buffer): string {
  const reader = new TdsReader(bytes)
  if (name === 'date') return dateFrom(yearOne, Number(reader.uint(3)))
  if (name === 'smalldatetime' || name === 'datetime') {
    const isSmall = name === 'smalldatetime'
    const date = dateFrom(year1900, Number(isSmall ? reader.uint(2) : reader.int(4)))
    const seconds = isSmall ? reader.u16() * 60 : reader.u32() / 300
    return `${date}T${new Date(Math.round(seconds * 1000)).toISOString().slice(11, 23)}`
  }
  const ticks = reader.uint(timeBytes(scale))
  const perSecond = 10n ** BigInt(scale)
  const clock = new Date(Number(ticks / perSecond) * 1000).toISOString().slice(11, 19)
  const time = scale > 0 ? `${clock}.${String(ticks % perSecond).padStart(scale, '0')}` : clock
  if (name === 'time') return time
  const date = dateFrom(yearOne, Number(reader.uint(3)))
  if (name === 'datetime2') return `${date}T${time}`
  // As it is on the wire: the time in UTC, and the offset beside it.
  return `${date}T${time}Z ${reader.int(2)}`
}

const timeBytes = (scale: number) => (scale <= 2 ? 3 : scale <= 4 ? 4 : 5)

function offsetMinutes(text: string | undefined): number {
  const match = /^([+-])(\d\d):(\d\d)$/.exec(text ?? '')
  if (!match) return 0
  return (match[1] === '-' ? -1 : 1) * (Number(match[2]) * 60 + Number(match[3]))
}
