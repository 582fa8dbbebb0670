import type { RecordsetShape } from './recordset-shape.ts'
import type { WireReader } from './wire-values.ts'

/** A value as it is bound: text that the server converts exactly, bytes, a small number, NULL. */
export type BoundValue = string | number | Buffer | null

/** Takes an answer as it streams in. What it throws ends the call. */
export interface AnswerSink {
  /** All bytes of the answer so far: a row is only seen once it is here whole. */
  onReceived(bytes: number): void
  /** Opens a record set and says how its values are to be read. */
  onColumns(shape: RecordsetShape): readonly WireReader[]
  /** In the order of the columns. The list is used again for the next row. */
  onRow(values: readonly unknown[]): void
}

const maxOwnBytes = 64 * 1024 * 1024
/** For what is of no interest but its end. */
export const ignored: AnswerSink = {
  onReceived: checkOwn,
  onColumns: ({ wireReaders }) => wireReaders,
  onRow: () => {},
}

/** Holds the answers to our own statements, too, to a bound. */
export function checkOwn(bytes: number) {
  if (bytes > maxOwnBytes) throw new Error(`The database sent more than ${maxOwnBytes} bytes.`)
}
