import type { FieldPacket } from 'mysql2'
import type { ProcedureColumn } from '../procedure-types.ts'
import { columnOf, readerOf } from './mysql-columns.ts'
import type { ColumnReader } from './mysql-columns.ts'

/** Of the record sets of one statement, those whose shapes are kept for the next call. */
export const shapesKept = 20

/** How to read one record set: worked out once, as long as the server describes it alike. */
export interface RecordsetShape {
  fields: readonly FieldPacket[]
  columns: readonly ProcedureColumn[]
  readers: readonly ColumnReader[]
}

export function shapeOf(fields: readonly FieldPacket[]): RecordsetShape {
  return { fields, columns: fields.map(columnOf), readers: fields.map(readerOf) }
}

/** Compares all that `columnOf` and `readerOf` look at. */
export function isShapeOf(shape: RecordsetShape, fields: readonly FieldPacket[]): boolean {
  if (shape.fields.length !== fields.length) return false
  return fields.every((field, index) => {
    const known = shape.fields[index]
    return (
      known !== undefined &&
      known.name === field.name &&
      known.columnType === field.columnType &&
      known.flags === field.flags &&
      known.columnLength === field.columnLength &&
      known.characterSet === field.characterSet &&
      known.decimals === field.decimals &&
      known.extendedTypeName === field.extendedTypeName &&
      known.extendedFormat === field.extendedFormat
    )
  })
}
