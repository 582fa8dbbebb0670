import type { TdsReader, TdsWriter } from './tds-bytes.ts'
import { readScalar, scalarLength, writeScalar } from './tds-scalars.ts'
import type { TdsTypeSpec, TdsValue } from './tds-value.ts'

/** Latin1_General_CI_AS, code page 1252 (2.2.5.1.2). */
export const latin1Collation = Buffer.from([0x09, 0x04, 0xd0, 0x00, 0x34])

/** Types of a length byte (2.2.5.4.2), and the fixed ones of the same values. */
const byteLengthTypes: Record<string, { token: number; fixed?: number }> = {
  tinyint: { token: 0x26, fixed: 0x30 },
  smallint: { token: 0x26, fixed: 0x34 },
  int: { token: 0x26, fixed: 0x38 },
  bigint: { token: 0x26, fixed: 0x7f },
  bit: { token: 0x68, fixed: 0x32 },
  real: { token: 0x6d, fixed: 0x3b },
  float: { token: 0x6d, fixed: 0x3e },
  smallmoney: { token: 0x6e, fixed: 0x7a },
  money: { token: 0x6e, fixed: 0x3c },
  smalldatetime: { token: 0x6f, fixed: 0x3a },
  datetime: { token: 0x6f, fixed: 0x3d },
  uniqueidentifier: { token: 0x24 },
  date: { token: 0x28 },
  time: { token: 0x29 },
  datetime2: { token: 0x2a },
  datetimeoffset: { token: 0x2b },
  decimal: { token: 0x6a },
  numeric: { token: 0x6c },
}

const twoByteLengthTypes: Record<string, number> = {
  varbinary: 0xa5,
  varchar: 0xa7,
  binary: 0xad,
  char: 0xaf,
  nvarchar: 0xe7,
  nchar: 0xef,
}
const longTypes: Record<string, number> = { image: 0x22, text: 0x23, ntext: 0x63 }
const xmlToken = 0xf1
const maxLength = 0xffff

/** Reads `decimal(38,10)`, `nvarchar(max)`, `datetime2(7)`, `int not null`. */
export function parseTdsType(text: string): TdsTypeSpec {
  const match = /^(\w+)(?:\((max|\d+)(?:,(\d+))?\))?( not null)?$/.exec(text)
  const name = match?.[1] ?? ''
  const [first = '', second] = [match?.[2], match?.[3]]
  const number = Number(first.replace('max', ''))
  const isDecimal = name === 'decimal' || name === 'numeric'
  return {
    name,
    precision: number || 18,
    scale: isDecimal ? Number(second ?? 0) : first === '' ? 7 : number,
    length: first === 'max' ? maxLength : (number || 1) * (name.startsWith('n') ? 2 : 1),
    isFixed: match?.[4] !== undefined,
  }
}

export function writeTypeInfo(writer: TdsWriter, type: TdsTypeSpec): void {
  const small = byteLengthTypes[type.name]
  if (small && type.isFixed && small.fixed !== undefined) writer.u8(small.fixed)
  else if (small) {
    writer.u8(small.token)
    if (['time', 'datetime2', 'datetimeoffset'].includes(type.name)) writer.u8(type.scale)
    else if (type.name !== 'date') writer.u8(scalarLength(type))
    if (['decimal', 'numeric'].includes(type.name)) writer.u8(type.precision, type.scale)
  } else if (type.name === 'xml') writer.u8(xmlToken, 0)
  else if (longTypes[type.name] !== undefined) {
    writer.u8(longTypes[type.name] ?? 0).u32(0x7fffffff)
    if (type.name !== 'image') writer.bytes(latin1Collation)
  } else {
    writer.u8(twoByteLengthTypes[type.name] ?? 0).u16(type.length)
    if (!type.name.endsWith('binary')) writer.bytes(latin1Collation)
  }
}

