import type { AttemptKind, RunSettings, RunSummary, Verdict } from '@gatehouse/contract'
import { AppError } from '../../../kernel/app-error.ts'
import type { Caller } from '../../../kernel/caller.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { CallContext } from '../../../kernel/mount.ts'
import type { InTransaction, Stores } from '../../../stores.ts'
import { classifyStatusAnswer, type StatusVerdict } from './classify-status-answer.ts'
import { settleDocument } from '../ledger/document-settlement.ts'
import { auditAction, type RunAction } from './audit-action.ts'
import { inquiryOf, weighNegative, type Weighed } from './inquiry.ts'
import type { Leases } from '../ledger/leases.ts'
import { mayResolve } from './allowed-actions.ts'
import { settleInLane } from '../ledger/leave-lane.ts'
import { loadRun, rightOf, type StoredRun } from '../ledger/open-run.ts'
import type { RunFeed } from '../ledger/run-feed.ts'
import { runStateOf } from '../ledger/run-state.ts'
import type { NewRow } from '../../../db/tables.ts'
import type { AttemptRow } from '../ledger/attempt-store.ts'
import type { StepRow } from '../ledger/run-store.ts'
import { getSummary } from '../ledger/run-summary.ts'
import { stateAfter } from './state-after.ts'
import { askByOf, askStatus } from './status-query.ts'
import { attemptOf, toAnswer, verdictOf, type Answered } from './weighed-answer.ts'
import { withPermit, type PermitsOf } from './permit-soon.ts'
import type { PollKeeper } from '../pending/poll-keeper.ts'
import type { StepSender } from '../steps/step-sender.ts'
import type { Targets } from '../steps/target.ts'

interface RunResolverOptions {
  targets: Targets
  inTransaction: InTransaction
  leases: Leases
  feed: RunFeed
  clock: Clock
  sender: StepSender
  polls: PollKeeper
  permitsOf: PermitsOf
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
      await this.#settle(stores, stored, step, {
        caller: context.caller,
        kind: isReceived ? 'resolved_received' : 'resolved_not_received',
        state,
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
   * Calls the status query of the step's endpoint. An undecided answer leaves the step as it is: it
   * matches no rule, or it is a no and does not count yet (docs/runs.md).
   */
  async query(runId: number, position: number, token: string, context: CallContext) {
    const { inTransaction, feed, targets, sender } = this.#options
    const { caller } = context
    const stored = await inTransaction(({ runs }) => loadRun(runs, runId))
    const step = stepOf(stored, position)
    if (step.state === 'pending') return this.#queryPending(stored, step, token, context)
    if (!mayResolve(stored, step)) throw await notUnknown(stored, inTransaction)
    const askedAt = this.#options.clock.now()
    const isTest = stored.run.is_test === 1
    const right = rightOf(stored)
    const own = await targets.find(step.endpoint_id, caller, right)
    const askBy = own.ok ? askByOf(stored.attemptsOf(step), own.target) : undefined
    const how = { targets, caller, right, sender, token, isTest, askBy }
    const permits = await this.#options.permitsOf(stored.run.workflow_id)
    const asked = await withPermit(permits, () => askStatus(step, how))
    const said = classifyStatusAnswer(asked.answer, asked.query)
    const answered = { asked, askedAt, said }
    const { run, weighed } = await inTransaction(async (stores) => {
      const weighed = await this.#weigh(stores, stored, step, answered)
      const attempt = attemptOf(answered, weighed)
      if (!weighed.settles) {
        const noted = { ...this.#attempt(step, caller, 'status_query'), ...attempt }
        await this.#note(stores, stored, noted)
      } else {
        await this.#settle(stores, stored, step, {
          caller,
          kind: 'status_query',
          ...settlementBy(said),
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

  /** Asks about a step that the authority decides later. The product would ask by itself, in its time. */
  async #queryPending(stored: StoredRun, step: StepRow, token: string, context: CallContext) {
    const { inTransaction, polls } = this.#options
    const right = rightOf(stored)
    const asked = await polls.askNow(step, { caller: context.caller, right, token })
    if (asked?.settled?.what !== 'asked') throw await notUnknown(stored, inTransaction)
    const { answered, settled } = asked
    const said = settled.said ?? answered.said
    const run = await inTransaction((stores) =>
      this.#audited(stores, stored, step, context, {
        action: 'run.status_query',
        after: { verdict: verdictOf(said, settled.weighed) },
      }),
    )
    return { ...toAnswer(said, settled.weighed, answered.asked.query), run }
  }

  /** Decides whether the answer counts. Locks the run until the commit. */
  async #weigh(
    stores: Stores,
    { run }: StoredRun,
    step: StepRow,
    { asked, askedAt, said }: Answered,
  ): Promise<Weighed> {
    if (said.verdict === 'received') return { settles: true }
    if (said.verdict === 'unclear' || said.verdict === 'pending') {
      const because = said.verdict === 'pending' ? 'still_pending' : 'unclear'
      return { settles: false, because, askAgainAfter: null }
    }
    await stores.runs.hold(run.id)
    // The answer describes the moment of the question. Since then the step may have been sent
    // again.
    const now = await stores.runs.find(run.id)
    if (now?.epoch !== run.epoch) throw await refusedAsKnown(stores, run.id)
    const attempts = await stores.runs.listAttemptsOf(step.id)
    return weighNegative(inquiryOf(attempts, asked.query, asked.target, said.verdict), askedAt)
  }

  async #settle(
    stores: Stores,
    stored: StoredRun,
    step: StepRow,
    settlement: {
      caller: Caller
      kind: AttemptKind
      state: 'succeeded' | 'waiting' | 'rejected'
      reference: string
      message: string
      attempt: Partial<AttemptRow>
    },
  ): Promise<void> {
    const { run, steps } = stored
    const { caller, kind, reference, message, attempt } = settlement
    const after = await stateAfter(stores, run.id, step.position, settlement.state)
    const state = after.step
    const now = this.#options.clock.now().toISOString()
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
    await settleInLane(stores, run, runState, { goesOn: false, now })
    await stores.runs.insertAttempt({
      ...this.#attempt(step, caller, kind),
      number: await stores.runs.nextAttempt(step.id),
      reference: reference || null,
      ...attempt,
    })
    await settleDocument(stores, {
      runId: run.id,
      position: step.position,
      state: after.documents,
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

/** What an answer that counts makes of the step. */
function settlementBy(said: StatusVerdict) {
  const who = 'The status query'
  if (said.verdict === 'rejected') {
    const why = said.messages === '' ? '.' : `: ${said.messages}`
    return {
      state: 'rejected',
      reference: '',
      message: `${who} says that it was rejected${why}`,
    } as const
  }
  const isReceived = said.verdict === 'received'
  const reference = isReceived ? (said.authorityReference ?? '') : ''
  const state = isReceived ? 'succeeded' : 'waiting'
  return { state, reference, message: saidBy(who, isReceived) } as const
}

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
