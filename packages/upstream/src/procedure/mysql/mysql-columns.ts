import { LosslessNumber, parseExact } from '@gatehouse/contract/mapping'
import type { ExactJson } from '@gatehouse/contract/mapping'
import type { FieldPacket } from 'mysql2'
import type { ProcedureColumn } from '../procedure-types.ts'
import { doubleNumber, floatNumber, isoTime } from './values/mysql-numbers.ts'
import type { WirePacket } from './mysql2-internals.ts'
import { wireReaderOf } from './values/wire-values.ts'

/** Reads a column's value, which is not NULL, from the wire into JSON. */
export type ColumnReader = (packet: WirePacket) => ExactJson

/** Converts a value as mysql2 reads it to JSON. */
type Conversion = (value: unknown) => ExactJson

const binaryCharset = 63
const flags = { unsigned: 0x20, enum: 0x100, set: 0x800 } as const

/** By the type's number in the protocol (manual, "enum_field_types"). */
const typeNames: Readonly<Record<number, string>> = {
  0: 'decimal',
  1: 'tinyint',
  2: 'smallint',
  3: 'int',
  4: 'float',
  5: 'double',
  6: 'null',
  7: 'timestamp',
  8: 'bigint',
  9: 'mediumint',
  10: 'date',
  11: 'time',
  12: 'datetime',
  13: 'year',
  14: 'date',
  15: 'varchar',
  16: 'bit',
  242: 'vector',
  245: 'json',
  246: 'decimal',
  247: 'enum',
  248: 'set',
  249: 'tinytext',
  250: 'mediumtext',
  251: 'longtext',
  252: 'text',
  253: 'varchar',
  254: 'char',
  255: 'geometry',
}

export function columnOf(field: FieldPacket): ProcedureColumn {
  return { name: field.name, type: columnType(field) }
}

function columnType(field: FieldPacket): string {
  if (field.extendedFormat === 'json') return 'json'
  if (field.extendedTypeName !== undefined) return field.extendedTypeName
  const bits = Number(field.flags)
  const name = typeNames[field.columnType ?? 6] ?? 'unknown'
  if (isTruth(field)) return name === 'bit' ? 'bit(1)' : 'tinyint(1)'
  if ((bits & flags.enum) !== 0) return 'enum'
  if ((bits & flags.set) !== 0) return 'set'
  if (field.characterSet === binaryCharset && /text|char/.test(name)) {
    return name.replace('text', 'blob').replace('char', 'binary')
  }
  return (bits & flags.unsigned) !== 0 && /int|decimal|float|double/.test(name)
    ? `${name} unsigned`
    : name
}

/** `bit(1)` and `tinyint(1)`: the column's definition has the width, its values do not. */
const isTruth = ({ columnType: type, columnLength }: FieldPacket) =>
  columnLength === 1 && (type === 1 || type === 16)

/** One reader for each column, chosen once for all rows. */
export function readerOf(field: FieldPacket): ColumnReader {
  const read = wireReaderOf(field)
  const convert = conversionOf(field)
  return (packet) => {
    const value = read(packet)
    return value === null || value === undefined ? null : convert(value)
  }
}

function conversionOf(field: FieldPacket): Conversion {
  const { decimals, extendedTypeName } = field
  if (isTruth(field)) return readTruth
  if (field.extendedFormat === 'json') return readJson
  switch (typeNames[field.columnType ?? 6] ?? 'unknown') {
    case 'tinyint':
    case 'smallint':
    case 'mediumint':
    case 'int':
    case 'bigint':
    case 'year':
    case 'decimal':
      return (value) => new LosslessNumber(String(value))
    case 'float':
      return (value) => floatNumber(Number(value))
    case 'double':
      return (value) => doubleNumber(Number(value))
    case 'datetime':
    case 'timestamp':
    case 'time':
      return (value) => isoTime(String(value), decimals)
    case 'json':
      return readJson
    case 'geometry':
    case 'vector':
      return readNumbers
    default:
      return extendedTypeName === undefined ? readText : (value) => String(value)
  }
}

/** Text has been decoded to a string. Bytes are values without a character set. */
const readText: Conversion = (value) =>
  Buffer.isBuffer(value) ? value.toString('base64') : String(value)

const readTruth: Conversion = (value) =>
  Buffer.isBuffer(value) ? value.some((byte) => byte !== 0) : Number(value) !== 0

/** MariaDB does not check that it is JSON. A value that is not JSON is returned as text. */
const readJson: Conversion = (value) => jsonOrText(String(value))

export function jsonOrText(text: string): ExactJson {
  try {
    return parseExact(text, { maxBytes: Infinity, maxDepth: 100 })
  } catch {
    return text
  }
}

/** Coordinates, as mysql2 nests them. */
const readNumbers: Conversion = (value) => {
  if (typeof value === 'number') return doubleNumber(value)
  if (Array.isArray(value)) return value.map(readNumbers)
  if (typeof value !== 'object' || value === null) return null
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, readNumbers(each)]))
}
