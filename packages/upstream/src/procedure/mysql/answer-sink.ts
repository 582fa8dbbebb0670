import type { FieldPacket } from 'mysql2'

/** A value as it is bound: text that the server converts exactly, bytes, a small number, NULL. */
export type BoundValue = string | number | Buffer | null

/** Takes an answer as it streams in. What it throws ends the call. */
export interface AnswerSink {
  /** All bytes of the answer so far: a row is only seen once it is here whole. */
  onReceived(bytes: number): void
  onColumns(fields: readonly FieldPacket[]): void
  /** In the order of the columns, as mysql2 reads them: see `toReader`. */
  onRow(values: readonly unknown[]): void
}

const maxOwnBytes = 64 * 1024 * 1024
/** For what is of no interest but its end. */
export const ignored: AnswerSink = { onReceived: checkOwn, onColumns: () => {}, onRow: () => {} }

/** Holds the answers to our own statements, too, to a bound. */
function checkOwn(bytes: number) {
  if (bytes > maxOwnBytes) throw new Error(`The database sent more than ${maxOwnBytes} bytes.`)
}