export function writeTypeValue(writer: TdsWriter, type: TdsTypeSpec, value: TdsValue): void {
  if (byteLengthTypes[type.name]) {
    if (value === null) return void writer.u8(0)
    const bytes = writeScalar(type, value)
    if (!type.isFixed) writer.u8(bytes.length)
    return void writer.bytes(bytes)
  }
  const bytes = value === null ? undefined : textBytes(type, value)
  if (longTypes[type.name] !== undefined) {
    if (!bytes) return void writer.u8(0)
    // TextPointer and Timestamp (2.2.5.2.1), which have no meaning today.
    return void writer.u8(16).bytes(Buffer.alloc(24)).u32(bytes.length).bytes(bytes)
  }
  if (type.length === maxLength || type.name === 'xml') return writePlp(writer, bytes)
  if (!bytes) return void writer.u16(0xffff)
  writer.u16(bytes.length).bytes(bytes)
}

/** Partially length-prefixed (2.2.5.2.3), in chunks small enough that there are several. */
function writePlp(writer: TdsWriter, bytes: Buffer | undefined) {
  writer.uint(bytes ? bytes.length : 0xffff_ffff_ffff_ffffn, 8)
  if (!bytes) return
  for (let at = 0; at < bytes.length; at += 5000) {
    const chunk = bytes.subarray(at, at + 5000)
    writer.u32(chunk.length).bytes(chunk)
  }
  writer.u32(0)
}

function textBytes(type: TdsTypeSpec, value: TdsValue): Buffer {
  if (Buffer.isBuffer(value)) return value
  const encoding = type.name.startsWith('n') || type.name === 'xml' ? 'utf16le' : 'latin1'
  return Buffer.from(String(value), encoding)
}

const namesByToken = new Map<number, string>([
  ...Object.entries(twoByteLengthTypes).map(([name, token]): [number, string] => [token, name]),
  ...Object.entries(byteLengthTypes)
    .filter(([, { fixed }]) => fixed === undefined)
    .map(([name, { token }]): [number, string] => [token, name]),
])
const namesByLength: Record<number, Record<number, string>> = {
  0x26: { 1: 'tinyint', 2: 'smallint', 4: 'int', 8: 'bigint' },
  0x68: { 1: 'bit' },
  0x6d: { 4: 'real', 8: 'float' },
  0x6e: { 4: 'smallmoney', 8: 'money' },
  0x6f: { 4: 'smalldatetime', 8: 'datetime' },
}

/** TYPE_INFO and value of a parameter (2.2.6.6), the type spelled as in `parseTdsType`. */
export function readTyped(reader: TdsReader): { type: string; value: TdsValue } {
  const token = reader.u8()
  const widths = namesByLength[token]
  const name = widths ? (widths[reader.u8()] ?? '') : namesByToken.get(token)
  if (!name) throw new RangeError(`a parameter of type 0x${token.toString(16)}`)
  if (twoByteLengthTypes[name] !== undefined) return readText(reader, name)
  let type = name
  if (name === 'decimal' || name === 'numeric') {
    reader.u8()
    type = `${name}(${reader.u8()},${reader.u8()})`
  } else if (['time', 'datetime2', 'datetimeoffset'].includes(name))
    type = `${name}(${reader.u8()})`
  else if (name === 'uniqueidentifier') reader.u8()
  const length = reader.u8()
  return { type, value: length === 0 ? null : readScalar(parseTdsType(type), reader.bytes(length)) }
}

function readText(reader: TdsReader, name: string): { type: string; value: TdsValue } {
  const length = reader.u16()
  if (!name.endsWith('binary')) reader.bytes(5)
  const width = name.startsWith('n') ? 2 : 1
  const type = `${name}(${length === maxLength ? 'max' : length / width})`
  const bytes = length === maxLength ? readPlp(reader) : readShort(reader)
  if (!bytes || name.endsWith('binary')) return { type, value: bytes ?? null }
  return { type, value: bytes.toString(width === 2 ? 'utf16le' : 'latin1') }
}

function readShort(reader: TdsReader): Buffer | undefined {
  const length = reader.u16()
  return length === 0xffff ? undefined : reader.bytes(length)
}

function readPlp(reader: TdsReader): Buffer | undefined {
  if (reader.uint(8) === 0xffff_ffff_ffff_ffffn) return undefined
  const chunks: Buffer[] = []
  for (let length = reader.u32(); length > 0; length = reader.u32())
    chunks.push(reader.bytes(length))
  return Buffer.concat(chunks)
}
