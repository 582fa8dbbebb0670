import { databaseTroubleOf, DatabaseBusy, DatabaseAway } from './database-away.ts'
import {
  cut,
  openConnection,
  type ConnectionTarget,
  type PostgresConnection,
} from './open-connection.ts'
import { SilenceWatch } from './silence-watch.ts'

export interface PoolOptions {
  /** Connections at most. */
  size: number
  /** Calls that may wait for one. */
  waitingMax: number
  waitMs: number
  idleMs: number
  /** See `SilenceWatch`. */
  tickMs?: number
}

/** A connection that is in use: `release` gives it back, once; with `true` it is not used again. */
export type PooledConnection = PostgresConnection & { release: (isBroken?: boolean) => void }

interface Waiting {
  isChange: boolean
  give: (connection: PostgresConnection) => void
  refuse: (error: Error) => void
}

/** After PostgreSQL had no connection to give. */
const refusedPauseMs = 250

/**
 * The connections of this process to PostgreSQL. Changes of the configuration wait for each other in the
 * database: they take a third of the connections at most. Reads and runs find one, and a server
 * that is stopped leaves few that others wait for.
 */
export class ConnectionPool {
  /** Kysely looks here for a way to cancel queries, which nothing does. */
  readonly options = {}
  readonly #target: ConnectionTarget
  readonly #options: PoolOptions
  readonly #watch: SilenceWatch
  /** The one that was used last is last. */
  readonly #idle = new Map<PostgresConnection, NodeJS.Timeout>()
  readonly #inUse = new Map<PostgresConnection, { isChange: boolean; isOutdated: boolean }>()
  #waiting: Waiting[] = []
  #opening = 0
  #pause: NodeJS.Timeout | undefined
  #attempts = new AbortController()
  #isEnded = false
  #onUnused: (() => void) | undefined

  constructor(target: ConnectionTarget, options: PoolOptions) {
    this.#target = target
    this.#options = options
    this.#watch = new SilenceWatch(target, () => this.#inUse.keys(), options.tickMs)
  }

