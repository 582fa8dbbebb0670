import type { Logger } from 'pino'
import { AppError } from '../../../kernel/app-error.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { Leases } from '../../../kernel/leases/leases.ts'
import type { CallContext } from '../../../kernel/mount.ts'
import type { InTransaction, ReadTogether } from '../../../stores.ts'
import type { RunEngine } from '../../runs/engine/run-engine.ts'
import type { StoredRun } from '../../runs/ledger/open-run.ts'
import { getSummary } from '../../runs/ledger/reading/run-summary.ts'
import { planOfCall, previewOfCall, stepDigest, stepOfCall } from '../../runs/release/held-call.ts'
import { openHeldCall } from '../../runs/release/send-held-call.ts'
import type { Targets } from '../../runs/steps/target.ts'
import { decide, reachingAll, refuseOther, type Release } from './decide.ts'

export interface CallReleaserOptions {
  inTransaction: InTransaction
  readTogether: ReadTogether
  targets: Targets
  clock: Clock
  leases: Leases
  engine: Pick<RunEngine, 'carryOut'>
  log: Logger
}

export const isCall = ({ run }: Pick<StoredRun, 'run'>) => run.kind === 'call'

/** Shows and releases the calls of agents that wait for a person. */
export class CallReleaser {
  readonly #options: CallReleaserOptions

  constructor(options: CallReleaserOptions) {
    this.#options = options
  }

  /** What would be sent, beside what the last one sent. */
  async seen(stored: StoredRun) {
    const { readTogether } = this.#options
    const step = stepOfCall(stored)
    const problem = await this.#plan(stored).then(
      () => undefined,
      (error: unknown) => {
        if (error instanceof AppError) return error.message
        throw error
      },
    )
    const last = await readTogether(({ releases }) => releases.findLastCall(step.endpoint_id))
    return {
      content: stepDigest(step),
      steps: [previewOfCall(step, problem)],
      input_problems: {},
      last: last ?? null,
    }
  }

  /** The attempt is opened in the transaction that stores the decision, and sent after it. */
  async release(
    stored: StoredRun,
    { content, note, confirm_held: confirmsHeld }: Release,
    context: CallContext,
  ) {
    const { inTransaction, clock, leases, engine, log } = this.#options
    const { id } = stored.run
    refuseOther(content, stepDigest(stepOfCall(stored)))
    const plan = await this.#plan(stored)
    const now = clock.now().toISOString()
    const { live, summary } = await inTransaction(async (stores) => {
      const decision = { decision: 'released', state: 'running', note, now } as const
      const run = await decide(stores, id, decision, context)
      const opened = await openHeldCall(stores, {
        stored,
        run,
        plan,
        leases,
        now,
        confirmsHeld,
      })
      return { live: opened, summary: await getSummary(stores.runs, id) }
    }, context.caller)
    engine
      .carryOut(live)
      // What was committed stays; the lease of the run ends, and a server closes it.
      .catch((error: unknown) => log.error({ err: error, run_id: id }, 'a call was cut off'))
    return { message: 'The call is released. It is sent now.', run: summary }
  }

  /** Throws an AppError that says why it can't be sent as it is now. */
  async #plan(stored: StoredRun) {
    const step = stepOfCall(stored)
    const found = await this.#options.targets.find(step.endpoint_id, reachingAll(stored.run))
    if (!found.ok) throw new AppError('run.not_releasable', { message: found.message })
    return planOfCall(step, found.target)
  }
}
