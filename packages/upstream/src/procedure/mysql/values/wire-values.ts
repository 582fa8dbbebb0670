import type { FieldPacket } from 'mysql2'
import type { WirePacket } from '../mysql2-internals.ts'

/** Reads the next value of a row of the binary protocol, as mysql2 would with all numbers exact. */
export type WireReader = (packet: WirePacket) => unknown

const binaryCharset = 63
const unsignedFlag = 0x20

/** By the type's number in the protocol (manual, "enum_field_types"). Not for NULL. */
export function wireReaderOf(field: FieldPacket): WireReader {
  const { columnType = 6, decimals, characterSet, encoding, extendedFormat } = field
  const isUnsigned = (Number(field.flags) & unsignedFlag) !== 0
  if (extendedFormat === 'json') return (packet) => packet.readLengthCodedString(encoding)
  switch (columnType) {
    case 0: // decimal
    case 246:
      return readAscii
    case 1: // tinyint
      return isUnsigned ? (packet) => packet.readInt8() : (packet) => packet.readSInt8()
    case 2: // smallint
      return isUnsigned ? (packet) => packet.readInt16() : (packet) => packet.readSInt16()
    case 3: // int
    case 9: // mediumint
      return isUnsigned ? (packet) => packet.readInt32() : (packet) => packet.readSInt32()
    case 4:
      return (packet) => packet.readFloat()
    case 5:
      return (packet) => packet.readDouble()
    case 6:
      return () => null
    case 7: // timestamp
    case 10: // date
    case 12: // datetime
    case 14:
      return (packet) => packet.readDateTimeString(decimals, null, columnType)
    case 8: // bigint
      return isUnsigned
        ? (packet) => packet.readInt64String()
        : (packet) => packet.readSInt64String()
    case 11:
      return (packet) => packet.readTimeString()
    case 13: // year
      return (packet) => packet.readInt16()
    case 242:
      return (packet) => packet.parseVector()
    case 245: // json, whose character set says binary
      return (packet) => packet.readLengthCodedString('utf8')
    case 255:
      return (packet) => packet.parseGeometryValue()
    default:
      return characterSet === binaryCharset
        ? (packet) => packet.readLengthCodedBuffer()
        : (packet) => packet.readLengthCodedString(encoding)
  }
}

const readAscii: WireReader = (packet) => packet.readLengthCodedString('ascii')

/**
 * Reads one row into `values`. The readers go through the packet in order. The server states all
 * lengths, so a row that ends within a value is refused.
 */
export function readRow(
  packet: WirePacket,
  readers: readonly WireReader[],
  values: unknown[],
): void {
  const count = readers.length
  const { buffer } = packet
  const nulls = packet.offset + 1
  packet.offset = nulls + ((count + 9) >> 3)
  for (let index = 0; index < count; index++) {
    const bit = index + 2
    const isNull = ((buffer[nulls + (bit >> 3)] ?? 0) & (1 << (bit & 7))) !== 0
    values[index] = isNull ? null : readers[index]?.(packet)
  }
  if (packet.offset > packet.end) throw new Error('A row ends within a value.')
}
