import type { Socket } from 'node:net'
import type { Connection, FieldPacket, PrepareStatementInfo, ResultSetHeader } from 'mysql2'
import { callTimeoutDefaultMs } from '../procedure-types.ts'
import { ignored } from './answer-sink.ts'
import type { AnswerSink, BoundValue } from './answer-sink.ts'
import type { RecordsetShape } from './recordset-shape.ts'

/** Bits of the server's status that come with every answer. */
export const serverStatus = { inTransaction: 0x0001, moreResults: 0x0008, changed: 0x4000 } as const

/** A server bounds the statements of all its clients together. */
const statementsKept = 50

/**
 * One connection, signed in. Every method runs one statement and waits for its end; the promise fails
 * at once with the reason of `signal`, or with what the sink threw, and the session must then be
 * destroyed: its statement may still run.
 */
export class MysqlSession {
  readonly database: string
  readonly threadId: number
  readonly #connection: Connection
  readonly #socket: Socket
  #timeoutMs: number | undefined
  #lost: Error | undefined
  readonly #shapes = new Map<string, RecordsetShape[]>()
  readonly #statements = new Map<string, PrepareStatementInfo>()
  readonly #waiting = new Set<(error: Error) => void>()

  constructor(connection: Connection, socket: Socket, database: string) {
    this.#connection = connection
    this.#socket = socket
    this.database = database
    this.threadId = connection.threadId
    connection.on('error', (error) => this.#lose(error))
    socket.on('close', () => this.#lose(new Error('The connection was closed.')))
  }

  /** Shapes that the record sets of a statement had last time, for the caller to keep. */
  shapesOf(sql: string): RecordsetShape[] {
    const known = this.#shapes.get(sql)
    if (known) return known
    if (this.#shapes.size >= statementsKept) this.#shapes.clear()
    const shapes: RecordsetShape[] = []
    this.#shapes.set(sql, shapes)
    return shapes
  }

  get isUsable(): boolean {
    return this.#lost === undefined
  }

  /** Reads small results of our own statements whole. */
  async read(sql: string, values: readonly BoundValue[], signal?: AbortSignal) {
    const rows: unknown[][] = []
    await this.execute(sql, values, { ...ignored, onRow: (row) => rows.push([...row]) }, signal)
    return rows
  }

  /** Sends our own fixed words as text, for what can't be prepared. */
  async command(sql: string, signal?: AbortSignal): Promise<ResultSetHeader> {
    return this.#follow(() => this.#connection.query(sql), ignored, signal)
  }

  /** Prepares (once for each statement) and executes with bound values; resolves with the last header. */
  async execute(
    sql: string,
    values: readonly BoundValue[],
    sink: AnswerSink,
    signal?: AbortSignal,
    onSend?: () => void,
  ): Promise<ResultSetHeader> {
    const statement = this.#statements.get(sql) ?? (await this.#prepare(sql, signal))
    onSend?.()
    return this.#follow(() => statement.execute([...values]), sink, signal)
  }

  /** The text of values as the server writes them, for one row of `SELECT`. */
  async readTexts(
    sql: string,
    onReceived: AnswerSink['onReceived'],
    signal?: AbortSignal,
  ): Promise<(Buffer | null)[]> {
    const rows: (Buffer | null)[][] = []
    const onRow: AnswerSink['onRow'] = (row) => rows.push(row.map(toBuffer))
    const start = () => this.#connection.query({ sql, typeCast: false })
    await this.#follow(start, { ...ignored, onReceived, onRow }, signal)
    return rows[0] ?? []
  }

  /**
   * Sets what every call relies on: the server tells with each answer whether something was left
   * behind, and (MariaDB alone) ends a statement itself when time is up.
   */
  async prepareFor(timeoutMs: number, signal?: AbortSignal): Promise<void> {
    if (this.#timeoutMs === timeoutMs) return
    const seconds = (timeoutMs / 1000).toFixed(3)
    await this.command(
      `SET SESSION autocommit = 1, session_track_state_change = 1 /*M!100101 , max_statement_time = ${seconds} */`,
      signal,
    )
    this.#timeoutMs = timeoutMs
  }

  /** Forgets variables, temporary tables, locks and settings of the calls before. */
  async reset(): Promise<void> {
    const timeoutMs = this.#timeoutMs ?? callTimeoutDefaultMs
    this.#timeoutMs = undefined
    this.#statements.clear()
    await this.#untilLost<void>(undefined, (resolve, reject) => {
      this.#connection.reset((error) => (error ? reject(error) : resolve()))
    })
    await this.prepareFor(timeoutMs)
  }

  async ping(): Promise<void> {
    await this.#untilLost<void>(undefined, (resolve, reject) => {
      this.#connection.ping((error) => (error ? reject(error) : resolve()))
    })
  }

