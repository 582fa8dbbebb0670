import type { Socket } from 'node:net'
import type { Connection, PrepareStatementInfo, ResultSetHeader } from 'mysql2'
import type { Abortable } from '../deadline.ts'
import { callTimeoutDefaultMs } from '../procedure-types.ts'
import { checkOwn, ignored } from './answer-sink.ts'
import type { AnswerSink, BoundValue } from './answer-sink.ts'
import { Execution } from './execution.ts'
import type { Waiting } from './execution.ts'
import { streamOf } from './mysql2-internals.ts'
import type { RecordsetShape } from './recordset-shape.ts'
import { followText, guarded, toBuffers } from './text-statement.ts'

/** A server bounds the number of prepared statements of all its clients together. */
const statementsKept = 50

interface Statement {
  prepared: PrepareStatementInfo
  /** The shapes of its record sets in the last answer. */
  shapes: RecordsetShape[]
}

/**
 * One signed-in connection. Every method runs one statement and waits for its end. If `limit` aborts
 * or the sink throws, the promise rejects at once with that reason. The session must then be
 * destroyed, because its statement may still run.
 */
export class MysqlSession {
  readonly database: string
  readonly threadId: number
  /** When the last call gave it back (`performance.now()`). */
  restingSince = 0
  readonly #connection: Connection
  readonly #socket: Socket
  #timeoutMs: number | undefined
  #lost: Error | undefined
  readonly #statements = new Map<string, Statement>()
  #waiting: Waiting | undefined
  /** The socket's bytes that arrived before the statement began. */
  #bytesBefore = 0
  readonly #onOver = () => {
    this.#waiting = undefined
  }

  constructor(connection: Connection, socket: Socket, database: string) {
    this.#connection = connection
    this.#socket = socket
    this.database = database
    this.threadId = connection.threadId
    connection.on('error', (error) => this.#lose(error))
    socket.on('close', () => this.#lose(new Error('The connection was closed.')))
    // Over TLS our socket emits no data: TLS reads from it directly.
    streamOf(connection).on('data', () => this.#receive())
  }

  get isUsable(): boolean {
    return this.#lost === undefined
  }

  /** Reads the whole result of one of our own statements. */
  async read(sql: string, values: readonly BoundValue[], limit?: Abortable) {
    const rows: unknown[][] = []
    await this.execute(sql, values, { ...ignored, onRow: (row) => rows.push([...row]) }, limit)
    return rows
  }

  /** Sends fixed SQL of ours as text, for statements that can't be prepared. */
  async command(sql: string, limit?: Abortable): Promise<ResultSetHeader> {
    return this.#follow(
      () => this.#connection.query(sql),
      checkOwn,
      () => {},
      limit,
    )
  }

  /** Prepares each statement once and executes it with bound values. Resolves with the last header. */
  execute(
    sql: string,
    values: readonly BoundValue[],
    sink: AnswerSink,
    limit?: Abortable,
    onSend?: () => void,
  ): Promise<ResultSetHeader> {
    const known = this.#statements.get(sql)
    if (known) return this.#run(known, values, sink, limit, onSend)
    return this.#prepare(sql, limit).then((statement) =>
      this.#run(statement, values, sink, limit, onSend),
    )
  }

  #run(
    { prepared, shapes }: Statement,
    values: readonly BoundValue[],
    sink: AnswerSink,
    limit: Abortable | undefined,
    onSend: (() => void) | undefined,
  ): Promise<ResultSetHeader> {
    if (this.#lost) return Promise.reject(this.#lost)
    limit?.throwIfAborted()
    const execution = new Execution(sink, shapes, limit, this.#onOver)
    this.#wait(execution)
    try {
      onSend?.()
      execution.read(prepared.execute([...values], (error: unknown) => execution.fail(error)))
    } catch (error) {
      execution.fail(error)
    }
    return execution.ended
  }

  /** The values of one row of a `SELECT`, as the server's text. */
  async readTexts(
    sql: string,
    onReceived: AnswerSink['onReceived'],
    limit?: Abortable,
  ): Promise<(Buffer | null)[]> {
    const rows: (Buffer | null)[][] = []
    const start = () => this.#connection.query({ sql, typeCast: false })
    await this.#follow(start, onReceived, (row) => rows.push(toBuffers(row)), limit)
    return rows[0] ?? []
  }

  isPreparedFor(timeoutMs: number): boolean {
    return this.#timeoutMs === timeoutMs
  }

  /**
   * Sets what every call relies on: the server reports with each answer whether the call changed the
   * session, and MariaDB ends a statement when time is up.
   */
  async prepareFor(timeoutMs: number, limit?: Abortable): Promise<void> {
    const seconds = (timeoutMs / 1000).toFixed(3)
    await this.command(
      `SET SESSION autocommit = 1, session_track_state_change = 1 /*M!100101 , max_statement_time = ${seconds} */`,
      limit,
    )
    this.#timeoutMs = timeoutMs
  }

  /** Clears variables, temporary tables, locks and settings of earlier calls. */
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

  /** Closes the connection without waiting for the server. */
  destroy(): void {
    this.#lost ??= new Error('The connection was closed.')
    this.#connection.destroy()
    this.#socket.destroy()
  }

  /** Closes the connection by COM_QUIT, so that the server does not count an aborted client. */
  end(): void {
    if (!this.isUsable) return this.destroy()
    this.#lost = new Error('The connection was closed.')
    this.#connection.end()
    this.#socket.end()
  }

  #prepare(sql: string, limit: Abortable | undefined): Promise<Statement> {
    return this.#untilLost(limit, (resolve, reject) => {
      this.#connection.prepare(sql, (error, prepared) => {
        if (error) return reject(error)
        const [oldest] = this.#statements.size < statementsKept ? [] : this.#statements.keys()
        if (oldest !== undefined) this.#unprepare(oldest)
        const statement = { prepared, shapes: [] }
        this.#statements.set(sql, statement)
        resolve(statement)
      })
    })
  }

  #unprepare(sql: string) {
    this.#statements.delete(sql)
    this.#connection.unprepare(sql)
  }

  /** Follows a statement of the text protocol. */
  #follow(
    start: () => NodeJS.EventEmitter,
    onReceived: AnswerSink['onReceived'],
    onRow: AnswerSink['onRow'],
    limit: Abortable | undefined,
  ): Promise<ResultSetHeader> {
    return this.#untilLost(limit, (resolve, reject) => {
      const command = start()
      this.#wait({ onReceived: guarded(onReceived, reject), fail: reject })
      return followText(command, onRow, resolve, reject)
    })
  }

  #receive() {
    this.#waiting?.onReceived?.(this.#socket.bytesRead - this.#bytesBefore)
  }

  #wait(waiting: Waiting) {
    this.#waiting = waiting
    this.#bytesBefore = this.#socket.bytesRead
  }

  /** Settles once, by the first of: the result, an error, the limit. Later rows are dropped. */
  #untilLost<Result>(
    limit: Abortable | undefined,
    work: (
      resolve: (result: Result) => void,
      reject: (error: unknown) => void,
    ) => (() => unknown) | void,
  ): Promise<Result> {
    if (this.#lost) return Promise.reject(this.#lost)
    limit?.throwIfAborted()
    return new Promise<Result>((resolve, reject) => {
      let isOver = false
      const leave = () => settle(() => reject(limit?.reason))
      const fail = (error: unknown) => settle(() => reject(error))
      let stop: (() => unknown) | void
      const settle = (outcome: () => void) => {
        if (isOver) return
        isOver = true
        limit?.removeEventListener('abort', leave)
        this.#waiting = undefined
        stop?.()
        outcome()
      }
      limit?.addEventListener('abort', leave, { once: true })
      this.#wait({ fail })
      stop = work((result) => settle(() => resolve(result)), fail)
    })
  }

  #lose(error: Error) {
    this.#lost ??= error
    this.#waiting?.fail(error)
  }
}
