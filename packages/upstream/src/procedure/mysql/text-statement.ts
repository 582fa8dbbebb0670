import type { ResultSetHeader } from 'mysql2'
import type { AnswerSink } from './answer-sink.ts'
import { noHeader, unreadable } from './execution.ts'

/** Follows a statement of the text protocol to its end. Returns a function that stops following. */
export function followText(
  command: NodeJS.EventEmitter,
  onRow: AnswerSink['onRow'],
  resolve: (header: ResultSetHeader) => void,
  reject: (error: unknown) => void,
): () => unknown {
  let last: ResultSetHeader | undefined
  let isRowsLast = false
  const takeRow = guarded(onRow, reject)
  command.on('fields', (fields: unknown) => (isRowsLast = fields !== undefined))
  command.on('result', (result: ResultSetHeader | unknown[]) => {
    if (!Array.isArray(result)) last = result
    else takeRow(result)
  })
  command.on('error', reject)
  // mysql2 also ends a command that the server answered with a request for a local file.
  command.on('end', () => {
    if (last ?? isRowsLast) resolve(last ?? noHeader)
    else reject(unreadable())
  })
  return () => command.removeAllListeners('fields').removeAllListeners('result')
}

/** Passes what `work` throws to `reject`. */
export function guarded<Given>(work: (given: Given) => void, reject: (error: unknown) => void) {
  return (given: Given) => {
    try {
      work(given)
    } catch (error) {
      reject(error)
    }
  }
}

/** What `typeCast: false` reads. */
export const toBuffers = (row: readonly unknown[]): (Buffer | null)[] =>
  row.map((value) => (Buffer.isBuffer(value) ? value : null))
