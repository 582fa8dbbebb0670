import {
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
} from 'kysely'
import { WorkerLink } from '../../kernel/threads/worker-link.ts'
import { databaseFile, type DatabaseSource, type Db } from '../connect.ts'
import type { Database } from '../tables.ts'
import { markDatabaseError } from '../outages/database-away.ts'
import type { ReadFailure, ReadQuestion } from './read-worker.ts'

export interface Reader {
  /** For single queries that can be long. Not for transactions, and not inside of one. */
  readers: Db
  close(): Promise<void>
}

/** How many reads run at once; the next waits until one has ended. */
const threads = 2
const queryTimeoutMs = 30_000

/**
 * Opens what long reads go through, so that they hold up no other call: for a SQLite file, threads that
 * each have a connection. They see every commit that came before the query. PostgreSQL works in other
 * processes, so its pool is used, and so is the one connection of a database in memory.
 */
export function openReader(source: DatabaseSource, db: Db): Reader {
  if (source.kind !== 'file') return { readers: db, close: async () => {} }
  const readers = new Kysely<Database>({
    dialect: {
      createDriver: () => new ReadDriver(databaseFile(source.folder)),
      createQueryCompiler: () => new SqliteQueryCompiler(),
      createAdapter: () => new SqliteAdapter(),
      createIntrospector: (each) => new SqliteIntrospector(each),
    },
  })
  return { readers, close: () => readers.destroy() }
}

class ReadDriver implements Driver {
  readonly #all: ReadConnection[]
  readonly #free: ReadConnection[]
  readonly #waiting: ((connection: ReadConnection) => void)[] = []

  constructor(path: string) {
    this.#all = Array.from({ length: threads }, () => new ReadConnection(path))
    this.#free = [...this.#all]
  }

  async init(): Promise<void> {}

  acquireConnection(): Promise<DatabaseConnection> {
    const free = this.#free.pop()
    if (free) return Promise.resolve(free)
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  async releaseConnection(connection: ReadConnection): Promise<void> {
    const next = this.#waiting.shift()
    if (next) next(connection)
    else this.#free.push(connection)
  }

  beginTransaction(): Promise<void> {
    return refuseTransaction()
  }

  commitTransaction(): Promise<void> {
    return refuseTransaction()
  }

  rollbackTransaction(): Promise<void> {
    return refuseTransaction()
  }

  async destroy(): Promise<void> {
    await Promise.all(this.#all.map((connection) => connection.close()))
  }
}

const refuseTransaction = () => Promise.reject(new Error('Readers take single queries only.'))

class ReadConnection implements DatabaseConnection {
  readonly #thread: WorkerLink<ReadQuestion, unknown[]>

  constructor(path: string) {
    this.#thread = new WorkerLink(new URL('read-worker.ts', import.meta.url), {
      name: 'database-reader',
      data: path,
      timeoutMs: queryTimeoutMs,
      // Kysely gives a connection one query at a time.
      queueMax: 1,
    })
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const asked = this.#thread.ask({ sql, parameters }).catch((error: unknown) => {
      throw markDatabaseError(withFacts(error))
    })
    return { rows: (await asked) as R[] }
  }

  streamQuery(): never {
    throw new Error('Readers do not stream: ask for one page after the other.')
  }

  close(): Promise<void> {
    return this.#thread.close()
  }
}

/** An error of SQLite, as it was in the thread. */
const withFacts = (error: unknown) =>
  error instanceof Error && typeof error.cause === 'object' && !(error.cause instanceof Error)
    ? Object.assign(error, error.cause as ReadFailure | null)
    : error
