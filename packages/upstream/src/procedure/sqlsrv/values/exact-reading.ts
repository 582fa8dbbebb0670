import { LosslessNumber } from '@gatehouse/contract/mapping'
import type { ExactJson } from '@gatehouse/contract/mapping'
import {
  readDate,
  readDateTime,
  readDateTime2,
  readDateTimeOffset,
  readDecimal,
  readMoney,
  readTime,
  timeBytes,
} from './exact-scalars.ts'
import { NotEnoughDataError, readValueOfTedious, Result } from '../tedious-internals.ts'
import type { ReadValue } from '../tedious-internals.ts'

/*
 * tedious reads decimals and money as doubles and times as Date (milliseconds), drops the offset of
 * datetimeoffset, and has no option to change that. `readExactly` reads these types from their bytes
 * with all digits and leaves all others to tedious. `patchTedious` puts it into place; `presentValue`
 * refuses a value of these types that was read some other way.
 */

type Metadata = Parameters<ReadValue>[2]
type Exact = (bytes: Buffer, scale: number) => ExactJson

/** Types with a length byte in front of the value; none for NULL. */
const withLength: Readonly<Record<string, Exact>> = {
  DecimalN: readDecimal,
  NumericN: readDecimal,
  MoneyN: readMoney,
  Date: readDate,
  Time: readTime,
  DateTime2: readDateTime2,
  DateTimeOffset: readDateTimeOffset,
  DateTimeN: readDateTime,
}

/** Types of columns that are NOT NULL. */
const fixed: Readonly<Record<string, { lengthBytes: number; read: Exact }>> = {
  Money: { lengthBytes: 8, read: readMoney },
  SmallMoney: { lengthBytes: 4, read: readMoney },
  DateTime: { lengthBytes: 8, read: readDateTime },
  SmallDateTime: { lengthBytes: 4, read: readDateTime },
}

export const readExactly: ReadValue = (buffer, offset, metadata, options) => {
  const { name } = metadata.type
  const read = withLength[name]
  if (read) {
    const length = byteAt(buffer, offset)
    if (length === 0) return new Result(null, offset + 1)
    const bytes = take(buffer, offset + 1, length)
    return new Result(read(checked(bytes, metadata), metadata.scale ?? 0), offset + 1 + length)
  }
  const whole = fixed[name]
  if (whole) {
    const bytes = take(buffer, offset, whole.lengthBytes)
    return new Result(whole.read(bytes, 0), offset + whole.lengthBytes)
  }
  if (name === 'Variant') return readVariant(buffer, offset, metadata, options)
  return readValueOfTedious(buffer, offset, metadata, options)
}

/** Refuses a length that the type can't have: its bytes would be read as another value. */
function checked(bytes: Buffer, { type, scale }: Metadata): Buffer {
  const time = timeBytes(scale ?? 0)
  const fits: Readonly<Record<string, readonly number[]>> = {
    DecimalN: [5, 9, 13, 17],
    NumericN: [5, 9, 13, 17],
    MoneyN: [4, 8],
    Date: [3],
    Time: [time],
    DateTime2: [time + 3],
    DateTimeOffset: [time + 5],
    DateTimeN: [4, 8],
  }
  if (fits[type.name]?.includes(bytes.length)) return bytes
  throw new Error(`a value of type ${type.name} has ${bytes.length} bytes`)
}

/** Each value begins with its type (MS-TDS 2.2.5.5.4). */
const readVariant: ReadValue = (buffer, offset, metadata, options) => {
  const length = take(buffer, offset, 4).readUInt32LE(0)
  if (length === 0) return new Result(null, offset + 4)
  const bytes = take(buffer, offset + 4, length)
  const [type = 0, propertyBytes = 0] = bytes
  const properties = bytes.subarray(2, 2 + propertyBytes)
  const exact = variantValue(type, properties, bytes.subarray(2 + propertyBytes))
  if (exact === undefined) return readValueOfTedious(buffer, offset, metadata, options)
  return new Result(exact, offset + 4 + length)
}

function variantValue(type: number, properties: Buffer, value: Buffer): ExactJson | undefined {
  switch (type) {
    case 0x7f:
      return new LosslessNumber(String(value.readBigInt64LE(0)))
    case 0x6a:
    case 0x6c:
      return readDecimal(value, properties[1] ?? 0)
    case 0x3c:
    case 0x7a:
      return readMoney(value)
    case 0x3a:
    case 0x3d:
      return readDateTime(value)
    case 0x28:
      return readDate(value)
    case 0x29:
      return readTime(value, properties[0] ?? 0)
    case 0x2a:
      return readDateTime2(value, properties[0] ?? 0)
    case 0x2b:
      return readDateTimeOffset(value, properties[0] ?? 0)
    default:
      return undefined
  }
}

function byteAt(buffer: Buffer, offset: number): number {
  return take(buffer, offset, 1)[0] ?? 0
}

/** When tedious catches its own error, it waits for more data and reads again. */
function take(buffer: Buffer, offset: number, length: number): Buffer {
  if (buffer.length < offset + length) throw new NotEnoughDataError(offset + length)
  return buffer.subarray(offset, offset + length)
}
