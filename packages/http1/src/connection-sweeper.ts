import type { UpstreamConnection } from './upstream-connection.ts'

/** Calls and idle connections may pass their deadline by this much. */
const sweepEveryMs = 50

/** Ends what has passed its deadline. Looking at all of them at intervals costs far less than a timer for each call. */
export class ConnectionSweeper {
  readonly #connections = new Set<UpstreamConnection>()
  #timer: NodeJS.Timeout | null = null

  add(connection: UpstreamConnection): void {
    this.#connections.add(connection)
    this.#timer ??= setInterval(() => this.sweep(performance.now()), sweepEveryMs).unref()
  }

  delete(connection: UpstreamConnection): void {
    this.#connections.delete(connection)
    if (this.#connections.size > 0 || this.#timer === null) return
    clearInterval(this.#timer)
    this.#timer = null
  }

  sweep(nowMs: number): void {
    for (const connection of this.#connections) {
      if (connection.deadlineMs <= nowMs) connection.expire()
    }
  }
}
