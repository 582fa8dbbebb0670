import { setTimeout as sleep } from 'node:timers/promises'
import type { Exchanged } from '@gatehouse/upstream'
import type { Logger } from 'pino'
import type { Clock } from '../../../kernel/clock.ts'
import type { InTransaction } from '../../../stores.ts'
import type { EvidenceFiles } from './evidence-files.ts'
import { seeAnswer, type SeenAnswer } from '../ledger/finish-step.ts'
import { heldError } from './held-error.ts'
import type { Finished, ReadyStep } from '../ledger/reading/find-finished.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Leases } from '../../../kernel/leases/leases.ts'
import { LeaseLost, type LiveRun, type OpenAttempt } from '../ledger/reading/live-run.ts'
import { evidenceOf, type RunEvidence } from './run-evidence.ts'
import type { RunFeed } from '../ledger/reading/run-feed.ts'
import { settleEvidence, type Settled } from './settle-evidence.ts'

interface OutcomeKeeperOptions {
  ledger: Ledger
  leases: Leases
  files: EvidenceFiles
  inTransaction: InTransaction
  feed: RunFeed
  clock: Clock
  log: Logger
}

/** The pause between two tries to store an outcome. It doubles each time. */
const pauseMinMs = 100
const pauseMaxMs = 2_000
/** The longest wait for a database that does not answer. */
const tryMaxMs = 10_000

/**
 * Stores every received outcome in the ledger. While the ledger can't be written, it tries again
 * until the lease ends, and a file keeps the outcome in case this process dies. `settleAll` moves
 * what is left in files to the ledger, in this process or the next.
 */
export class OutcomeKeeper {
  readonly #options: OutcomeKeeperOptions
  #isStopping = false

  constructor(options: OutcomeKeeperOptions) {
    this.#options = options
  }

  /** Ends the waiting: an outcome that can't be stored now stays in its file. */
  stop(): void {
    this.#isStopping = true
  }

  /**
   * Commits the outcome of an attempt (see `Ledger.finish`). Throws `LeaseLost` where another
   * server has the run, and `run.held` where the ledger could not be written before the lease
   * ended. In both cases the outcome is kept.
   */
  async commit(
    live: LiveRun,
    attempt: OpenAttempt,
    exchanged: Exchanged,
    next: () => ReadyStep | undefined,
  ): Promise<Finished> {
    const { ledger, leases, clock, files } = this.#options
    const at = clock.now()
    const seen = seeAnswer(attempt, exchanged, at)
    const evidence = evidenceOf(live, attempt, seen, at)
    for (let pauseMs = 0; ; pauseMs = Math.min(pauseMs * 2 || pauseMinMs, pauseMaxMs)) {
      if (pauseMs > 0) await sleep(pauseMs)
      try {
        const finished = await inTime(ledger.finish(live, attempt, exchanged, next))
        if (pauseMs > 0) await files.remove(evidence)
        return finished
      } catch (error) {
        const known =
          error instanceof LeaseLost ? await this.#lost(live, attempt, seen, next) : undefined
        if (known) {
          await files.remove(evidence)
          return known
        }
        if (error instanceof LeaseLost) {
          await this.#keepLate(evidence)
          throw error
        }
        if (pauseMs === 0) await this.#keep(evidence, error)
        if (this.#isStopping || leases.isOver(live)) throw heldError(live, error)
      }
    }
  }

  /** Moves outcomes from files to the ledger where that is possible now. */
  async settleAll(): Promise<void> {
    const { files, leases, log } = this.#options
    for (const { name, evidence } of await files.list()) {
      if (!evidence) {
        log.error({ file: name }, 'the evidence file of a run is damaged; it is set aside')
        await files.setAside(name)
      } else if (!leases.holds(evidence.run_id)) {
        await this.#settleFile(name, evidence)
      }
    }
  }

  async #settleFile(name: string, evidence: RunEvidence): Promise<void> {
    const { files, log } = this.#options
    const settled = await this.#settle(evidence)
    if (settled === 'done') await files.remove(evidence)
    if (settled === 'foreign') {
      log.error({ file: name }, 'this database has no run for this evidence file; it is set aside')
      await files.setAside(name)
    }
  }

  async #settle(evidence: RunEvidence): Promise<Settled> {
    const { inTransaction, leases, clock, feed, log } = this.#options
    const { owner } = leases
    const settled = await inTransaction((stores) =>
      settleEvidence(stores, evidence, { now: clock.now().toISOString(), owner }),
    )
    if (settled !== 'done') return settled
    feed.changed(evidence.run_id)
    log.warn(factsOf(evidence), 'an outcome that was kept in a file is in the ledger now')
    return settled
  }

  /** After a commit whose confirmation was lost, the run looks as if another server had it. */
  #lost(
    live: LiveRun,
    attempt: OpenAttempt,
    seen: SeenAnswer,
    next: () => ReadyStep | undefined,
  ): Promise<Finished | undefined> {
    return this.#options.ledger.findFinished(live, attempt, seen, next).catch(() => undefined)
  }

  /** Another server has recorded the attempt as a crash: the answer is stored as evidence. */
  async #keepLate(evidence: RunEvidence): Promise<void> {
    const settled = await this.#settle(evidence).catch(() => 'later' as const)
    if (settled === 'done') await this.#options.files.remove(evidence)
    else await this.#keep(evidence, undefined)
  }

  async #keep(evidence: RunEvidence, error: unknown): Promise<void> {
    const { files, log } = this.#options
    const facts = factsOf(evidence)
    try {
      await files.put(evidence)
      log.warn(
        { ...facts, err: error },
        'an outcome can’t be stored in the ledger yet; it is kept in a file',
      )
    } catch (failure) {
      // The log is the last place for it.
      log.error(
        { ...facts, err: failure },
        'an outcome can be stored neither in the ledger nor in a file',
      )
    }
  }
}

const factsOf = ({ run_id, position, attempt_id, outcome, kept }: RunEvidence) => ({
  run_id,
  step: position,
  attempt_id,
  outcome,
  status: kept.status,
})

async function inTime<T>(work: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => reject(new Error(`The database has not answered for ${tryMaxMs} ms.`)),
    tryMaxMs,
  )
  // Where it is too late, a later rejection must not be unhandled.
  work.catch(() => {})
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
