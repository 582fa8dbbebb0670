import { TYPES } from 'tedious'
import type { DataType } from 'tedious/lib/data-type.js'

/** A parameter ready to be sent: its type for tedious, and its value in the type's own form. */
export interface WireValue {
  type: DataType
  value: string | Buffer | null
  /** In characters or bytes; tedious sends lengths beyond the type's own bound as max. */
  length?: number
}

/**
 * A type whose TYPE_INFO and value bytes are written here: tedious would convert decimals and money to
 * doubles and times to Date. Only for types with one length byte (MS-TDS 2.2.5.4.2).
 */
export function scalar(typeInfo: readonly number[], value: Buffer | null): WireValue {
  const info = Buffer.from(typeInfo)
  const type: DataType = {
    id: typeInfo[0] ?? 0,
    type: 'EXACT',
    name: 'Exact',
    declaration: () => '',
    validate: (given: unknown) => given,
    resolve: (parameter) => ({ value: parameter.value }),
    writeTypeInfo: (buffer) => buffer.writeBuffer(info),
    writeValue: (buffer) => {
      buffer.writeUInt8(value?.length ?? 0)
      if (value) buffer.writeBuffer(value)
    },
  }
  return { type, value }
}

/** Any character type: sent as Unicode, which the server converts to the parameter's code page. */
export function text(value: string | null, maxLength: number | null): WireValue {
  const longest = TYPES.NVarChar.maximumLength
  const isShort = maxLength !== null && maxLength <= longest
  return { type: TYPES.NVarChar, value, length: isShort ? Math.max(1, maxLength) : longest + 1 }
}

export function binary(value: Buffer | null, maxLength: number | null): WireValue {
  const longest = TYPES.VarBinary.maximumLength
  const isShort = maxLength !== null && maxLength <= longest
  return { type: TYPES.VarBinary, value, length: isShort ? Math.max(1, maxLength) : longest + 1 }
}

export function integerBytes(value: bigint, lengthBytes: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64LE(BigInt.asIntN(64, value))
  return lengthBytes <= 8 ? bytes.subarray(0, lengthBytes) : wide(value, lengthBytes)
}

function wide(value: bigint, lengthBytes: number): Buffer {
  const bytes = Buffer.alloc(lengthBytes)
  let rest = value
  for (let at = 0; at < lengthBytes; at++, rest >>= 8n) bytes[at] = Number(rest & 0xffn)
  return bytes
}
