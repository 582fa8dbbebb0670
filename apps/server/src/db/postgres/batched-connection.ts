import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely'
import type { Submittable } from 'pg'
import { markDatabaseError } from '../outages/database-away.ts'
import type { PostgresConnection } from './open-connection.ts'
import { PreparedStatements } from './prepared-statements.ts'
import { StatementBatch, type Statement, type StatementResult } from './statement-batch.ts'

interface Waiting extends Statement {
  resolve: (result: StatementResult) => void
  reject: (error: Error) => void
}

const preparedOn = new WeakMap<PostgresConnection, PreparedStatements>()
const changes = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])

/**
 * A connection to PostgreSQL for one transaction, or for reads without one. Statements that are
 * issued without waiting for each other go out together, in the order of the calls: `await allOf([a(),
 * b()])` is one round trip. BEGIN goes out with the first statements, and COMMIT with those that
 * nothing awaits.
 */
export class BatchedConnection implements DatabaseConnection {
  readonly #client: PostgresConnection
  readonly #prepared: PreparedStatements
  #waiting: Waiting[] = []
  #isScheduled = false
  #isBusy = false
  #state: 'unsent' | 'open' | 'ended' = 'unsent'
  #end: Waiting | undefined
  #onIdle: (() => void) | undefined

  constructor(client: PostgresConnection, { isTransaction = true } = {}) {
    this.#client = client
    if (!isTransaction) this.#state = 'open'
    this.#prepared = preparedOn.get(client) ?? new PreparedStatements()
    preparedOn.set(client, this.#prepared)
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#state === 'ended') throw new Error('The transaction has ended.')
    const { command, rowCount, rows } = await new Promise<StatementResult>((resolve, reject) => {
      this.#waiting.push({ sql, parameters, resolve, reject })
      this.#schedule()
    })
    const isChange = command !== null && changes.has(command)
    return {
      rows: rows as R[],
      ...(isChange ? { numAffectedRows: BigInt(rowCount ?? 0) } : {}),
    }
  }

  streamQuery(): never {
    throw new Error('Nothing is streamed inside a transaction.')
  }

  /** True until COMMIT was sent: what has been done so far is lost with the connection. */
  get isUncommitted(): boolean {
    return this.#state !== 'ended'
  }

  /** Commits, together with what was not sent yet. Throws where nothing was committed. */
  async commit(): Promise<void> {
    const { command } = await this.#finish('commit')
    // PostgreSQL answers ROLLBACK where an earlier statement has failed.
    if (command !== 'COMMIT') throw new Error('The transaction had failed before its COMMIT.')
  }

  async rollback(): Promise<void> {
    for (const { reject } of this.#waiting.splice(0)) reject(new Error('Rolled back.'))
    await this.#finish('rollback')
  }

  /** Ends the use of a connection without a transaction, once nothing is under way. */
  async rest(): Promise<void> {
    this.#state = 'ended'
    for (const { reject } of this.#waiting.splice(0)) reject(new Error('The reads have ended.'))
    if (this.#isBusy) await new Promise<void>((resolve) => (this.#onIdle = resolve))
  }

  #finish(sql: 'commit' | 'rollback'): Promise<StatementResult> {
    return new Promise((resolve, reject) => {
      this.#end = { sql, parameters: [], resolve, reject }
      this.#schedule()
    })
  }

  #schedule(): void {
    if (this.#isScheduled || this.#isBusy) return
    this.#isScheduled = true
    // Runs once no promise can go on without the outside: all that can be issued now has been.
    process.nextTick(() => {
      this.#isScheduled = false
      this.#send()
    })
  }

  #send(): void {
    const end = this.#end
    const work = this.#waiting.splice(0)
    if (work.length === 0 && !end) return
    if (this.#state === 'unsent' && work.length === 0) {
      this.#state = 'ended'
      return end?.resolve({ command: 'COMMIT', rowCount: null, rows: [] })
    }
    const { fault } = this.#client
    if (fault) {
      for (const { reject } of end ? [...work, end] : work) reject(fault)
      return
    }
    const batch = [...(this.#state === 'unsent' ? [begin] : []), ...work, ...(end ? [end] : [])]
    this.#state = end ? 'ended' : 'open'
    this.#isBusy = true
    const sent = new StatementBatch(batch, this.#prepared, (error) => {
      this.#isBusy = false
      this.#onIdle?.()
      const failure = markDatabaseError(
        error ?? new Error('PostgreSQL has not answered to a statement.'),
        { isLost: this.#client.fault !== undefined },
      )
      for (const [index, { resolve, reject }] of batch.entries()) {
        const result = sent.results[index]
        if (result) resolve(result)
        else reject(failure)
      }
      if (this.#waiting.length > 0 || (this.#end && this.#end !== end)) this.#schedule()
    })
    // pg does not type the connection that it hands to `submit`.
    this.#client.query(sent as unknown as Submittable)
  }
}

const begin: Waiting = { sql: 'begin', parameters: [], resolve: () => {}, reject: () => {} }