  /** Leaves without waiting for the server. */
  destroy(): void {
    this.#lost ??= new Error('The connection was closed.')
    this.#connection.destroy()
    this.#socket.destroy()
  }

  /** Says goodbye, so that the server does not count an aborted client. */
  end(): void {
    if (!this.isUsable) return this.destroy()
    this.#lost = new Error('The connection was closed.')
    this.#connection.end()
    this.#socket.end()
  }

  #prepare(sql: string, signal: AbortSignal | undefined): Promise<PrepareStatementInfo> {
    return this.#untilLost(signal, (resolve, reject) => {
      this.#connection.prepare(sql, (error, statement) => {
        if (error) return reject(error)
        const [oldest] = this.#statements.size < statementsKept ? [] : this.#statements.keys()
        if (oldest !== undefined) this.#unprepare(oldest)
        this.#statements.set(sql, statement)
        resolve(statement)
      })
    })
  }

  #unprepare(sql: string) {
    this.#statements.delete(sql)
    this.#connection.unprepare(sql)
  }

  #follow(
    start: () => NodeJS.EventEmitter,
    sink: AnswerSink,
    signal: AbortSignal | undefined,
  ): Promise<ResultSetHeader> {
    return this.#untilLost(signal, (resolve, reject) => {
      let last: ResultSetHeader | undefined
      let isRowsLast = false
      const guarded = (work: () => void) => {
        try {
          work()
        } catch (error) {
          reject(error)
        }
      }
      const command = start()
      const stopWatching = this.#watchReceived((bytes) => guarded(() => sink.onReceived(bytes)))
      command.on('fields', (fields: FieldPacket[] | undefined) => {
        isRowsLast = fields !== undefined
        if (fields) guarded(() => sink.onColumns(fields))
      })
      command.on('result', (result: ResultSetHeader | unknown[]) => {
        if (!Array.isArray(result)) last = result
        else guarded(() => sink.onRow(result))
      })
      command.on('error', reject)
      // mysql2 also ends a command that the server turned into a request for a local file.
      command.on('end', () => {
        if (last ?? isRowsLast) resolve(last ?? noHeader)
        else reject(unreadable())
      })
      return () => {
        stopWatching()
        command.removeAllListeners('fields').removeAllListeners('result')
      }
    })
  }

  #watchReceived(watch: (totalBytes: number) => void): () => void {
    const begun = this.#socket.bytesRead
    const onData = () => watch(this.#socket.bytesRead - begun)
    // Over TLS it is another one than our socket, whose data nobody sees.
    const stream: unknown = Reflect.get(this.#connection, 'stream')
    if (!isStream(stream)) return () => {}
    stream.on('data', onData)
    return () => stream.off('data', onData)
  }

  /** Settles by whatever comes first; afterwards the statement's rows fall into the void. */
  #untilLost<Result>(
    signal: AbortSignal | undefined,
    work: (
      resolve: (result: Result) => void,
      reject: (error: unknown) => void,
    ) => (() => unknown) | void,
  ): Promise<Result> {
    if (this.#lost) return Promise.reject(this.#lost)
    signal?.throwIfAborted()
    return new Promise<Result>((resolve, reject) => {
      const leave = () => settle(() => reject(signal?.reason))
      const fail = (error: unknown) => settle(() => reject(error))
      let stop: (() => unknown) | void
      const settle = (outcome: () => void) => {
        signal?.removeEventListener('abort', leave)
        this.#waiting.delete(fail)
        stop?.()
        outcome()
      }
      signal?.addEventListener('abort', leave, { once: true })
      this.#waiting.add(fail)
      stop = work((result) => settle(() => resolve(result)), fail)
    })
  }

  #lose(error: Error) {
    this.#lost ??= error
    for (const fail of this.#waiting) fail(error)
  }
}

/** mysql2's own words for a SELECT over the text protocol, which ends without a header. */
const noHeader = { serverStatus: 0, affectedRows: 0, warningStatus: 0 } as ResultSetHeader

function unreadable() {
  const detail = 'The database broke off its answer, or asked for a file of this machine.'
  return Object.assign(new Error(detail), { code: 'PROTOCOL_UNREADABLE' })
}

function toBuffer(value: unknown): Buffer | null {
  return Buffer.isBuffer(value) ? value : null
}

const isStream = (value: unknown): value is NodeJS.ReadableStream =>
  typeof value === 'object' && value !== null && 'on' in value
