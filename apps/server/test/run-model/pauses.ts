/**
 * The awaits of one server, as places at which its process can stand still: it stops at the one with this
 * number, and goes on when `thaw` is called.
 */
export class Pauses {
  /** Resolves when the process stands still. */
  readonly stopped: Promise<void>
  readonly passed: string[] = []
  readonly #at: number
  readonly #stop: () => void
  readonly #thawed: Promise<void>
  readonly #thaw: () => void

  constructor(at: number) {
    const stopping = Promise.withResolvers<void>()
    const thawing = Promise.withResolvers<void>()
    this.#at = at
    this.stopped = stopping.promise
    this.#stop = stopping.resolve
    this.#thawed = thawing.promise
    this.#thaw = thawing.resolve
  }

  readonly gate = async (where: string): Promise<void> => {
    this.passed.push(where)
    if (this.passed.length - 1 < this.#at) return
    this.#stop()
    await this.#thawed
  }

  thaw(): void {
    this.#thaw()
  }
}
