import pg from 'pg'
import { serialize } from 'pg-protocol'
import type { PreparedStatement, PreparedStatements } from './prepared-statements.ts'
import { noRows, RowReader, type Field } from '../reading/row-reader.ts'

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

const { utils } = pg as unknown as { utils: { prepareValue: (value: unknown) => unknown } }

/** As `INSERT 0 1` or `UPDATE 3`. */
const completion = /^([A-Z]+)(?: \d+)*?(?: (\d+))?$/

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
  /** In the order of the statements. */
  readonly #used: PreparedStatement[] = []
  #rows: unknown[] = []

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
      const { statement, isNew } = this.#prepared.use(sql)
      const { name, reader } = statement
      this.#used.push(statement)
      if (isNew) messages.push(serialize.parse({ name, text: sql }))
      if (isNew && name !== '') this.#parsed.set(sql, index)
      messages.push(serialize.bind({ statement: name, values: values[index] ?? [] }))
      if (!reader) messages.push(serialize.describe({ type: 'P' }))
      messages.push(serialize.execute())
    }
    messages.push(serialize.sync())
    // One write of one buffer: many small ones cost several times as much.
    connection.stream.write(Buffer.concat(messages))
    return null
  }

  handleRowDescription({ fields }: { fields: readonly Field[] }): void {
    const statement = this.#used[this.results.length]
    if (statement) statement.reader = new RowReader(fields)
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    const reader = this.#used[this.results.length]?.reader
    if (reader) this.#rows.push(reader.read(fields))
  }

  handleCommandComplete({ text }: { text: string }): void {
    const statement = this.#used[this.results.length]
    if (statement) statement.reader ??= noRows
    const [, command = null, count] = completion.exec(text) ?? []
    this.results.push({
      command,
      rowCount: count === undefined ? null : Number(count),
      rows: this.#rows,
    })
    this.#rows = []
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
