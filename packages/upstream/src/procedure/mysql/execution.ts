import type { ResultSetHeader } from 'mysql2'
import type { Abortable } from '../deadline.ts'
import type { AnswerSink } from './answer-sink.ts'
import { addColumn, describes, shapesKept, startShape } from './recordset-shape.ts'
import type { GrowingShape, RecordsetShape } from './recordset-shape.ts'
import { serverStatus } from './server-status.ts'
import { problemOf, takeOver } from './mysql2-internals.ts'
import type { WireCommand, WirePacket, WireState } from './mysql2-internals.ts'
import { readRow } from './values/wire-values.ts'
import type { WireReader } from './values/wire-values.ts'

/** Waits for the end of a statement. A session runs one statement at a time. */
export interface Waiting {
  /** All bytes since it began. */
  onReceived?: (bytes: number) => void
  fail(error: unknown): void
}

/**
 * Reads the answer to one prepared statement into a sink. Column definitions that are the same as
 * last time are compared and not read again. All rows are read into one list. It ends once: with the
 * last header, with an error of the server, or with what the sink threw. Rows after that are dropped.
 */
export class Execution implements Waiting {
  readonly #sink: AnswerSink
  readonly #shapes: RecordsetShape[]
  readonly #limit: Abortable | undefined
  readonly #onOver: () => void
  readonly ended: Promise<ResultSetHeader>
  #resolve: (header: ResultSetHeader) => void = () => {}
  #reject: (error: unknown) => void = () => {}
  #readField: WireState = readField
  #isOver = false
  /** Number of record sets so far. */
  #place = 0
  #columns = 0
  #growing: GrowingShape | undefined
  #readers: readonly WireReader[] = []
  #values: unknown[] = []

  /** `onOver` is called right before it ends. */
  constructor(
    sink: AnswerSink,
    shapes: RecordsetShape[],
    limit: Abortable | undefined,
    onOver: () => void,
  ) {
    this.#sink = sink
    this.#shapes = shapes
    this.#limit = limit
    this.#onOver = onOver
    this.ended = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    limit?.addEventListener('abort', this, { once: true })
  }

  /** Must be called right after mysql2 has sent the statement, before an answer can arrive. */
  read(command: object): void {
    this.#readField = takeOver(command, { readField, doneInsert, execution: this }).readField
  }

  /** The limit aborts. */
  handleEvent(): void {
    this.fail(this.#limit?.reason)
  }

  fail(error: unknown): void {
    if (this.#end()) this.#reject(error)
  }

  succeed(header: ResultSetHeader): void {
    if (this.#end()) this.#resolve(header)
  }

  /** Returns false if it had ended before. */
  #end(): boolean {
    if (this.#isOver) return false
    this.#isOver = true
    this.#limit?.removeEventListener('abort', this)
    this.#onOver()
    return true
  }

  onReceived(bytes: number): void {
    if (this.#isOver) return
    try {
      this.#sink.onReceived(bytes)
    } catch (error) {
      this.fail(error)
    }
  }

  /** Whether this was the last column. */
  onField(command: WireCommand, packet: WirePacket, connection: unknown): boolean {
    const known = this.#shapes[this.#place]
    const place = this.#columns++
    if (this.#growing || !known || !describes(packet, known, place)) {
      const shape = (this.#growing ??= startShape(known, place))
      const definition = packet.buffer.subarray(packet.offset, packet.end)
      this.#readField.call(command, packet, connection)
      const field = command._fields.at(-1)?.pop()
      if (field) addColumn(shape, definition, field)
    }
    return this.#columns === command._fieldCount
  }

  onFieldsEnd(): void {
    const known = this.#shapes[this.#place]
    // A shape with more columns matches only in part.
    const isKnown = !this.#growing && known?.columns.length === this.#columns
    const shape = isKnown && known ? known : (this.#growing ?? startShape(known, this.#columns))
    if (this.#place < shapesKept) this.#shapes[this.#place++] = shape
    else this.#place++
    this.#columns = 0
    this.#growing = undefined
    if (this.#isOver) return
    try {
      this.#readers = this.#sink.onColumns(shape)
      this.#values = []
    } catch (error) {
      this.fail(error)
    }
  }

  onRow(packet: WirePacket): void {
    if (this.#isOver) return
    try {
      readRow(packet, this.#readers, this.#values)
      this.#sink.onRow(this.#values)
    } catch (error) {
      this.fail(error)
    }
  }
}

function readField(this: WireCommand, packet: WirePacket, connection: unknown): WireState | null {
  const execution = executionOf(this)
  const problem = problemOf(packet)
  if (problem) {
    execution.fail(problem)
    return null
  }
  if (packet.isEOF()) return broken(execution)
  return execution.onField(this, packet, connection) ? readFieldsEnd : readField
}

function readFieldsEnd(this: WireCommand, packet: WirePacket): WireState | null {
  const execution = executionOf(this)
  if (!packet.isEOF()) return broken(execution)
  execution.onFieldsEnd()
  return readNext
}

function readNext(this: WireCommand, packet: WirePacket): WireState | null {
  const execution = executionOf(this)
  if (packet.isEOF()) {
    // A CALL ends with a header, a SELECT without one.
    if ((packet.eofStatusFlags() & serverStatus.moreResults) !== 0) return nextHeader(this)
    execution.succeed(noHeader)
    return null
  }
  execution.onRow(packet)
  return readNext
}

/** mysql2 also ends a command here when the server answered it with a request for a local file. */
function doneInsert(this: WireCommand, header: ResultSetHeader | null): WireState | null {
  const execution = executionOf(this)
  if (!header || this._localStreamError !== undefined) return broken(execution)
  if ((header.serverStatus & serverStatus.moreResults) !== 0) return nextHeader(this)
  execution.succeed(header)
  return null
}

/** mysql2 would keep all rows and columns. */
function nextHeader(command: WireCommand): WireState {
  command._rows.length = 0
  command._fields.length = 0
  return command.resultsetHeader
}

function broken(execution: Execution): null {
  execution.fail(unreadable())
  return null
}

function executionOf({ execution }: WireCommand): Execution {
  if (execution instanceof Execution) return execution
  throw new Error('This statement was not taken over.')
}

/** For a SELECT, which has no header in mysql2. */
export const noHeader = { serverStatus: 0, affectedRows: 0, warningStatus: 0 } as ResultSetHeader

export function unreadable() {
  const detail = 'The database broke off its answer, or asked for a file of this machine.'
  return Object.assign(new Error(detail), { code: 'PROTOCOL_UNREADABLE' })
}
