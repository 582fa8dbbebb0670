import { isUnreachable } from './database-away.ts'
import type { ConnectionTarget, PostgresConnection } from '../postgres/open-connection.ts'
import { ReturnProbe } from '../postgres/return-probe.ts'

interface ReachOptions {
  /** The database counts as away from now on. */
  onAway: (error: Error) => void
  /** A try that began then has found the database still away. */
  onStillAway: (error: Error, begunAtMs: number) => void
  /** It is there again: the connection that found it, unless it had none to give. */
  onReturn: (connection: PostgresConnection | undefined) => void
}

/** Learns that the database was lost, or has answered. */
interface ReachListener {
  onAway: (error: Error) => void
  onHeard: () => void
}

/** What has been heard this recently outweighs one connection that could not be opened. */
const heardMs = 1_000

/**
 * Whether the database can be reached, as one pool has found out. It counts as away once a connection could not
 * be opened and nothing was heard from it for a second. From then on it is looked for in the background, and
 * calls do not wait for it.
 */
export class DatabaseReach {
  readonly #target: ConnectionTarget
  readonly #options: ReachOptions
  readonly #listeners = new Set<ReachListener>()
  #away: { error: Error; probe: ReturnProbe } | undefined
  #heardAtMs = -Infinity

  constructor(target: ConnectionTarget, options: ReachOptions) {
    this.#target = target
    this.#options = options
  }

  /** Why the database counts as away; undefined: it does not. */
  get awayBecause(): Error | undefined {
    return this.#away?.error
  }

  listen(listener: ReachListener): void {
    this.#listeners.add(listener)
  }

  heard(): void {
    this.#heardAtMs = performance.now()
    for (const { onHeard } of this.#listeners) onHeard()
  }

  /** Call it with the error of a connection that could not be opened. True: the database counts as away. */
  failed(error: Error): boolean {
    if (this.#away) return true
    if (!isUnreachable(error) || performance.now() - this.#heardAtMs < heardMs) return false
    const probe = new ReturnProbe(this.#target, this.#options.onStillAway)
    this.#away = { error, probe }
    this.#options.onAway(error)
    for (const { onAway } of this.#listeners) onAway(error)
    void this.#awaitReturn(probe)
    return true
  }

  async #awaitReturn(probe: ReturnProbe): Promise<void> {
    const found = await probe.found
    if (found !== 'stopped') this.#return(found)
  }

  /** A connection was opened: where the database counted as away, it does not any more. */
  opened(): void {
    if (this.#away) this.#return(undefined)
    else this.heard()
  }

  /** A call waits: the next try is made now. */
  hurry(): void {
    this.#away?.probe.hurry()
  }

  stop(): void {
    this.#away?.probe.stop()
  }

  #return(connection: PostgresConnection | undefined): void {
    this.#away?.probe.stop()
    this.#away = undefined
    this.#options.onReturn(connection)
    this.heard()
  }
}
