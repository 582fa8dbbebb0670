import { databaseTroubleOf } from '../outages/database-away.ts'
import {
  cut,
  openConnection,
  type ConnectionTarget,
  type PostgresConnection,
} from './open-connection.ts'
import { postgresTimeouts } from './postgres-timeouts.ts'

const { silenceMs, probeMs } = postgresTimeouts
const silentTicks = 3

/** Of a connection on which a query is under way. */
interface Silence {
  bytesRead: number
  /** Ticks, not time: after this process was stopped for a minute, no connection was silent for a minute. */
  ticks: number
}

/**
 * Finds connections that wait for an answer which will not come: the network lost it, or the server is gone
 * without a word. TCP would take minutes. After each three seconds of silence the database is asked, on a
 * new connection, whether it still works on the query. If it does not, or does not answer within two more, the
 * connection is cut, and its query fails.
 */
export class SilenceWatch {
  readonly #target: ConnectionTarget
  readonly #inUse: () => Iterable<PostgresConnection>
  readonly #silences = new WeakMap<PostgresConnection, Silence>()
  readonly #onUnreachable: (error: Error) => void
  readonly #tickMs: number
  #timer: NodeJS.Timeout | undefined

  constructor(
    target: ConnectionTarget,
    inUse: () => Iterable<PostgresConnection>,
    onUnreachable: (error: Error) => void,
    tickMs = silenceMs / silentTicks,
  ) {
    this.#target = target
    this.#inUse = inUse
    this.#onUnreachable = onUnreachable
    this.#tickMs = tickMs
  }

  /** Looks each second as long as connections are in use. */
  start(): void {
    this.#timer ??= setInterval(() => void this.#look(), this.#tickMs).unref()
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  /** Cuts what has been silent for a second or more: the database was away. */
  cutSilent(): void {
    for (const connection of this.#inUse()) if (this.#ticksOf(connection) > 0) cut(connection)
  }

  async #look(): Promise<void> {
    const silent: PostgresConnection[] = []
    let count = 0
    for (const connection of this.#inUse()) {
      count++
      const { bytesRead } = connection.connection.stream
      const before = this.#silences.get(connection)
      const isSame = before?.bytesRead === bytesRead && !connection.readyForQuery
      const ticks = isSame ? before.ticks + 1 : 0
      this.#silences.set(connection, { bytesRead, ticks })
      if (ticks > 0 && ticks % silentTicks === 0) silent.push(connection)
    }
    if (count === 0) return this.stop()
    if (silent.length > 0) await this.#lookInto(silent)
  }

  async #lookInto(silent: PostgresConnection[]): Promise<void> {
    const asked = silent.map((connection) => [connection, this.#ticksOf(connection)] as const)
    const working = await this.#listWorking(silent.map(({ backendPid }) => backendPid))
    for (const [connection, ticks] of asked) {
      const isStillSilent = this.#ticksOf(connection) >= ticks && !connection.readyForQuery
      if (isStillSilent && !working.has(connection.backendPid)) cut(connection)
    }
  }

  #ticksOf(connection: PostgresConnection): number {
    return this.#silences.get(connection)?.ticks ?? 0
  }

  /** Empty where the database does not answer. One that has no connection for the question is there. */
  async #listWorking(pids: number[]): Promise<Set<number>> {
    let own: PostgresConnection | undefined
    let late: NodeJS.Timeout | undefined
    try {
      const asking = (own = await openConnection(this.#target, { timeoutMs: probeMs }))
      late = setTimeout(() => cut(asking), probeMs)
      // One that waits for its client has answered.
      const { rows } = await own.query<{ pid: number }>(
        `select pid from pg_stat_activity
          where pid = any($1) and state = 'active' and wait_event_type is distinct from 'Client'`,
        [pids],
      )
      return new Set(rows.map(({ pid }) => pid))
    } catch (error) {
      if (databaseTroubleOf(error) === 'busy') return new Set(pids)
      this.#onUnreachable(error as Error)
      return new Set()
    } finally {
      clearTimeout(late)
      if (own) cut(own)
    }
  }
}
