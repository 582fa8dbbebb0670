import type { InTransaction, Stores } from '../../../stores.ts'
import { askStep } from '../actions/status-query/ask-step.ts'
import { inquiryOf, type Weighed } from '../actions/status-query/inquiry.ts'
import type { PermitsOf } from '../actions/permit-soon.ts'
import { StepSettler, type StepSettlerOptions } from '../actions/settle-step.ts'
import { askByOf } from '../actions/status-query/status-query.ts'
import { settlementBy, weigh } from '../actions/status-query/weigh-answer.ts'
import { attemptOf, type Answered } from '../actions/status-query/weighed-answer.ts'
import type { StoredRun } from '../ledger/open-run.ts'
import type { RunFeed } from '../ledger/reading/run-feed.ts'
import type { StepRow } from '../ledger/run-store.ts'
import { asker } from '../pending/asker.ts'
import { beginPoll } from '../pending/begin-poll.ts'
import type { CalledUrl } from '../spans/asked-span.ts'
import type { RunSpans } from '../spans/run-spans.ts'
import type { StepSender } from '../steps/step-sender.ts'
import type { Target, Targets } from '../steps/target.ts'
import { keepContradiction } from '../verdicts/contradict.ts'

interface HealingInquirerOptions extends StepSettlerOptions {
  targets: Targets
  inTransaction: InTransaction
  feed: RunFeed
  sender: StepSender
  spans?: RunSpans | undefined
  permitsOf: PermitsOf
}

/** Asks the status query about an unknown step on behalf of the product, and settles the step by what it says. */
export class HealingInquirer {
  readonly #options: HealingInquirerOptions
  readonly #settler: StepSettler

  constructor(options: HealingInquirerOptions) {
    this.#options = options
    this.#settler = new StepSettler(options)
  }

  /**
   * Asks once. `sendsAgain`: a step that was certainly not received goes back into its lane. Throws an AppError
   * where it can't be asked, or where the run has changed since it was read.
   */
  async ask(
    stored: StoredRun,
    step: StepRow,
    target: Target,
    { sendsAgain }: { sendsAgain: boolean },
  ): Promise<void> {
    const { inTransaction, feed } = this.#options
    const answered = await this.#ask(stored, step, target)
    const noted = {
      ...this.#settler.attemptBy(step, asker, 'status_query'),
      ...attemptOf(answered, { settles: true }),
    }
    await inTransaction(async (stores) => {
      if (await keepContradiction(stores, stored, step, answered, noted)) return
      const weighed = apart(await weigh(stores, stored, step, answered), stored, step, answered)
      if (answered.said.verdict === 'pending' && target.settings.pending)
        return this.#wait(stores, stored, step, target, answered)
      if (weighed.settles) return this.#settle(stores, stored, step, answered, sendsAgain)
      return this.#note(stores, stored, step, answered, weighed)
    })
    feed.changed(stored.run.id)
  }

  async #ask(stored: StoredRun, step: StepRow, target: Target): Promise<Answered> {
    const { targets, sender, spans, clock, permitsOf, inTransaction } = this.#options
    const documents = await inTransaction((stores) =>
      stores.documents.listUndecided(step.run_id, step.position),
    )
    const { is_test, workflow_id: workflowId } = stored.run
    const askBy = askByOf(stored.attemptsOf(step), target, stored.run)
    const begin = spans && ((called: CalledUrl) => spans.ask(stored.run, called))
    const how = {
      targets,
      caller: asker,
      right: undefined,
      sender,
      token: '',
      isTest: is_test === 1,
      askBy,
      attempts: stored.attemptsOf(step),
      documents,
      begin,
    }
    return askStep(step, { own: target, clock, permitsOf, workflowId, how })
  }

  #settle(
    stores: Stores,
    stored: StoredRun,
    step: StepRow,
    answered: Answered,
    sendsAgain: boolean,
  ): Promise<void> {
    const settlement = settlementBy(answered)
    const goesOn = settlement.state === 'succeeded' || sendsAgain
    return this.#settler.settle(stores, stored, step, {
      caller: asker,
      kind: 'status_query',
      goesOn,
      ...settlement,
      attempt: {
        ...attemptOf(answered, { settles: true }),
        note: settlement.state === 'waiting' && sendsAgain ? notes.sent : notes.asked,
        has_settled: 1,
      },
    })
  }

  /** The authority has it and decides later: from now on it is asked for its decision. */
  async #wait(
    stores: Stores,
    stored: StoredRun,
    step: StepRow,
    target: Target,
    answered: Answered,
  ): Promise<void> {
    const { clock } = this.#options
    const { run } = stored
    await this.#settler.settle(stores, stored, step, {
      caller: asker,
      kind: 'status_query',
      state: 'pending',
      reference: '',
      message: 'The status query says that the authority has it and decides later.',
      goesOn: false,
      attempt: { ...attemptOf(answered, { settles: true }), note: notes.asked },
    })
    await beginPoll(stores, {
      runId: run.id,
      stepId: step.id,
      endpointId: target.endpointId,
      isTest: run.is_test === 1,
      askBy: askByOf(stored.attemptsOf(step), target, stored.run),
      settings: target.settings.pending,
      at: clock.now(),
    })
  }

  /** Keeps an answer that decides nothing, where it counts or says something new. */
  async #note(
    stores: Stores,
    stored: StoredRun,
    step: StepRow,
    answered: Answered,
    weighed: Weighed,
  ): Promise<void> {
    const attempt = attemptOf(answered, weighed)
    const before = stored.attemptsOf(step).findLast(({ kind }) => kind === 'status_query')
    const isSame = before?.verdict === attempt.verdict && before.status === attempt.status
    const counts = ['not_received', 'rejected'].includes(attempt.verdict)
    if (isSame && !counts) return
    const noted = { ...this.#settler.attemptBy(step, asker, 'status_query'), ...attempt }
    await this.#settler.note(stores, stored, { ...noted, note: notes.asked })
  }
}

const notes = {
  asked: 'Healing: the outcome was unknown.',
  sent: 'Healing: it was not received, so it is sent again.',
} as const

/** Two answers "not received" have to be the quiet period apart before anything is sent again by itself. */
function apart(
  weighed: Weighed,
  stored: StoredRun,
  step: StepRow,
  { asked, askedAt, said }: Answered,
): Weighed {
  if (!weighed.settles || said.verdict !== 'not_received') return weighed
  const { quiet_seconds } = asked.query
  const { negativesAtMs } = inquiryOf(stored.attemptsOf(step), asked.query, asked.target)
  const enoughMs = askedAt.getTime() - quiet_seconds * 1_000
  return negativesAtMs.some((atMs) => atMs <= enoughMs)
    ? weighed
    : { settles: false, because: 'said_once', askAgainAfter: null }
}