  /**
   * Throws `DatabaseBusy` where no connection was free in time, or too many wait for one. Where the database
   * can't be reached, it throws the error of that.
   */
  connect({ isChange = false } = {}): Promise<PooledConnection> {
    const { waitingMax, waitMs } = this.#options
    if (this.#isEnded) return Promise.reject(new Error('The database is closed.'))
    if (this.#waiting.length === 0 && this.#idle.size > 0 && !isChange)
      return Promise.resolve(this.#lend(this.#takeIdle(), isChange))
    if (this.#waiting.length >= waitingMax)
      return Promise.reject(new DatabaseBusy('Too many calls wait for a connection.'))
    return new Promise((resolve, reject) => {
      const settled = () => {
        clearTimeout(timer)
        this.#waiting = this.#waiting.filter((each) => each !== waiting)
      }
      const waiting: Waiting = {
        isChange,
        give: (connection) => {
          settled()
          resolve(this.#lend(connection, isChange))
        },
        refuse: (error) => {
          settled()
          reject(error)
        },
      }
      const timer = setTimeout(() => waiting.refuse(this.#lateError()), waitMs)
      this.#waiting.push(waiting)
      this.#serve()
    })
  }

  /**
   * Opens new connections in the place of all: the network was cut off. What is under way on one that
   * answers goes on.
   */
  renew(): void {
    this.#attempts.abort()
    this.#attempts = new AbortController()
    for (const connection of this.#idle.keys()) void this.#close(connection)
    for (const use of this.#inUse.values()) use.isOutdated = true
    this.#watch.cutSilent()
    this.#serve()
  }

  /** A server takes no writes any more: where another host may take them, it is looked for. */
  leaveReadOnly(): void {
    if (this.#target.isWritable) this.renew()
  }

  /** Closes what is idle now, and the rest when it is given back. */
  async end(): Promise<void> {
    this.#isEnded = true
    this.#attempts.abort()
    clearTimeout(this.#pause)
    for (const { refuse } of this.#waiting) refuse(new Error('The database is closed.'))
    await Promise.all([...this.#idle.keys()].map((connection) => this.#close(connection)))
    if (this.#inUse.size > 0) await new Promise<void>((resolve) => (this.#onUnused = resolve))
    this.#watch.stop()
  }

  /** Gives connections to those who may have one now, and opens more where there is room. */
  #serve(): void {
    const changesMax = Math.max(1, Math.floor(this.#options.size / 3))
    const changes = [...this.#inUse.values()].filter(({ isChange }) => isChange).length
    let left = changesMax - changes
    const ready = this.#waiting.filter(({ isChange }) => !isChange || left-- > 0)
    for (const { give } of ready.splice(0, this.#idle.size)) give(this.#takeIdle())
    const room = this.#options.size - this.#idle.size - this.#inUse.size - this.#opening
    if (this.#isEnded || this.#pause) return
    for (let more = Math.min(room, ready.length - this.#opening); more > 0; more--)
      void this.#open(this.#attempts.signal)
  }

  async #open(signal: AbortSignal): Promise<void> {
    this.#opening++
    try {
      const connection = await openConnection(this.#target, { signal })
      this.#opening--
      if (signal.aborted) return cut(connection)
      // PostgreSQL ends it, or the network. In use, it is given back later.
      connection.once('error', () => this.#forget(connection))
      connection.once('end', () => this.#forget(connection))
      this.#keepIdle(connection)
    } catch (error) {
      this.#opening--
      if (!signal.aborted) this.#refuse(error as Error)
    }
    this.#serve()
  }

  /** Where PostgreSQL has no more connections, those that are there serve all. */
  #refuse(error: Error): void {
    if (databaseTroubleOf(error) !== 'busy') return this.#waiting[0]?.refuse(error)
    this.#pause ??= setTimeout(() => {
      this.#pause = undefined
      this.#serve()
    }, refusedPauseMs)
  }

  #lend(connection: PostgresConnection, isChange: boolean): PooledConnection {
    const use = { isChange, isOutdated: false }
    this.#inUse.set(connection, use)
    this.#watch.start()
    return Object.assign(connection, {
      release: (isBroken = false) => {
        if (this.#inUse.get(connection) !== use) return
        this.#inUse.delete(connection)
        const { destroyed: isGone } = connection.connection.stream
        if (isBroken || isGone || use.isOutdated || this.#isEnded) void this.#close(connection)
        else this.#keepIdle(connection)
        this.#serve()
        if (this.#inUse.size === 0) this.#onUnused?.()
      },
    })
  }

  #keepIdle(connection: PostgresConnection): void {
    const timer = setTimeout(() => void this.#close(connection), this.#options.idleMs)
    this.#idle.set(connection, timer.unref())
  }

  #takeIdle(): PostgresConnection {
    const connection = [...this.#idle.keys()].at(-1)!
    this.#unkeep(connection)
    return connection
  }

  #unkeep(connection: PostgresConnection): void {
    clearTimeout(this.#idle.get(connection))
    this.#idle.delete(connection)
  }

  /** Says good-bye where the server listens; in any case the socket is closed soon. */
  async #close(connection: PostgresConnection): Promise<void> {
    this.#unkeep(connection)
    const timer = setTimeout(() => cut(connection), goodbyeMs)
    await connection.end()
    clearTimeout(timer)
  }

  #forget(connection: PostgresConnection): void {
    if (!this.#idle.has(connection)) return
    this.#unkeep(connection)
    cut(connection)
    this.#serve()
  }

  #lateError(): Error {
    return this.#idle.size + this.#inUse.size > 0 || this.#pause
      ? new DatabaseBusy('No connection to the database was free in time.')
      : new DatabaseAway('The database has not answered in time.')
  }
}

const goodbyeMs = 1_000
