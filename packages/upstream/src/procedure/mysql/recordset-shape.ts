import type { FieldPacket } from 'mysql2'
import type { ProcedureColumn } from '../procedure-types.ts'
import { columnOf, readerOf } from './mysql-columns.ts'
import type { ColumnReader } from './mysql-columns.ts'
import type { WirePacket } from './mysql2-internals.ts'
import { wireReaderOf } from './values/wire-values.ts'
import type { WireReader } from './values/wire-values.ts'

/** Number of record sets of one statement whose shapes are kept for the next call. */
export const shapesKept = 20

/** How to read one record set. Reused as long as the server sends byte for byte the same definitions. */
export interface RecordsetShape {
  readonly columns: readonly ProcedureColumn[]
  /** Into JSON. */
  readonly readers: readonly ColumnReader[]
  /** As mysql2 reads. */
  readonly wireReaders: readonly WireReader[]
  readonly definitions: readonly Buffer[]
}

export interface GrowingShape extends RecordsetShape {
  columns: ProcedureColumn[]
  readers: ColumnReader[]
  wireReaders: WireReader[]
  definitions: Buffer[]
}

/** A shape that begins with the first columns of another. */
export function startShape(known: RecordsetShape | undefined, count: number): GrowingShape {
  return {
    columns: known?.columns.slice(0, count) ?? [],
    readers: known?.readers.slice(0, count) ?? [],
    wireReaders: known?.wireReaders.slice(0, count) ?? [],
    definitions: known?.definitions.slice(0, count) ?? [],
  }
}

/** Copies the bytes, so that the chunk they came in can be freed. */
export function addColumn(shape: GrowingShape, definition: Buffer, field: FieldPacket): void {
  shape.columns.push(columnOf(field))
  shape.readers.push(readerOf(field))
  shape.wireReaders.push(wireReaderOf(field))
  shape.definitions.push(Buffer.from(definition))
}

/** Whether the packet, unread, describes the shape's column at this place. */
export function describes(packet: WirePacket, shape: RecordsetShape, place: number): boolean {
  const { buffer, offset, end } = packet
  const known = shape.definitions[place]
  return (
    known !== undefined && known.length === end - offset && known.compare(buffer, offset, end) === 0
  )
}
