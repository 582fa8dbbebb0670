import { LosslessNumber } from '@gatehouse/contract/mapping'
import type { ExactJson } from '@gatehouse/contract/mapping'
import type { ProcedureParameter } from '../procedure-types.ts'
import { jsonOrText } from './mysql-columns.ts'
import { doubleNumber, floatNumber, isoTime } from './values/mysql-numbers.ts'

/**
 * The value of an OUT or INOUT parameter, from the text of the session variable that held it. A
 * variable knows five types only, so the parameter's own type says what the text means.
 */
export function toOutput({ type, scale }: ProcedureParameter, bytes: Buffer | null): ExactJson {
  if (bytes === null) return null
  const text = bytes.toString('utf8')
  const [base = ''] = /^\w+/.exec(type) ?? []
  switch (base) {
    case 'tinyint':
      return type.startsWith('tinyint(1)') ? text !== '0' : new LosslessNumber(text)
    case 'smallint':
    case 'mediumint':
    case 'int':
    case 'bigint':
    case 'year':
    case 'decimal':
      return new LosslessNumber(text)
    case 'float':
      return floatNumber(Number(text))
    case 'double':
      return doubleNumber(Number(text))
    case 'bit':
      return bitOutput(type, text)
    case 'datetime':
    case 'timestamp':
    case 'time':
      return isoTime(text, scale ?? 0)
    case 'json':
      return jsonOrText(text)
    default:
      return isBinary(base) ? bytes.toString('base64') : text
  }
}

/** Like a column of the type: `bit(1)` a boolean, more bits base64 of their bytes. */
function bitOutput(type: string, text: string): ExactJson {
  const width = Number(/\d+/.exec(type)?.[0] ?? 1)
  const value = BigInt(text)
  if (width === 1) return value !== 0n
  const digits = Math.ceil(width / 8) * 2
  return Buffer.from(value.toString(16).padStart(digits, '0'), 'hex').toString('base64')
}

/** Types whose bytes have no character set. */
export const isBinary = (base: string) =>
  /^(?:binary|varbinary|tinyblob|blob|mediumblob|longblob|vector|geometry|point|linestring|polygon|multi\w+|geomcollection|geometrycollection)$/.test(
    base,
  )
