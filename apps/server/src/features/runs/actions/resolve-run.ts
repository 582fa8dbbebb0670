import type { AttemptKind, RunSettings, RunSummary, Verdict } from '@gatehouse/contract'
import { AppError } from '../../../kernel/app-error.ts'
import type { Caller } from '../../../kernel/caller.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { CallContext } from '../../../kernel/mount.ts'
import type { InTransaction, Stores } from '../../../stores.ts'
import { classifyStatusAnswer } from './classify-status-answer.ts'
import { settleDocument } from '../ledger/document-ledger.ts'
import { auditAction, type RunAction } from './audit-action.ts'
import { inquiryOf, weighNegative, type Weighed } from './inquiry.ts'
import type { Leases } from '../ledger/leases.ts'
import { mayResolve } from './allowed-actions.ts'
import { loadRun, type StoredRun } from '../ledger/open-run.ts'
import type { RunFeed } from '../ledger/run-feed.ts'
import { runStateOf } from '../ledger/run-state.ts'
import type { NewRow } from '../../../db/tables.ts'
import type { AttemptRow } from '../ledger/attempt-store.ts'
import type { StepRow } from '../ledger/run-store.ts'
import { getSummary } from '../ledger/run-summary.ts'
import { askStatus } from './status-query.ts'
import { attemptOf, toAnswer, verdictOf, type Answered } from './weighed-answer.ts'
import type { StepSender } from '../steps/step-sender.ts'
import type { Targets } from '../steps/target.ts'

interface RunResolverOptions {
  targets: Targets
  inTransaction: InTransaction
  leases: Leases
  feed: RunFeed
  clock: Clock
  sender: StepSender
}

interface Resolution {
  step: number
  verdict: Verdict
  reference: string
  note: string
}

type Settings = Pick<RunSettings, 'authority_reference_path' | 'qr_path'>

/** Settles steps whose outcome is unknown: by a person's decision, or by asking the endpoint. */
export class RunResolver {
  readonly #options: RunResolverOptions

  constructor(options: RunResolverOptions) {
    this.#options = options
  }

