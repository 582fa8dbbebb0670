import { setTimeout as sleep } from 'node:timers/promises'
import { isUnreachable } from '../outages/database-away.ts'
import {
  cut,
  openConnection,
  type ConnectionTarget,
  type PostgresConnection,
} from './open-connection.ts'
import { postgresTimeouts } from './postgres-timeouts.ts'

const { connectMs, returnTryMs, returnPauseMs } = postgresTimeouts

/**
 * Looks for a database that is away. One try follows the other, each so short that the database is found within
 * a second of its return; beside them goes one that may take as long as any connection, for a slow network.
 */
export class ReturnProbe {
  /**
   * The first connection. Undefined: the database answers, and has none to give or does not want us. Nothing else
   * ends the tries but `stop`.
   */
  readonly found: Promise<PostgresConnection | undefined | 'stopped'>
  readonly #target: ConnectionTarget
  readonly #onFailure: (error: Error, begunAtMs: number) => void
  readonly #ending = new AbortController()
  readonly #first = Promise.withResolvers<PostgresConnection | undefined | 'stopped'>()
  #pause: AbortController | undefined
  #isHurried = false

  /** `onFailure` gets the error of each try, and when that began. */
  constructor(target: ConnectionTarget, onFailure: (error: Error, begunAtMs: number) => void) {
    this.#target = target
    this.#onFailure = onFailure
    this.found = this.#first.promise
    for (const timeoutMs of [returnTryMs, connectMs]) void this.#keepTrying(timeoutMs)
  }

  /** Makes the next short try now; where one is under way, right after it. */
  hurry(): void {
    this.#isHurried = true
    this.#pause?.abort()
  }

  stop(): void {
    this.#end('stopped')
  }

  async #keepTrying(timeoutMs: number): Promise<void> {
    const { signal } = this.#ending
    const isShort = timeoutMs === returnTryMs
    while (!signal.aborted) {
      const begunAtMs = performance.now()
      if (isShort) this.#isHurried = false
      try {
        const connection = await openConnection(this.#target, { signal, timeoutMs })
        // The other one was faster.
        if (signal.aborted) cut(connection)
        else this.#end(connection)
      } catch (error) {
        if (signal.aborted) return
        if (!isUnreachable(error)) return this.#end(undefined)
        this.#onFailure(error as Error, begunAtMs)
        if (!isShort || !this.#isHurried) await this.#rest(isShort)
      }
    }
  }

  async #rest(mayHurry: boolean): Promise<void> {
    const pause = new AbortController()
    if (mayHurry) this.#pause = pause
    const signal = AbortSignal.any([pause.signal, this.#ending.signal])
    await sleep(returnPauseMs, undefined, { signal, ref: false }).catch(() => {})
  }

  #end(found: PostgresConnection | undefined | 'stopped'): void {
    this.#first.resolve(found)
    this.#ending.abort()
  }
}
