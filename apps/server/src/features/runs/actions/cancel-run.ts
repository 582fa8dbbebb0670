import type { Clock } from '../../../kernel/clock.ts'
import type { CallContext } from '../../../kernel/mount.ts'
import type { InTransaction, Stores } from '../../../stores.ts'
import { removeFromLane } from '../ledger/leave-lane.ts'
import { loadRun, type StoredRun } from '../ledger/open-run.ts'
import type { RunFeed } from '../ledger/reading/run-feed.ts'
import { getSummary } from '../ledger/reading/run-summary.ts'
import { mayCancel } from './allowed-actions.ts'
import { auditAction } from './audit-action.ts'
import { refusalOf } from './resume-run.ts'

interface RunCancellerOptions {
  inTransaction: InTransaction
  feed: RunFeed
  clock: Clock
}

/** Takes runs out of their lane before anything of them was sent. */
export class RunCanceller {
  readonly #options: RunCancellerOptions

  constructor(options: RunCancellerOptions) {
    this.#options = options
  }

  /** Of a server that takes the run and a person who cancels it, the first counts. */
  async cancel(runId: number, context: CallContext) {
    const { inTransaction, feed, clock } = this.#options
    const run = await inTransaction(async (stores) => {
      const { run: before } = await cancelIn(stores, runId, clock.now().toISOString())
      await auditAction(stores, context, before, {
        action: 'run.cancel',
        step: null,
        before: { run_state: before.state },
        after: { run_state: 'cancelled' },
      })
      return getSummary(stores.runs, runId)
    }, context.caller)
    feed.changed(runId)
    return { message: 'The run is cancelled. Nothing of it was sent.', run }
  }
}

/** Takes a queued run out of its lane. Throws a 409 where it is not queued, or something of it was sent. */
async function cancelIn(stores: Stores, runId: number, now: string): Promise<StoredRun> {
  const { runs, lanes } = stores
  await runs.hold(runId)
  const stored = await loadRun(runs, runId)
  const allowed = mayCancel(stored)
  if (!allowed.ok) throw refusalOf(allowed)
  const entry = await lanes.findEntry(runId)
  if (entry) await removeFromLane(stores, entry)
  const { epoch } = stored.run
  await runs.updateRun(runId, { state: 'cancelled', epoch: epoch + 1, finished_at: now })
  return stored
}
