import { fieldError } from '../../../../kernel/app-error.ts'
import type { Clock } from '../../../../kernel/clock.ts'
import type { CallContext } from '../../../../kernel/mount.ts'
import type { InTransaction, Stores } from '../../../../stores.ts'
import type { Leases } from '../../../../kernel/leases/leases.ts'
import type { ArchivedRuns } from '../../ledger/reading/archived-runs.ts'
import { loadRun, rightOf, type StoredRun } from '../../ledger/open-run.ts'
import type { RunFeed } from '../../ledger/reading/run-feed.ts'
import type { StepRow } from '../../ledger/run-store.ts'
import type { PollKeeper } from '../../pending/poll-keeper.ts'
import type { CalledUrl } from '../../spans/asked-span.ts'
import type { RunSpans } from '../../spans/run-spans.ts'
import type { StepSender } from '../../steps/step-sender.ts'
import type { Targets } from '../../steps/target.ts'
import { keepContradiction } from '../../verdicts/contradict.ts'
import { mayResolve } from '../allowed-actions.ts'
import { askStep } from './ask-step.ts'
import type { Weighed } from './inquiry.ts'
import type { PermitsOf } from '../permit-soon.ts'
import { auditStep, refusedAsKnown, stepOf, StepSettler } from '../settle-step.ts'
import { askByOf } from './status-query.ts'
import { settlementBy, weigh } from './weigh-answer.ts'
import { attemptOf, toAnswer, verdictOf, type Answered } from './weighed-answer.ts'

interface StepInquirerOptions {
  archived: ArchivedRuns
  targets: Targets
  inTransaction: InTransaction
  leases: Leases
  feed: RunFeed
  clock: Clock
  sender: StepSender
  spans?: RunSpans | undefined
  polls: PollKeeper
  permitsOf: PermitsOf
}

interface Typed {
  token: string
  /** What the status query needs and nothing else says, by name. */
  values: Readonly<Record<string, string>>
}

interface Question extends Pick<Typed, 'token'> {
  step: number
  values?: Typed['values'] | undefined
}

/** Asks the endpoint of a step what became of it, for a person. */
export class StepInquirer {
  readonly #options: StepInquirerOptions
  readonly #settler: StepSettler

  constructor(options: StepInquirerOptions) {
    this.#options = options
    this.#settler = new StepSettler(options)
  }

  /**
   * Calls the status query of the step's endpoint. An undecided answer leaves the step as it is: it
   * matches no rule, or it is a no and does not count yet (docs/runs/unclear.md).
   */
  async query(
    runId: number,
    { step: position, token, values = {} }: Question,
    context: CallContext,
  ) {
    const { inTransaction, feed } = this.#options
    await this.#options.archived.bringBack(runId)
    const stored = await inTransaction(({ runs }) => loadRun(runs, runId))
    const step = stepOf(stored, position)
    if (step.state === 'pending')
      return this.#queryPending(stored, step, { token, values }, context)
    if (!mayResolve(stored, step)) throw await this.#notUnknown(stored)
    const answered = await this.#ask(stored, step, { token, values }, context)
    const { said, asked } = answered
    const noted = {
      ...this.#settler.attemptBy(step, context.caller, 'status_query'),
      ...attemptOf(answered, { settles: true }),
    }
    const settled = await inTransaction(async (stores) => {
      if (await keepContradiction(stores, stored, step, answered, noted)) return undefined
      const weighed = await weigh(stores, stored, step, answered)
      await this.#store(stores, stored, step, answered, weighed, context)
      const run = await auditStep(stores, stored, step, context, {
        action: 'run.status_query',
        after: { verdict: verdictOf(said, weighed) },
      })
      return { run, weighed }
    })
    feed.changed(runId)
    if (!settled) throw await this.#notUnknown(stored)
    const { run, weighed } = settled
    return { ...toAnswer(said, weighed, asked.query), run }
  }

  async #ask(
    stored: StoredRun,
    step: StepRow,
    { token, values: typed }: Typed,
    { caller }: CallContext,
  ): Promise<Answered> {
    const { targets, sender, spans, clock, permitsOf, inTransaction } = this.#options
    const { is_test, workflow_id: workflowId } = stored.run
    const documents = await inTransaction((stores) =>
      stores.documents.listUndecided(step.run_id, step.position),
    )
    const right = rightOf(stored)
    const own = await targets.find(step.endpoint_id, caller, right)
    const attempts = stored.attemptsOf(step)
    if (!own.ok) throw fieldError({ step: [own.message] })
    const askBy = askByOf(attempts, own.target, stored.run)
    const begin = spans && ((called: CalledUrl) => spans.ask(stored.run, called))
    const asking = { targets, caller, right, sender, token, isTest: is_test === 1 }
    const how = { ...asking, askBy, attempts, documents, typed, begin }
    return askStep(step, { own: own.target, clock, permitsOf, workflowId, how })
  }

  /** Stores the answer as an attempt; one that counts settles the step. */
  async #store(
    stores: Stores,
    stored: StoredRun,
    step: StepRow,
    answered: Answered,
    weighed: Weighed,
    { caller }: CallContext,
  ): Promise<void> {
    const attempt = attemptOf(answered, weighed)
    const kind = 'status_query'
    if (!weighed.settles) {
      const noted = { ...this.#settler.attemptBy(step, caller, kind), ...attempt }
      await this.#settler.note(stores, stored, noted)
    } else {
      await this.#settler.settle(stores, stored, step, {
        caller,
        kind,
        ...settlementBy(answered),
        attempt: { ...attempt, has_settled: 1 },
      })
    }
  }

  /** Asks about a step that the authority decides later. The product would ask by itself, in its time. */
  async #queryPending(
    stored: StoredRun,
    step: StepRow,
    { token, values: typed }: Typed,
    context: CallContext,
  ) {
    const { inTransaction, polls } = this.#options
    const right = rightOf(stored)
    const asked = await polls.askNow(step, { caller: context.caller, right, token, typed })
    if (asked?.settled?.what !== 'asked') throw await this.#notUnknown(stored)
    const { answered, settled } = asked
    const said = settled.said ?? answered.said
    const run = await inTransaction((stores) =>
      auditStep(stores, stored, step, context, {
        action: 'run.status_query',
        after: { verdict: verdictOf(said, settled.weighed) },
      }),
    )
    return { ...toAnswer(said, settled.weighed, answered.asked.query), run }
  }

  #notUnknown({ run }: StoredRun) {
    return this.#options.inTransaction((stores) => refusedAsKnown(stores, run.id))
  }
}
