import { parseExact, stringifyExact } from '@gatehouse/contract/mapping'
import type { ExactJson } from '@gatehouse/contract/mapping'
import type { ProcedureParameter } from '../../procedure-types.ts'
import { bindNumber } from './bind-number.ts'
import { bindTime } from './bind-time.ts'
import { plainText, refused } from '../bound.ts'
import type { Bound } from '../bound.ts'
import { isWritableIn } from './code-page-fit.ts'
import { binary, scalar, text } from './wire-types.ts'

/**
 * Gives a value the type that the catalogue declares. Refuses a value that would be
 * rounded, cut or guessed, and a type for which no value can be given.
 */
export function bindValue(parameter: ProcedureParameter, value: ExactJson): Bound {
  const { type, maxLength } = parameter
  switch (type) {
    case 'tinyint':
    case 'smallint':
    case 'int':
    case 'bigint':
    case 'decimal':
    case 'numeric':
    case 'money':
    case 'smallmoney':
    case 'float':
    case 'real':
      return bindNumber(parameter, value)
    case 'date':
    case 'time':
    case 'datetime2':
    case 'datetimeoffset':
    case 'datetime':
    case 'smalldatetime':
      return bindTime(parameter, value)
    case 'bit':
      return bindBit(value)
    case 'uniqueidentifier':
      return bindGuid(value)
    case 'binary':
    case 'varbinary':
    case 'image':
      return bindBinary(value, maxLength)
    case 'timestamp':
      return bindBinary(value, 8)
    case 'char':
    case 'varchar':
    case 'nchar':
    case 'nvarchar':
    case 'text':
    case 'ntext':
    case 'xml':
      return bindText(parameter, value)
    case 'json':
      return bindJson(value)
    default:
      return refused(`Parameters of type ${type} cannot be given over this interface.`)
  }
}

/** Objects and lists become JSON, which procedures take as text (OPENJSON). */
function bindText({ type, maxLength, charset }: ProcedureParameter, value: ExactJson): Bound {
  const known = plainText(value)
  const plain = known === undefined ? stringifyExact(value) : known
  // SQL Server would cut it silently.
  if (maxLength !== null && (plain?.length ?? 0) > maxLength) {
    return refused(`This text is longer than ${maxLength} characters.`)
  }
  if (plain !== null && !isWritableIn(charset, plain)) {
    return refused(`This text holds a character that ${type} does not know in this database.`)
  }
  return { ok: true, wire: text(plain, maxLength) }
}

/** A string is taken as JSON text, because values from paths and queries are strings. */
function bindJson(value: ExactJson): Bound {
  if (typeof value === 'string' && !isJson(value)) return refused('This value must be JSON.')
  const plain = value === null || typeof value === 'string' ? value : stringifyExact(value)
  return { ok: true, wire: text(plain, null) }
}

function isJson(text: string): boolean {
  try {
    parseExact(text, { maxBytes: Infinity, maxDepth: 100 })
    return true
  } catch {
    return false
  }
}

const bits: Readonly<Record<string, boolean>> = { true: true, false: false, 1: true, 0: false }

function bindBit(value: ExactJson): Bound {
  const plain = plainText(value)
  const bit = typeof plain === 'string' && Object.hasOwn(bits, plain) ? bits[plain] : undefined
  if (plain !== null && bit === undefined) return refused('This value must be true or false.')
  return { ok: true, wire: scalar([0x68, 1], bit === undefined ? null : Buffer.from([+bit])) }
}

/** The first three groups are sent with their lowest byte first (MS-DTYP 2.3.4). */
const guidOrder = [3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15]

function bindGuid(value: ExactJson): Bound {
  if (value === null) return { ok: true, wire: scalar([0x24, 16], null) }
  if (typeof value !== 'string' || !/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value)) {
    return refused('This value must be a UUID.')
  }
  const plain = Buffer.from(value.replaceAll('-', ''), 'hex')
  const bytes = Buffer.from(guidOrder.map((at) => plain[at] ?? 0))
  return { ok: true, wire: scalar([0x24, 16], bytes) }
}

function bindBinary(value: ExactJson, maxLength: number | null): Bound {
  if (value === null) return { ok: true, wire: binary(null, maxLength) }
  const bytes = typeof value === 'string' ? Buffer.from(value, 'base64') : undefined
  if (!bytes || bytes.toString('base64') !== value) return refused('This value must be base64.')
  if (maxLength !== null && bytes.length > maxLength) {
    return refused(`This value is longer than ${maxLength} bytes.`)
  }
  return { ok: true, wire: binary(bytes, maxLength) }
}
