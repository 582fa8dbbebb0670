import pg from 'pg'
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

/** The part of pg's connection that writes messages of the extended protocol; pg does not type it. */
interface MessageWriter {
  stream: { cork: () => void; uncork: () => void }
  parse(message: { name: string; text: string }): void
  bind(message: { statement: string; values: unknown[] }): void
  describe(message: { type: 'P'; name: string }): void
  execute(message: { portal: string }): void
  sync(): void
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
    // One write for all messages.
    connection.stream.cork()
    for (const [index, { sql }] of this.#statements.entries()) {
      const { name, isNew } = this.#prepared.use(sql)
      if (isNew) connection.parse({ name, text: sql })
      if (isNew && name !== '') this.#parsed.set(sql, index)
      connection.bind({ statement: name, values: values[index] ?? [] })
      connection.describe({ type: 'P', name: '' })
      connection.execute({ portal: '' })
    }
    connection.sync()
    connection.stream.uncork()
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
