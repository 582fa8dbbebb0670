import {
  SqliteAdapter,
  type CompiledQuery,
  type DatabaseConnection,
  type QueryResult,
} from 'kysely'

/** The one connection to SQLite, for one transaction: no statement may come after its end. */
export class SingleConnection implements DatabaseConnection {
  readonly #connection: DatabaseConnection
  #hasEnded = false

  constructor(connection: DatabaseConnection) {
    this.#connection = connection
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#hasEnded) throw new Error('The transaction has ended.')
    return this.#connection.executeQuery(query)
  }

  streamQuery(): never {
    throw new Error('Nothing is streamed inside a transaction.')
  }

  end(): void {
    this.#hasEnded = true
  }
}

/** Inside a transaction nothing else waits for the connection. */
export class OwnConnectionAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}
