import { AppError } from '../../../kernel/app-error.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { CallContext } from '../../../kernel/mount.ts'
import type { InTransaction } from '../../../stores.ts'
import { auditAction } from './audit-action.ts'
import { mayClose } from './allowed-actions.ts'
import { loadRun } from '../ledger/open-run.ts'
import { refusalOf } from './resume-run.ts'
import type { RunFeed } from '../ledger/reading/run-feed.ts'
import { getSummary } from '../ledger/reading/run-summary.ts'

interface RunCloserOptions {
  inTransaction: InTransaction
  feed: RunFeed
  clock: Clock
}

/** Closes runs that nothing more is done with: they leave the open work. */
export class RunCloser {
  readonly #options: RunCloserOptions

  constructor(options: RunCloserOptions) {
    this.#options = options
  }

  /**
   * Records who closed the run and why. The state of the run stays. Throws 409 while the run is
   * under way, while the outcome of a step is unknown, and where there is nothing to close.
   */
  async close(runId: number, reason: string, context: CallContext) {
    const { inTransaction, feed, clock } = this.#options
    const { user } = context.caller
    const run = await inTransaction(async (stores) => {
      const stored = await loadRun(stores.runs, runId)
      const allowed = mayClose(stored)
      if (!allowed.ok) throw refusalOf(allowed)
      const isClosed = await stores.runs.moveRun(stored.run, {
        // A request that goes on with the run now finds that it has changed.
        epoch: stored.run.epoch + 1,
        closed_at: clock.now().toISOString(),
        closed_by_id: user.id,
        closed_by_name: user.name,
        closed_reason: reason,
      })
      if (!isClosed) throw new AppError('run.in_progress', { retryAfterSeconds: 2 })
      await auditAction(stores, context, stored.run, {
        action: 'run.close',
        step: null,
        before: { run_state: stored.run.state },
        after: { reason },
      })
      return getSummary(stores.runs, runId)
    }, context.caller)
    feed.changed(runId)
    return { message: 'The run is closed.', run }
  }
}
