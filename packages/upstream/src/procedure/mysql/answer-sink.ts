import type { RecordsetShape } from './recordset-shape.ts'
import type { WireReader } from './values/wire-values.ts'

/** A value as it is bound: text that the server converts exactly, bytes, a small number, NULL. */
export type BoundValue = string | number | Buffer | null

/** Takes an answer as it streams in. What it throws ends the call. */
export interface AnswerSink {
  /** Number of bytes of the answer so far. `onRow` is called only when a row is complete. */
  onReceived(bytes: number): void
  /** Opens a record set. Returns the readers of its values. */
  onColumns(shape: RecordsetShape): readonly WireReader[]
  /** In the order of the columns. The list is used again for the next row. */
  onRow(values: readonly unknown[]): void
}

const maxOwnBytes = 64 * 1024 * 1024
/** For statements of which only the end matters. */
export const ignored: AnswerSink = {
  onReceived: checkOwn,
  onColumns: ({ wireReaders }) => wireReaders,
  onRow: () => {},
}

/** Bounds the answers to our own statements. */
export function checkOwn(bytes: number) {
  if (bytes > maxOwnBytes) throw new Error(`The database sent more than ${maxOwnBytes} bytes.`)
}
