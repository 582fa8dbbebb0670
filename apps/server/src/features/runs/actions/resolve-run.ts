import type { Verdict } from '@gatehouse/contract'
import { AppError } from '../../../kernel/app-error.ts'
import type { CallContext } from '../../../kernel/mount.ts'
import type { InTransaction } from '../../../stores.ts'
import type { ArchivedRuns } from '../ledger/archived-runs.ts'
import { loadRun, rightOf } from '../ledger/open-run.ts'
import type { RunFeed } from '../ledger/run-feed.ts'
import type { Targets } from '../steps/target.ts'
import { auditStep, saidBy, stepOf, StepSettler, type StepSettlerOptions } from './settle-step.ts'

interface RunResolverOptions extends StepSettlerOptions {
  archived: ArchivedRuns
  targets: Targets
  inTransaction: InTransaction
  feed: RunFeed
}

interface Resolution {
  step: number
  verdict: Verdict
  reference: string
  note: string
}

/** Settles a step whose outcome is unknown, by the decision of a person. */
export class RunResolver {
  readonly #options: RunResolverOptions
  readonly #settler: StepSettler

  constructor(options: RunResolverOptions) {
    this.#options = options
    this.#settler = new StepSettler(options)
  }

  /** Of two people at once, one settles the step. The other gets a 409 with the current run. */
  async resolve(runId: number, resolution: Resolution, context: CallContext) {
    const { inTransaction, feed, targets } = this.#options
    await this.#options.archived.bringBack(runId)
    const stored = await inTransaction(({ runs }) => loadRun(runs, runId))
    const step = stepOf(stored, resolution.step)
    const right = rightOf(stored)
    if (!(await targets.mayCall(step.endpoint_id, context.caller, right))) {
      const what = right ? 'workflow of this run' : 'endpoint of this step'
      throw new AppError('permission.denied', {
        message: `None of your roles has access to the ${what}.`,
      })
    }
    const isReceived = resolution.verdict === 'received'
    const state = isReceived ? 'succeeded' : 'waiting'
    const run = await inTransaction(async (stores) => {
      await this.#settler.settle(stores, stored, step, {
        caller: context.caller,
        kind: isReceived ? 'resolved_received' : 'resolved_not_received',
        state,
        reference: resolution.reference,
        message: saidBy(context.caller.user.name, isReceived),
        attempt: { note: resolution.note || null, reference: resolution.reference || null },
      })
      const { verdict, reference, note } = resolution
      return auditStep(stores, stored, step, context, {
        action: 'run.resolve',
        after: { verdict, ...(reference ? { reference } : {}), ...(note ? { note } : {}) },
      })
    }, context.caller)
    feed.changed(runId)
    const message = isReceived
      ? 'The step counts as received.'
      : 'The step counts as not received: it can be sent again.'
    return { message, run }
  }
}
