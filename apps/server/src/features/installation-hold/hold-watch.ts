import type { Logger } from 'pino'
import { Rounds } from '../../kernel/rounds.ts'
import type { Stores } from '../../stores.ts'
import type { HoldRow } from './installation-hold-store.ts'

const everyMs = 5_000

/** What this server last saw of the hold, for answers that do not wait for the database. */
export class HoldWatch {
  readonly #holds: Stores['installationHold']
  readonly #log: Logger
  readonly #rounds: Rounds
  #seen: HoldRow | undefined

  constructor(holds: Stores['installationHold'], log: Logger) {
    this.#holds = holds
    this.#log = log
    const failure = 'whether the installation is held can’t be read'
    this.#rounds = new Rounds({ everyMs, work: () => this.#round(), log, failure })
  }

  get hold(): HoldRow | undefined {
    return this.#seen
  }

  async start(): Promise<void> {
    await this.look()
    this.#rounds.start()
    if (!this.#seen) return
    const { reason, backup_made_at, held_since } = this.#seen
    this.#log.warn(
      { reason, backup_made_at, held_since },
      `held: ${reason === 'restore' ? 'a backup was restored' : 'the database is older than what was sent'}, so nothing is sent without a person until it is released in the dashboard`,
    )
  }

  stop(): Promise<void> {
    return this.#rounds.stop()
  }

  look(): Promise<void> {
    return this.#rounds.look()
  }

  async #round(): Promise<void> {
    const before = this.#seen
    this.#seen = await this.#holds.find()
    if (before && !this.#seen) this.#log.info('released: lanes, schedules and callbacks send again')
  }
}
