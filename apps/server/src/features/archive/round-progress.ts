import type { ArchivePhase } from '@gatehouse/contract'
import type { RowChange } from '../../db/tables.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { InTransaction } from '../../stores.ts'
import { monotonicMs } from './round-parts.ts'

const everyMs = 1000

/** How far a round is, in the database, so that any server can show it. Written once a second at most. */
export class RoundProgress {
  due = 0
  #written = 0
  #removed = 0
  #phase: ArchivePhase = 'sorting'
  #storedMs = 0
  readonly #clock: Clock
  readonly #inTransaction: InTransaction

  constructor({ clock, inTransaction }: { clock: Clock; inTransaction: InTransaction }) {
    this.#clock = clock
    this.#inTransaction = inTransaction
  }

  /** `change` is stored with the phase: who follows the round never sees one without the other. */
  async enter(phase: ArchivePhase, change: RowChange<'archive_round'> = {}): Promise<void> {
    this.#phase = phase
    await this.#store(change)
  }

  async add({ written = 0, removed = 0 }): Promise<void> {
    this.#written += written
    this.#removed += removed
    if (monotonicMs(this.#clock) - this.#storedMs >= everyMs) await this.#store({})
  }

  async #store(more: RowChange<'archive_round'>): Promise<void> {
    this.#storedMs = monotonicMs(this.#clock)
    const change = {
      ...more,
      phase: this.#phase,
      runs_due: this.due,
      runs_written: this.#written,
      runs_removed: this.#removed,
    }
    await this.#inTransaction(({ archive }) => archive.updateRound(change))
  }
}
