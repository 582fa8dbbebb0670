const holdMaxMs = 5_000

/** Definitions that workers have been sent and have not yet said they hold, by the trace that they are for. */
export class UnsavedHolds {
  readonly #waiting = new Map<object, Map<string, () => void>>()

  /** Settles once the worker holds it or has ended, 5 s later at most. */
  async wait(worker: object, traceId: string, ended: Promise<void>): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const own = this.#waiting.get(worker) ?? new Map<string, () => void>()
    this.#waiting.set(worker, own.set(traceId, resolve))
    const timer = setTimeout(resolve, holdMaxMs)
    await Promise.race([promise, ended])
    clearTimeout(timer)
    own.delete(traceId)
    if (own.size === 0) this.#waiting.delete(worker)
  }

  held(worker: object, traceId: string): void {
    this.#waiting.get(worker)?.get(traceId)?.()
  }
}
