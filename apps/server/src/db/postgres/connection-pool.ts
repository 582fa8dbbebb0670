import { databaseTroubleOf, DatabaseBusy, DatabaseAway } from '../outages/database-away.ts'
import { DatabaseReach } from '../outages/database-reach.ts'
import {
  cut,
  openConnection,
  type ConnectionTarget,
  type PostgresConnection,
} from './open-connection.ts'
import { postgresTimeouts } from './postgres-timeouts.ts'
import { SilenceWatch } from './silence-watch.ts'
import { WaitingCalls } from './waiting-calls.ts'

interface PoolOptions {
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
type PooledConnection = PostgresConnection & { release: (isBroken?: boolean) => void }

interface Use {
  isChange: boolean
  isOutdated: boolean
  /** What had arrived on the connection before. */
  bytesBefore: number
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
  readonly reach: DatabaseReach
  readonly #target: ConnectionTarget
  readonly #options: PoolOptions
  readonly #watch: SilenceWatch
  /** The one that was used last is last. */
  readonly #idle = new Map<PostgresConnection, NodeJS.Timeout>()
  readonly #inUse = new Map<PostgresConnection, Use>()
  readonly #waiting = new WaitingCalls<PooledConnection>()
  #opening = 0
  #pause: NodeJS.Timeout | undefined
  #attempts = new AbortController()
  #isEnded = false
  #onUnused: (() => void) | undefined

  constructor(target: ConnectionTarget, options: PoolOptions) {
    this.#target = target
    this.#options = options
    this.reach = new DatabaseReach(target, {
      onAway: (error) => this.#leave(error),
      // A call that came after the beginning waits for the next one.
      onStillAway: (error, begunAtMs) => this.#waiting.refuseAll(error, begunAtMs),
      onReturn: (connection) => {
        this.renew()
        if (connection) this.#keep(connection)
        this.#serve()
      },
    })
    const inUse = () => this.#inUse.keys()
    const onUnreachable = (error: Error) => void this.reach.failed(error)
    this.#watch = new SilenceWatch(target, inUse, onUnreachable, options.tickMs)
  }

  /**
   * Throws `DatabaseBusy` where no connection was free in time, or too many wait for one. Where the database
   * can't be reached, it throws the error of that; once that is known, within `awayWaitMs`.
   */
  async connect({ isChange = false } = {}): Promise<PooledConnection> {
    const { waitingMax, waitMs } = this.#options
    const { count } = this.#waiting
    if (this.#isEnded) throw new Error('The database is closed.')
    if (count === 0 && this.#idle.size > 0 && !isChange)
      return this.#lend(this.#takeIdle(), isChange)
    if (count >= waitingMax) throw new DatabaseBusy('Too many calls wait for a connection.')
    const maxMs = this.reach.awayBecause ? Math.min(waitMs, postgresTimeouts.awayWaitMs) : waitMs
    const waiting = this.#waiting.wait({ isChange, maxMs, late: () => this.#lateError() })
    this.reach.hurry()
    this.#serve()
    return waiting
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
    this.reach.stop()
    clearTimeout(this.#pause)
    this.#waiting.refuseAll(new Error('The database is closed.'))
    await Promise.all([...this.#idle.keys()].map((connection) => this.#close(connection)))
    if (this.#inUse.size > 0) await new Promise<void>((resolve) => (this.#onUnused = resolve))
    this.#watch.stop()
  }

  /** Gives connections to those who may have one now, and opens more where there is room. */
  #serve(): void {
    const changesMax = Math.max(1, Math.floor(this.#options.size / 3))
    const changes = [...this.#inUse.values()].filter(({ isChange }) => isChange).length
    const ready = this.#waiting.ready(changesMax - changes)
    for (const { isChange, give } of ready.splice(0, this.#idle.size))
      give(this.#lend(this.#takeIdle(), isChange))
    const room = this.#options.size - this.#idle.size - this.#inUse.size - this.#opening
    if (this.#isEnded || this.#pause || this.reach.awayBecause) return
    for (let more = Math.min(room, ready.length - this.#opening); more > 0; more--)
      void this.#open(this.#attempts.signal)
  }

  async #open(signal: AbortSignal): Promise<void> {
    this.#opening++
    try {
      const connection = await openConnection(this.#target, { signal })
      this.#opening--
      if (signal.aborted) return cut(connection)
      this.reach.opened()
      this.#keep(connection)
    } catch (error) {
      this.#opening--
      if (!signal.aborted) this.#refuse(error as Error)
    }
    this.#serve()
  }

  /** A connection that is new. */
  #keep(connection: PostgresConnection): void {
    // PostgreSQL ends it, or the network. In use, it is given back later.
    connection.once('error', () => this.#forget(connection))
    connection.once('end', () => this.#forget(connection))
    this.#keepIdle(connection)
  }

  /** The database counts as away. A call that got an idle connection would wait for an answer in vain. */
  #leave(error: Error): void {
    this.#waiting.refuseAll(error)
    for (const connection of this.#idle.keys()) void this.#close(connection)
  }

  /** Where PostgreSQL has no more connections, those that are there serve all. */
  #refuse(error: Error): void {
    if (databaseTroubleOf(error) !== 'busy')
      return this.reach.failed(error) ? undefined : this.#waiting.refuseFirst(error)
    this.#pause ??= setTimeout(() => {
      this.#pause = undefined
      this.#serve()
    }, refusedPauseMs)
  }

  #lend(connection: PostgresConnection, isChange: boolean): PooledConnection {
    const { bytesRead: bytesBefore } = connection.connection.stream
    const use = { isChange, isOutdated: false, bytesBefore }
    this.#inUse.set(connection, use)
    this.#watch.start()
    return Object.assign(connection, {
      release: (isBroken = false) => {
        if (this.#inUse.get(connection) !== use) return
        this.#inUse.delete(connection)
        const { destroyed: isGone, bytesRead } = connection.connection.stream
        if (!isGone && bytesRead > bytesBefore) this.reach.heard()
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
    const cause = this.reach.awayBecause
    if (cause) return new DatabaseAway('The database is away.', { cause })
    if (this.#idle.size + this.#inUse.size > 0 || this.#pause)
      return new DatabaseBusy('No connection to the database was free in time.')
    const error = new DatabaseAway('The database has not answered in time.')
    this.reach.failed(error)
    return error
  }
}

const goodbyeMs = 1_000
