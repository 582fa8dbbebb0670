import type { Logger } from 'pino'
import type { Clock } from '../../../kernel/clock.ts'
import type { InTransaction } from '../../../stores.ts'
import { overtake } from '../journal/overtake.ts'
import { loadRun } from '../ledger/open-run.ts'
import type { RunContinuer } from '../pending/run-continuer.ts'
import type { HealingStore } from './healing-store.ts'

interface BlockedByFoundOptions {
  healing: HealingStore
  inTransaction: InTransaction
  continuer: RunContinuer
  clock: Clock
  log: Logger
}

type Blocked = Awaited<ReturnType<HealingStore['listBlockedByFound']>>[number]

const roundMax = 50
const triedMax = 10_000

/**
 * Runs that waited in their lane when a backup was made, and were sent before it was restored (spec: restore). The
 * journal's run holds their documents, and blocks them where the installation was released before that one was decided.
 * They follow it: accepted, it has overtaken them; not received, they are sent.
 */
export class BlockedByFound {
  readonly #options: BlockedByFoundOptions
  /** By run, the epoch in which it was tried: what is blocked for another reason since is not tried again. */
  readonly #tried = new Map<number, number>()

  constructor(options: BlockedByFoundOptions) {
    this.#options = options
  }

  async round(): Promise<void> {
    const { healing, log } = this.#options
    if (this.#tried.size > triedMax) this.#tried.clear()
    for (const blocked of await healing.listBlockedByFound(roundMax + this.#tried.size)) {
      const { run_id, epoch } = blocked
      if (this.#tried.get(run_id) === epoch) continue
      this.#tried.set(run_id, epoch)
      await this.#follow(blocked).catch((error: unknown) =>
        log.error({ err: error, run_id }, 'a blocked run can’t follow the one that was found'),
      )
    }
  }

  async #follow({ run_id, found_id, found_state }: Blocked): Promise<void> {
    const { inTransaction, continuer, clock } = this.#options
    if (found_state !== 'succeeded') return continuer.unblock(run_id)
    await inTransaction(async (stores) => {
      const stored = await loadRun(stores.runs, run_id)
      const hasSent = stored.steps.some(
        (step) => step.effect === 'submit' && stored.attemptsOf(step).length > 0,
      )
      // A person looks at what was sent in part.
      if (!hasSent) await overtake(stores, stored.run, found_id, clock.now())
    })
  }
}