  /** Of two people at once, one settles the step. The other gets a 409 with the current run. */
  async resolve(runId: number, resolution: Resolution, context: CallContext) {
    const { inTransaction, feed, targets } = this.#options
    const stored = await inTransaction(({ runs }) => loadRun(runs, runId))
    const step = stepOf(stored, resolution.step)
    if (!(await targets.mayCall(step.endpoint_id, context.caller))) {
      throw new AppError('permission.denied', {
        message: 'None of your roles has access to the endpoint of this step.',
      })
    }
    const isReceived = resolution.verdict === 'received'
    const run = await inTransaction(async (stores) => {
      await this.#settle(stores, stored, step, {
        caller: context.caller,
        kind: isReceived ? 'resolved_received' : 'resolved_not_received',
        isReceived,
        reference: resolution.reference,
        message: saidBy(context.caller.user.name, isReceived),
        attempt: { note: resolution.note || null, reference: resolution.reference || null },
      })
      const { verdict, reference, note } = resolution
      return this.#audited(stores, stored, step, context, {
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

  /**
   * Calls the status query of the step's endpoint. An undecided answer leaves the step unknown: it
   * matches no rule, or it is "not received" and does not count yet (docs/runs.md).
   */
  async query(runId: number, position: number, token: string, context: CallContext) {
    const { inTransaction, feed, targets, sender } = this.#options
    const { caller } = context
    const stored = await inTransaction(({ runs }) => loadRun(runs, runId))
    const step = stepOf(stored, position)
    if (!mayResolve(stored, step)) throw await notUnknown(stored, inTransaction)
    const askedAt = this.#options.clock.now()
    const isTest = stored.run.is_test === 1
    const asked = await askStatus(step, { targets, caller, sender, token, isTest })
    const said = classifyStatusAnswer(asked.answer, asked.query)
    const answered = { asked, askedAt, said }
    const { run, weighed } = await inTransaction(async (stores) => {
      const weighed = await this.#weigh(stores, stored, step, answered)
      const attempt = attemptOf(answered, weighed)
      if (said.verdict === 'unclear' || !weighed.settles) {
        const noted = { ...this.#attempt(step, caller, 'status_query'), ...attempt }
        await this.#note(stores, stored, noted)
      } else {
        const isReceived = said.verdict === 'received'
        await this.#settle(stores, stored, step, {
          caller,
          kind: 'status_query',
          isReceived,
          reference: said.verdict === 'received' ? (said.authorityReference ?? '') : '',
          message: saidBy('The status query', isReceived),
          attempt: { ...attempt, has_settled: 1 },
        })
      }
      const run = await this.#audited(stores, stored, step, context, {
        action: 'run.status_query',
        after: { verdict: verdictOf(said, weighed) },
      })
      return { run, weighed }
    })
    feed.changed(runId)
    return { ...toAnswer(said, weighed, asked.query), run }
  }

  /** Decides whether the answer counts. Locks the run until the commit. */
  async #weigh(
    stores: Stores,
    { run }: StoredRun,
    step: StepRow,
    { asked, askedAt, said }: Answered,
  ): Promise<Weighed> {
    if (said.verdict === 'received') return { settles: true }
    if (said.verdict === 'unclear')
      return { settles: false, because: 'unclear', askAgainAfter: null }
    await stores.runs.hold(run.id)
    // The answer describes the moment of the question. Since then the step may have been sent
    // again.
    const now = await stores.runs.find(run.id)
    if (now?.epoch !== run.epoch) throw await refusedAsKnown(stores, run.id)
    const attempts = await stores.runs.listAttemptsOf(step.id)
    return weighNegative(inquiryOf(attempts, asked.query, asked.target), askedAt)
  }

  async #settle(
    stores: Stores,
    stored: StoredRun,
    step: StepRow,
    settlement: {
      caller: Caller
      kind: AttemptKind
      isReceived: boolean
      reference: string
      message: string
      attempt: Partial<AttemptRow>
    },
  ): Promise<void> {
    const { run, steps } = stored
    const { caller, kind, isReceived, reference, message, attempt } = settlement
    const now = this.#options.clock.now().toISOString()
    const state = isReceived ? 'succeeded' : 'waiting'
    const runState = runStateOf(steps.map((each) => (each.id === step.id ? { state } : each)))
    // Of two requests that settle at once, or one that settles and one that resumes, the first
    // wins.
    const isFirst =
      mayResolve(stored, step) &&
      (await stores.runs.moveRun(run, {
        state: runState,
        epoch: run.epoch + 1,
        unknown_since: runState === 'unknown' ? run.unknown_since : null,
      })) &&
      (await stores.runs.moveStep(step.id, step.state, { state, message, not_before: null }))
    if (!isFirst) throw await refusedAsKnown(stores, run.id)
    await stores.runs.insertAttempt({
      ...this.#attempt(step, caller, kind),
      number: await stores.runs.nextAttempt(step.id),
      reference: reference || null,
      ...attempt,
    })
    await settleDocument(stores.documents, {
      runId: run.id,
      position: step.position,
      state,
      outcome: null,
      settings: noAnswerPaths,
      ...(reference ? { authorityReference: reference } : {}),
      now,
    })
  }

  /** Stores an answer that decides nothing, even where the run has changed since the question. */
  async #note(stores: Stores, { run }: StoredRun, attempt: Omit<NewRow<'run_attempt'>, 'number'>) {
    await stores.runs.hold(run.id)
    const number = await stores.runs.nextAttempt(attempt.step_id)
    await stores.runs.insertAttempt({ ...attempt, number })
  }

  /** Adds the decision to the audit trail and returns the current run. */
  async #audited(
    stores: Stores,
    { run }: StoredRun,
    step: StepRow,
    context: CallContext,
    { action, after }: Pick<RunAction, 'action' | 'after'>,
  ): Promise<RunSummary> {
    const now = await getSummary(stores.runs, run.id)
    await auditAction(stores, context, run, {
      action,
      step: step.position,
      before: { run_state: run.state, step_state: step.state },
      after: { run_state: now.state, ...after },
    })
    return now
  }

  #attempt(step: StepRow, { user }: Caller, kind: AttemptKind) {
    const now = this.#options.clock.now().toISOString()
    return {
      step_id: step.id,
      kind,
      owner: this.#options.leases.owner,
      started_at: now,
      finished_at: now,
      user_id: user.id,
      user_name: user.name,
    }
  }
}

const noAnswerPaths: Settings = { authority_reference_path: '', qr_path: '' }

const saidBy = (who: string, isReceived: boolean) =>
  isReceived
    ? `${who} says that it was received.`
    : `${who} says that it was not received: it may be sent again.`

function stepOf({ steps }: StoredRun, position: number): StepRow {
  const step = steps.find((each) => each.position === position)
  if (!step) throw new AppError('run.not_found', { message: 'This run has no such step.' })
  return step
}

const notUnknown = (stored: StoredRun, inTransaction: InTransaction) =>
  inTransaction((stores) => refusedAsKnown(stores, stored.run.id))

async function refusedAsKnown({ runs }: Stores, runId: number): Promise<AppError> {
  return new AppError('run.not_unknown', { extra: { run: await getSummary(runs, runId) } })
}
