import type { Socket } from 'node:net'
import { Request } from 'tedious'
import type { Connection } from 'tedious'
import type { TediousMetadata } from './values/present-value.ts'

interface SentColumn extends TediousMetadata {
  colName: string
}

/** What happens while a request runs. Any of them may throw: the request is then cancelled. */
export interface RequestEvents {
  onColumns(columns: SentColumn[]): void
  onRow(values: readonly { value: unknown; metadata: TediousMetadata }[]): void
  onOutput(name: string, value: unknown, metadata: TediousMetadata): void
  /** A statement is done. `rowCount` is undefined where it counts no rows. */
  onStatement(rowCount: number | undefined): void
  onReturnValue(value: number): void
  /** Number of bytes of the answer so far. */
  onReceived(bytes: number): void
}

/** One signed-in connection, for one request at a time. */
export class SqlsrvSession {
  readonly #connection: Connection
  readonly #socket: Socket
  #isOpen = true
  #running: Promise<void> = Promise.resolve()

  constructor(connection: Connection, socket: Socket) {
    this.#connection = connection
    this.#socket = socket
    connection.on('end', () => {
      this.#isOpen = false
    })
  }

  get isOpen(): boolean {
    return this.#isOpen
  }

  /** The server's descriptor of the open transaction; undefined without one. */
  get transaction(): string | undefined {
    if (!this.#connection.inTransaction) return undefined
    return this.#connection.currentTransactionDescriptor().toString('hex')
  }

  /** Resolves when no request runs, not even a cancelled one. */
  whenIdle(): Promise<void> {
    return this.#running
  }

  close(): void {
    this.#isOpen = false
    this.#connection.close()
  }

  /** Runs SQL of ours, never a caller's. `add` binds values. */
  query(
    sql: string,
    add: (request: Request) => void,
    events: RequestEvents,
    signal: AbortSignal,
  ): Promise<void> {
    return this.#run(sql, add, events, signal, (request) => this.#connection.execSql(request))
  }

  /** `name` has to be quoted. */
  callProcedure(
    name: string,
    add: (request: Request) => void,
    events: RequestEvents,
    signal: AbortSignal,
  ): Promise<void> {
    return this.#run(name, add, events, signal, (request) =>
      this.#connection.callProcedure(request),
    )
  }

  begin(signal: AbortSignal): Promise<void> {
    return this.#short((done) => this.#connection.beginTransaction(done), signal)
  }

  rollBack(signal: AbortSignal): Promise<void> {
    return this.#short((done) => this.#connection.rollbackTransaction(done), signal)
  }

  /** Restores the session to its state after sign-in: transactions, settings, temporary tables. */
  reset(signal: AbortSignal): Promise<void> {
    return this.#short((done) => this.#connection.reset(done), signal)
  }

  /**
   * Rejects as soon as the signal aborts or an event throws. It then asks the server to stop the
   * request, and closes the connection when the server has stopped or after a time-out.
   */
  #run(
    sql: string,
    add: (request: Request) => void,
    events: RequestEvents,
    signal: AbortSignal,
    send: (request: Request) => void,
  ): Promise<void> {
    signal.throwIfAborted()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const running = Promise.withResolvers<void>()
    this.#running = running.promise
    const socket = this.#socket
    const receivedBefore = socket.bytesRead
    let isOver = false

    const finish = () => {
      isOver = true
      signal.removeEventListener('abort', leave)
      socket.removeListener('data', meter)
    }
    const request = new Request(sql, (error) => {
      running.resolve()
      if (isOver) return this.close()
      finish()
      if (error) reject(error)
      else resolve()
    })
    const giveUp = (reason: unknown) => {
      if (isOver) return
      finish()
      this.#isOpen = false
      reject(reason)
      request.cancel()
    }
    const guarded =
      <Given extends unknown[]>(listener: (...given: Given) => void) =>
      (...given: Given) => {
        if (isOver) return
        try {
          listener(...given)
        } catch (error) {
          giveUp(error)
        }
      }
    const leave = () => giveUp(signal.reason)
    const meter = () => {
      if (isOver) return
      try {
        events.onReceived(socket.bytesRead - receivedBefore)
      } catch (error) {
        giveUp(error)
        // One large value may still be arriving. Do not wait for its end.
        this.close()
      }
    }

    add(request)
    listen(request, events, guarded)
    signal.addEventListener('abort', leave, { once: true })
    socket.on('data', meter)
    send(request)
    return promise
  }

  #short(
    start: (done: (error?: Error | null) => void) => void,
    signal: AbortSignal,
  ): Promise<void> {
    signal.throwIfAborted()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const leave = () => {
      this.close()
      reject(signal.reason)
    }
    signal.addEventListener('abort', leave, { once: true })
    start((error) => {
      signal.removeEventListener('abort', leave)
      if (error) reject(error)
      else resolve()
    })
    return promise
  }
}

type Guarded = <Given extends unknown[]>(
  listener: (...given: Given) => void,
) => (...given: Given) => void

function listen(request: Request, events: RequestEvents, guarded: Guarded) {
  request.on(
    'columnMetadata',
    guarded((columns) => events.onColumns(asList(columns))),
  )
  request.on(
    'row',
    guarded((row) => events.onRow(asList(row))),
  )
  request.on(
    'returnValue',
    guarded((name, value, metadata) => events.onOutput(name, value, metadata)),
  )
  request.on(
    'doneInProc',
    guarded((count) => events.onStatement(count)),
  )
  request.on(
    'done',
    guarded((count) => events.onStatement(count)),
  )
  request.on(
    'doneProc',
    guarded((_count, _more, status) => {
      if (typeof status === 'number') events.onReturnValue(status)
    }),
  )
}

/** tedious passes lists unless its options ask for names. */
function asList<Item>(given: Item[] | Record<string, Item>): Item[] {
  return Array.isArray(given) ? given : Object.values(given)
}
