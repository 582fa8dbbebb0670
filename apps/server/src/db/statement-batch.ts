import pg from 'pg'
import { serialize } from 'pg-protocol'
import type { PreparedStatements } from './prepared-statements.ts'

export interface Statement {
  sql: string
  parameters: readonly unknown[]
}

/** What PostgreSQL answered to one statement. */
export interface StatementResult {
  command: string | null
  rowCount: number | null
  rows: unknown[]
}

/** The part of pg's connection that writes; pg does not type it. */
interface MessageWriter {
  stream: { write: (bytes: Buffer) => void }
}

type Fields = unknown[]
type Row = unknown[]

/** pg's collector of one result: it turns the texts of a row into values. */
interface ResultReader extends StatementResult {
  addFields(fields: Fields): void
  parseRow(row: Row): unknown
  addCommandComplete(message: unknown): void
}

const { Result, utils } = pg as unknown as {
  Result: new (rowMode: undefined, types: undefined) => ResultReader
  utils: { prepareValue: (value: unknown) => unknown }
}

/**
 * Statements that go to PostgreSQL together and are answered together: one round trip. They are
 * carried out one after the other, each sees what is committed when it begins, and after an error
 * none of the rest. Outside a transaction they are one (PostgreSQL: pipelining, implicit
 * transactions). Hand it to `client.query` of pg.
 */
export class StatementBatch {
  readonly results: StatementResult[] = []
  readonly #statements: readonly Statement[]
  readonly #prepared: PreparedStatements
  readonly #done: (error?: Error) => void
  /** The statements that are prepared with this batch, and their places in it. */
  readonly #parsed = new Map<string, number>()
  #current: ResultReader = new Result(undefined, undefined)

  /** `done` is called once, when PostgreSQL is ready for the next batch or the connection broke. */
  constructor(
    statements: readonly Statement[],
    prepared: PreparedStatements,
    done: (error?: Error) => void,
  ) {
    this.#statements = statements
    this.#prepared = prepared
    this.#done = done
  }

  submit(connection: MessageWriter): Error | null {
    let values: unknown[][]
    try {
      values = this.#statements.map(({ parameters }) =>
        parameters.map((value) => utils.prepareValue(value)),
      )
    } catch (error) {
      return error as Error
    }
    const messages: Buffer[] = []
    for (const [index, { sql }] of this.#statements.entries()) {
      const { name, isNew } = this.#prepared.use(sql)
      if (isNew) messages.push(serialize.parse({ name, text: sql }))
      if (isNew && name !== '') this.#parsed.set(sql, index)
      messages.push(
        serialize.bind({ statement: name, values: values[index] ?? [] }),
        serialize.describe({ type: 'P' }),
        serialize.execute(),
      )
    }
    messages.push(serialize.sync())
    // One write of one buffer: many small ones cost several times as much.
    connection.stream.write(Buffer.concat(messages))
    return null
  }

  handleRowDescription({ fields }: { fields: Fields }): void {
    this.#current.addFields(fields)
  }

  handleDataRow({ fields }: { fields: Row }): void {
    this.#current.rows.push(this.#current.parseRow(fields))
  }

  handleCommandComplete(message: unknown): void {
    this.#current.addCommandComplete(message)
    this.results.push(this.#current)
    this.#current = new Result(undefined, undefined)
  }

  /** PostgreSQL skips the rest. pg calls no other method of this batch after an error. */
  handleError(error: Error): void {
    const answered = this.results.length
    const uncertain = [...this.#parsed].filter(([, index]) => index >= answered)
    this.#prepared.forget(
      uncertain.map(([sql]) => sql),
      error,
    )
    this.#done(error)
  }

  handleReadyForQuery(): void {
    this.#done()
  }
}
