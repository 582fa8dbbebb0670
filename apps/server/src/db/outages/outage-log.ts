import type { Logger } from 'pino'
import { databaseTroubleOf } from './database-away.ts'
import type { DatabaseReach } from './database-reach.ts'

/** Without a failure for this long after the database has answered, an outage is over. */
const quietMs = 1_000
/** Kinds of failures that are counted apart. */
const kindsMax = 50

interface Outage {
  sinceMs: number
  /** When the database answered first after the last failure. */
  heardAtMs: number | undefined
  failures: Map<string, number>
}

/**
 * Makes of what fails because the database is away two lines of the log, whatever it is that fails: one when the
 * outage begins, and one when it is over, with how long it was and how often each thing has failed.
 */
export class OutageLog {
  #log: Logger | undefined
  #reach: DatabaseReach | undefined
  #outage: Outage | undefined
  #end: NodeJS.Timeout | undefined

  /** From now on. A database that can't be away, as SQLite, has no reach. */
  watch(log: Logger, reach: DatabaseReach | undefined): void {
    if (!reach) return
    this.#log = log
    this.#reach = reach
    reach.listen({
      onAway: (error) => this.#noteFailure(error),
      onHeard: () => this.#noteAnswer(),
    })
  }

  /** True for a line that is counted, and not written. */
  readonly counts = (fields: unknown, text: string | undefined): boolean => {
    const error = (fields as { err?: unknown } | null)?.err
    if (!this.#reach || databaseTroubleOf(error) !== 'away') return false
    const { failures } = this.#noteFailure(error as Error)
    const kind = failures.has(text ?? '') || failures.size < kindsMax ? (text ?? '') : 'other'
    failures.set(kind, (failures.get(kind) ?? 0) + 1)
    return true
  }

  /** The log is about to be closed. */
  stop(): void {
    clearTimeout(this.#end)
    if (this.#outage) this.#log?.warn(this.#sumUp(), 'the server stops while the database is away')
    this.#reach = undefined
    this.#outage = undefined
  }

  #noteFailure(error: Error): Outage {
    clearTimeout(this.#end)
    if (this.#outage) {
      this.#outage.heardAtMs = undefined
      return this.#outage
    }
    this.#outage = { sinceMs: performance.now(), heardAtMs: undefined, failures: new Map() }
    // With the error itself this line would be counted too.
    this.#log?.error(
      { reason: innermostMessage(error) },
      'the database is away; what fails because of it is counted until it is there again',
    )
    return this.#outage
  }

  #noteAnswer(): void {
    if (!this.#outage || this.#outage.heardAtMs !== undefined || this.#reach?.awayBecause) return
    this.#outage.heardAtMs = performance.now()
    this.#end = setTimeout(() => {
      this.#log?.warn(this.#sumUp(), 'the database is there again')
      this.#outage = undefined
    }, quietMs).unref()
  }

  #sumUp() {
    const { sinceMs, heardAtMs = performance.now(), failures } = this.#outage!
    return { duration_ms: Math.round(heardAtMs - sinceMs), failures: Object.fromEntries(failures) }
  }
}

function innermostMessage(error: Error): string {
  let innermost = error
  while (innermost.cause instanceof Error) innermost = innermost.cause
  return innermost.message
}
