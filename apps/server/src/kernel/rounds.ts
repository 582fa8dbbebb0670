import type { Logger } from 'pino'

interface RoundsOptions {
  everyMs: number
  /** Of the first round after the start; unless given, it comes like all others. */
  firstAfterMs?: number
  work: () => Promise<void>
  log: Logger
  /** What the log says where a round fails. */
  failure: string
}

/**
 * Periodic work of a server. One round at a time: a round that takes long delays the next. A round that
 * fails is logged, and the next one comes as usual.
 */
export class Rounds {
  readonly #options: RoundsOptions
  #timer: NodeJS.Timeout | undefined
  #first: NodeJS.Timeout | undefined
  #underWay: Promise<void> | undefined

  constructor(options: RoundsOptions) {
    this.#options = options
  }

  start(): void {
    if (this.#timer) return
    const { everyMs, firstAfterMs } = this.#options
    const round = () => void this.look()
    this.#timer = setInterval(round, everyMs).unref()
    if (firstAfterMs !== undefined) this.#first = setTimeout(round, firstAfterMs).unref()
  }

  /** Begins no further round; resolves when the one under way has ended. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    clearTimeout(this.#first)
    await this.#underWay
  }

  /** Does one round now. A second caller waits for the round under way. */
  look(): Promise<void> {
    const { work, log, failure } = this.#options
    this.#underWay ??= work()
      .catch((error: unknown) => log.error({ err: error }, failure))
      .finally(() => (this.#underWay = undefined))
    return this.#underWay
  }
}
